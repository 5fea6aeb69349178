import { compileHints, correction, validateHints } from '@vitrine/genui/hints'
import type { JsonObject } from '@vitrine/protocol'

/** The interface that hints describe, and what the agent should correct, if anything. */
export function compileUi(uiHints: JsonObject): { ui: JsonObject; correction: string | null } {
  const errors = validateHints(uiHints).filter(({ level }) => level === 'error')
  const { schema } = compileHints(uiHints, typeof uiHints.locale === 'string' ? { locale: uiHints.locale } : {})
  return { ui: schema as unknown as JsonObject, correction: errors.length > 0 ? correction(errors) : null }
}
