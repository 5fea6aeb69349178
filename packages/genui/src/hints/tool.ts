import type { Diagnostic } from '../schema/diagnostic.ts'
import { jsonSchema } from '../schema/json-schema.ts'
import { hintsShape } from './hints.ts'
import { signature } from './signature.ts'

/** Legal, and not worth telling a model: what has a good default, and what only a machine writes. */
const untold = new Set([
  ...['version', 'meta', 'id', 'disabled', 'disabledReason', 'submit', 'submitTo', 'successMessage', 'target'],
  ...['color', 'size', 'width', 'height', 'rows', 'step', 'caption', 'unit'],
])

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** All of UiHints in a notation that costs a third of its JSON Schema. */
export const hintsSignature = signature(hintsShape, untold)

/**
 * The tool by which an agent shows a result as an interface. The schema types the top level; the signature in the
 * description tells the rest, and the server checks all of it.
 */
export const showUiTool: ToolDefinition = {
  name: 'show_ui',
  description: `Show a result as UI. Leave out what is empty; intent and status first.\n${hintsSignature}`,
  inputSchema: jsonSchema(hintsShape, { shallow: true, omit: untold }),
}

/** For the system prompt of an agent that has the tool. */
export const promptSection =
  'Use show_ui for results, records, lists, tables, charts and forms; answer prose as prose. ' +
  'navigation.path: only a path that a tool gave you, no query. A form needs no button; its values come back to you.'

/** The same for an agent without tools, which writes the JSON into its answer. */
export const promptSectionWithoutTool = `${promptSection}\nshow_ui takes minified JSON, without what is empty, intent and status first:\n${hintsSignature}`

/** What an agent is told when its hints were not legal: where, what, and nothing else. */
export function correction(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ level }) => level === 'error').slice(0, 10)
  return ['show_ui: correct these and call it again.', ...errors.map(line)].join('\n')
}

const line = ({ path, message }: Diagnostic): string => `${path || '/'}: ${message}`
