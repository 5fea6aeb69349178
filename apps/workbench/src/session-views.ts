// One file for all of them: a file of its own for each makes the bundler divide what the first screen loads into many.
export { SessionView as default, ToolsPanel, UsageView } from '@vitrine/react'
