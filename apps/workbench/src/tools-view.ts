export { ToolsPanel as default } from '@vitrine/react'
