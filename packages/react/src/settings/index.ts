// The pages for models and agents. They are an entry of their own, because most visits do not need them.

export { AgentsView } from './agents-view.tsx'
export { ConnectModel } from './connect-model.tsx'
export { ModelPicker } from './model-picker.tsx'
export { ProvidersView } from './providers-view.tsx'
