export { type Notice, useKept, useVitrine, type Vitrine, VitrineProvider } from './context.tsx'
export { CopyButton } from './copy-button.tsx'
export { Dialog } from './dialog.tsx'
export type {
  UiActionRequest,
  UiHost,
  UiValues,
} from './genui/schema/ui-context.ts'
export { UiHostProvider } from './genui/schema/ui-host.tsx'
export { UiSchema, type UiSchemaProps } from './genui/schema/ui-schema.tsx'
export { UiState } from './genui/schema/ui-state.ts'
export { A2uiPreview, SurfacePart } from './genui/surface-part.tsx'
export { Guard } from './guard.tsx'
export { useEntity, useFact, useMedia, useNow, useReadable } from './hooks.ts'
export {
  createI18n,
  type I18n,
  I18nProvider,
  locales,
  type MessageKey,
  type Messages,
  matchLocale,
  useI18n,
} from './i18n/i18n.tsx'
export { lazily } from './lazily.tsx'
export { Markdown, MarkdownText } from './markdown/markdown.tsx'
export { Menu } from './menu.tsx'
export { ProblemNote } from './problem-note.tsx'
export { readStored, useStored, writeStored } from './stored.ts'
export { Composer } from './surfaces/composer.tsx'
export { ConnectionBanner } from './surfaces/connection-banner.tsx'
export { Conversation } from './surfaces/conversation.tsx'
export { DeletedSessions } from './surfaces/deleted-sessions.tsx'
export { commandKey, KeysHelp } from './surfaces/keys-help.tsx'
export { NewSession } from './surfaces/new-session.tsx'
export { Notices } from './surfaces/notices.tsx'
export { Palette, type PaletteCommand } from './surfaces/palette.tsx'
export { Diagnostics, Permissions, StateInspector } from './surfaces/panels.tsx'
export { Plan } from './surfaces/plan.tsx'
export { Queue } from './surfaces/queue.tsx'
export { type SessionActions, useSessionActions } from './surfaces/session-actions.ts'
export { SessionList } from './surfaces/session-list.tsx'
export { type SessionControl, SessionView } from './surfaces/session-view.tsx'
export { TaskCapsule, Tasks } from './surfaces/tasks.tsx'
export { visible, visibleText } from './visible.tsx'
