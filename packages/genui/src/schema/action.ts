import { formatPointer } from '@vitrine/protocol'
import { below, problem, type UiDiagnostic } from '../diagnostic.ts'
import { pathProblem, urlProblem } from '../url.ts'

/** Why an action must not run, or undefined when it may. The boundary calls this again right before acting. */
export function actionProblem(action: {
  readonly type?: unknown
  readonly [key: string]: unknown
}): UiDiagnostic | undefined {
  switch (action.type) {
    case 'navigation': {
      const wrong = below('/path', pathProblem(String(action.path)))
      if (wrong) return wrong
      for (const [key, value] of Object.entries(action.params ?? {}))
        if (value !== undefined && typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) {
          const at = formatPointer(['params', key])
          return problem('params_scalar', `params.${key} is not a string, number or boolean`, at)
        }
      return undefined
    }
    case 'url':
      return below('/url', urlProblem(String(action.url)))
    case 'payload':
      return action.submitTo === undefined ? undefined : below('/submitTo', pathProblem(String(action.submitTo)))
    case 'event':
      return action.event === '' ? problem('action_missing', 'the action is missing or unknown') : undefined
    case 'tool':
      return action.toolId === '' ? problem('action_missing', 'the tool has no name', '/toolId') : undefined
    default:
      return undefined
  }
}
