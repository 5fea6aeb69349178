export { SessionView as default } from '@vitrine/react'
