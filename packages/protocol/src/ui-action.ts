import type { Json } from './json.ts'
import { jsonEqual } from './patch.ts'

/** The members of an action of UI Schema that say what it does. */
interface UiAction {
  type?: unknown
  toolId?: unknown
  params?: unknown
  submitTo?: unknown
  payload?: unknown
}

const carried = ({ params, payload }: UiAction): Json => (params ?? payload ?? {}) as Json

/** Whether the button of a card has the action that a person is said to have used. Only tools and payloads reach an agent. */
export const sameUiAction = (offered: UiAction, said: UiAction): boolean =>
  (said.type === 'tool' || said.type === 'payload') &&
  offered.type === said.type &&
  offered.toolId === said.toolId &&
  offered.submitTo === said.submitTo &&
  jsonEqual(carried(offered), carried(said))
