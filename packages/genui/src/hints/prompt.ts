import { signature } from '../shape/signature.ts'
import { uiHintsShape } from './hints.ts'

/** Legal, and not worth telling a model: what has a good default, and what only a machine writes. */
export const untold: ReadonlySet<string> = new Set([
  ...['version', 'meta', 'id', 'disabled', 'disabledReason', 'submit', 'submitTo', 'successMessage', 'target'],
  ...['color', 'size', 'width', 'height', 'rows', 'step', 'caption', 'unit'],
])

/** All of UiHints in a notation that costs a third of its JSON Schema. */
export const hintsSignature = signature(uiHintsShape, untold)

/** The part of a system prompt that teaches an agent the tool `show_ui`. */
export const showUiPrompt =
  'Use show_ui for results, records, lists, tables, charts and forms; answer prose as prose. ' +
  'navigation.path: only a path that a tool gave you, no query. A form needs no button. ' +
  'A pressed tool or payload button comes back to you as [ui.action] with its action and the values of the form.'

/** The part of a system prompt for an agent without tools, which writes UiHints into its answer. */
export const showUiPromptWithoutTool = `${showUiPrompt}\nshow_ui takes minified JSON, without what is empty, intent and status first:\n${hintsSignature}`
