import { diagnosticLines, type UiDiagnostic } from '../diagnostic.ts'
import { jsonSchemaOf } from '../shape/json-schema.ts'
import type { UiToolDefinition } from '../tool.ts'
import { uiHintsShape } from './hints.ts'
import { hintsSignature, untold } from './prompt.ts'

/**
 * The tool by which an agent shows a result as an interface. The schema types the top level; the signature in the
 * description tells the rest, and the server checks all of it.
 */
export const showUiTool: UiToolDefinition = {
  name: 'show_ui',
  description: `Show a result as UI. Leave out what is empty; intent and status first.\n${hintsSignature}`,
  inputSchema: jsonSchemaOf(uiHintsShape, { shallow: true, omit: untold }),
}

/** What an agent is told when its hints were not legal: where, what, and nothing else. */
export function hintsCorrection(diagnostics: readonly UiDiagnostic[]): string {
  const errors = diagnostics.filter(({ level, code }) => level === 'error' || code === 'nothing_shown')
  return ['show_ui: correct these and call it again.', ...diagnosticLines(errors)].join('\n')
}
