import { compileHints, hintsCorrection, validateHints } from '@vitrine/genui/hints'
import type { JsonObject } from '@vitrine/protocol'

/** The interface that hints describe, and what the agent should correct, if there is anything to correct. */
export function compileUi(
  uiHints: JsonObject,
  locale: string | undefined,
): { ui: JsonObject; correction: string | null } {
  const errors = validateHints(uiHints).filter(({ level }) => level === 'error')
  // With ids, a card that was drawn while its arguments streamed keeps its nodes.
  const { schema } = compileHints(uiHints, { ids: true, ...(locale !== undefined && { locale }) })
  return { ui: schema as unknown as JsonObject, correction: errors.length > 0 ? hintsCorrection(errors) : null }
}
