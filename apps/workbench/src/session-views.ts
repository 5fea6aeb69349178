// One file for all of them: a file of its own for each makes the bundler divide what the first screen loads into many.
import '@vitrine/react/settings.css'

export { SessionView as default, ToolsPanel, UsageView } from '@vitrine/react'
export { ModelPicker } from '@vitrine/react/settings'
export { default as AgentsPage } from './pages/agents.tsx'
export { default as ModelsPage } from './pages/models.tsx'
