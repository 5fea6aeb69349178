// Begin with `VitrineProvider`, which gives a client to all views, and with `SessionView`, which puts most of them together.
// views/ shows facts and sends commands, genui/ draws what agents send, kit/ has the controls that both are made of.

export { AgentsProvider, useAgentNames, useAgents, useRefreshAgents } from './agents.tsx'
export { type MessagePlace, type Notice, useRowState, useVitrine, type Vitrine, VitrineProvider } from './context.tsx'
export {
  type DiagramColour,
  type DiagramOrder,
  type DiagramReport,
  type DiagramTheme,
  LONGEST_DIAGRAM,
} from './diagram/diagram-order.ts'
export { CardState } from './genui/schema/card-state.ts'
export type { UiHost, UiInteraction, UiValues } from './genui/schema/ui-context.ts'
export { UiHostProvider } from './genui/schema/ui-host.tsx'
export { UiSchema, type UiSchemaProps } from './genui/schema/ui-schema.tsx'
export { A2uiPreview, SurfacePart } from './genui/surface-part.tsx'
export { NARROW, useEntity, useEntityValue, useMedia, useNow, useReadable } from './hooks.ts'
export {
  createI18n,
  type I18n,
  I18nProvider,
  type LocaleMessages,
  locales,
  type MessageKey,
  matchLocale,
  useI18n,
} from './i18n/i18n.tsx'
export { problemWords } from './i18n/reason-words.ts'
export { Badge } from './kit/badge.tsx'
export { Button } from './kit/button.tsx'
export { Checkbox } from './kit/checkbox.tsx'
export { RadioGroup } from './kit/choices.tsx'
export { CopyButton } from './kit/copy-button.tsx'
export { copyText } from './kit/copy-text.ts'
export { Dialog } from './kit/dialog.tsx'
export { Disclosure } from './kit/disclosure.tsx'
export { Empty } from './kit/empty.tsx'
export { AgentFace, PersonFace } from './kit/face.tsx'
export { Field } from './kit/field.tsx'
export { Icon, type IconData } from './kit/icon.tsx'
export { IconButton } from './kit/icon-button.tsx'
export * as icons from './kit/icons.ts'
export { Menu, MenuItem } from './kit/menu.tsx'
export { PlainText } from './kit/plain-text.tsx'
export { Select } from './kit/select.tsx'
export { Sheet } from './kit/sheet.tsx'
export { StatusDot, type StatusTone } from './kit/status-dot.tsx'
export { TabList, TabPanel } from './kit/tabs.tsx'
export { TextArea } from './kit/text-area.tsx'
export { TextInput } from './kit/text-input.tsx'
export { lazily } from './lazily.tsx'
export { Markdown, MarkdownText } from './markdown/markdown.tsx'
export { MediaHosts } from './media/media-hosts.tsx'
export { ProblemNote } from './problem-note.tsx'
export { capsOf, isCovered, isPressed, LETTERS, lettersAct, signsAct, typeIntoComposer } from './shortcuts.ts'
export { useSetting } from './stored.ts'
export { ArchivedSessions } from './views/archived-sessions.tsx'
export { branchSession } from './views/branch-session.ts'
export { Composer } from './views/composer.tsx'
export { ConnectionBanner, useShownConnection } from './views/connection-banner.tsx'
export { Conversation } from './views/conversation.tsx'
export { DeletedSessions } from './views/deleted-sessions.tsx'
export { EntityBoundary } from './views/entity-boundary.tsx'
export { keepPageOnDrop } from './views/file-drop.ts'
export { type KeyLine, KeysHelp, viewKeys } from './views/keys-help.tsx'
export { type ModelPickerProps, ModelPickerProvider } from './views/model-button.tsx'
export { MoveSession } from './views/move-session.tsx'
export { NewDiagnostics } from './views/new-diagnostics.tsx'
export { NewSession } from './views/new-session.tsx'
export { Notices } from './views/notices.tsx'
export { PageCommandsProvider } from './views/page-commands.tsx'
export { Palette, type PaletteCommand } from './views/palette.tsx'
export { Diagnostics, Permissions, StateInspector } from './views/panels.tsx'
export { PlanView } from './views/plan.tsx'
export { QueueView } from './views/queue.tsx'
export { SearchField } from './views/search-field.tsx'
export { searchFieldKey } from './views/search-keys.ts'
export { SEARCH_PAUSE } from './views/search-later.ts'
export { SearchView } from './views/search-view.tsx'
export { type SessionActions, useSessionActions } from './views/session-actions.ts'
export { folderKey } from './views/session-groups.ts'
export { SessionList, SessionMark } from './views/session-list.tsx'
export { SessionUsage } from './views/session-usage.tsx'
export { type SessionControl, SessionView } from './views/session-view.tsx'
export { TaskCapsule, Tasks } from './views/tasks.tsx'
export { openToolMode, ToolModePick } from './views/tool-mode.tsx'
export { ToolsPanel } from './views/tools-panel.tsx'
export { UsageView } from './views/usage-view.tsx'
export type { Asked, SearchTime } from './views/use-found.ts'
export { visible, visibleText } from './visible.tsx'
