import type { UiDiagnostic } from '@vitrine/genui'
import { hintsToSchema, inspectHints } from '@vitrine/genui/hints'
import { inspectSchema } from '@vitrine/genui/schema'
import type { JsonObject } from '@vitrine/protocol'

/** An interface as it is shown, and what its author should know about what they gave. */
export interface JudgedUi {
  ui: JsonObject
  /** What is not legal, each with its place. Empty when the interface shows what its author meant. */
  problems: UiDiagnostic[]
  /** What is legal and does something else than its author may expect. */
  notes: UiDiagnostic[]
}

/** The interface that hints describe. Hints that show nothing are not what anybody means by a result. */
export function compileUi(uiHints: JsonObject, locale: string | undefined): JudgedUi {
  // With ids, a card that was drawn while its arguments streamed keeps its nodes.
  const schema = hintsToSchema(uiHints, { ids: true, ...(locale !== undefined && { locale }) })
  const isProblem = ({ level, code }: UiDiagnostic) => level === 'error' || code === 'nothing_shown'
  return { ui: schema as unknown as JsonObject, ...judged(inspectHints(uiHints), isProblem) }
}

/** A document that a tool has made itself. It is shown as it is, and may be there to show nothing yet. */
export const judgeUi = (ui: JsonObject): JudgedUi => ({
  ui,
  ...judged(inspectSchema(ui), ({ level }) => level === 'error'),
})

const judged = (found: readonly UiDiagnostic[], isProblem: (one: UiDiagnostic) => boolean) => ({
  problems: found.filter(isProblem),
  notes: found.filter(one => !isProblem(one)),
})
