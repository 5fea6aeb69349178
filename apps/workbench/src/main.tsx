import { createClient } from '@vitrine/client'
import { keepPageOnDrop } from '@vitrine/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { base } from './base.ts'
import '@vitrine/react/styles.css'
import './app.css'

const client = createClient({ baseUrl: `${base}api` })

keepPageOnDrop()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App client={client} />
  </StrictMode>,
)
