import { randomUUID } from 'node:crypto'
import {
  type Action,
  type ActionRequest,
  type Actor,
  type EventDraft,
  isObject,
  type Json,
  type JsonObject,
  jsonBytes,
  MASK,
} from '@vitrine/protocol'
import { MAX_EVENT_BYTES } from '@vitrine/protocol/schema'
import type { ActionResponse, AgentContext } from '../../agents/agent.ts'
import { AgentError } from '../../agents/agent-error.ts'
import { asJson } from '../../agents/as-json.ts'
import { SYSTEM } from '../../auth/principal.ts'
import { type DeclaredSecrets, maskJson, NO_SECRETS, restored } from '../../masking/mask-secrets.ts'
import { schemaProblem } from '../commands/response-schema.ts'
import { waitingForResponse } from '../reasons.ts'
import { EVENT_HEAD } from './fit.ts'
import { fitChanges } from './fit-changes.ts'
import { shaped } from './read-output.ts'
import type { RunSlot } from './run-slot.ts'
import type { RunWriter } from './writer.ts'

/** Actions of one run that may wait at once, so that an agent that asks without end is stopped. */
const MAX_WAITING = 100
const MAX_TIMER_MS = 2_147_483_647

const isChange = (one: unknown): boolean =>
  isObject(one) && typeof one.path === 'string' && [one.before, one.after].every(isTextOrAbsent)
const isTextOrAbsent = (text: unknown): boolean => text === undefined || typeof text === 'string'

type Request = Parameters<AgentContext['ask']>[0]
interface Waiting {
  title: string
  /** What of the arguments is secret, whatever a person makes of them. */
  declared: DeclaredSecrets
  respond: (response: ActionResponse) => void
  timer: NodeJS.Timeout | undefined
}

/** A request as facts have it: without the secrets in its arguments, its words and the files that it is about. */
function maskRequest({ schema, ...request }: Request, declared: DeclaredSecrets): Request {
  const { args } = request
  const masked = maskJson(request as unknown as JsonObject) as unknown as Request
  return {
    ...masked,
    ...(schema !== undefined && { schema }),
    ...(args !== undefined && { args: maskJson(args, declared) }),
  }
}

/** People edit what they are shown, which has masks in the place of secrets: the agent gets the secrets back. */
function withReal(response: ActionResponse, { args }: ActionRequest, real: Json | undefined): ActionResponse {
  return response.value === null ? response : { ...response, value: restored(response.value, args, real) }
}

/** The actions of one run that wait for a person. */
export class RunActions {
  readonly #writer: RunWriter
  readonly #slot: RunSlot
  readonly #signal: AbortSignal
  readonly #now: () => number
  readonly #waiting = new Map<string, Waiting>()
  /** Requests from before the run was cut off that its agent has not asked again. */
  #earlier: Action[] = []
  /** What people have responded to them meanwhile, with what a fact does not say. */
  readonly #early = new Map<string, ActionResponse>()

  constructor(writer: RunWriter, slot: RunSlot, signal: AbortSignal, now: () => number) {
    this.#writer = writer
    this.#slot = slot
    this.#signal = signal
    this.#now = now
  }

  /**
   * Resolves when a person, a remembered permission or the expiry has responded. Throws when the request is wrong, so that
   * the agent is told what to correct.
   */
  async ask(given: Request, prefix: string, declared = NO_SECRETS): Promise<ActionResponse> {
    const writer = this.#writer
    const { log } = writer
    const actionId = `act_${randomUUID()}`
    this.#signal.throwIfAborted()
    if (this.#waiting.size >= MAX_WAITING) {
      throw new AgentError(`At most ${MAX_WAITING} requests of a run wait at once.`, { code: 'ask_limit' })
    }
    const real = given.args === undefined ? undefined : (asJson(given.args).value as Json)
    const earlier = this.#take(maskRequest(given, declared), prefix)
    if (earlier) return this.#askEarlier(earlier, prefix, declared, real)
    const required = this.#required(given, actionId, prefix, declared)
    const { request } = required
    const grant =
      request.kind === 'approval' && request.scope
        ? [...log.state.permissions.byId.values()].find(
            ({ state, scope }) => state === 'granted' && scope?.key === request.scope?.key,
          )
        : undefined
    if (grant) {
      const by: Actor = { kind: 'policy', id: grant.permissionId, name: grant.scope?.label ?? '' }
      await log.write([required, { type: 'action.resolved', ...writer.ids, actionId, outcome: 'approved', by }])
      return { outcome: 'approved', value: null, by }
    }
    const responded = this.#wait(actionId, request, declared)
    try {
      await log.write([required])
    } catch (error) {
      clearTimeout(this.#waiting.get(actionId)?.timer)
      this.#waiting.delete(actionId)
      throw error
    }
    return this.#shown(responded, prefix, request, real)
  }

  /** The run was cut off and goes on. These requests of it can be asked again, and people see them only once. */
  goOnWith(earlier: readonly Action[]): void {
    this.#earlier = [...earlier]
  }

  /** The request from before that is the same as this one. A response that was typed hidden is gone, and asked for anew. */
  #take({ kind, title, toolCallId }: Request, prefix: string): Action | undefined {
    const call = toolCallId === undefined ? null : this.#writer.toolCallId(toolCallId, prefix)
    const isSame = ({ request, toolCallId: of, response, actionId }: Action): boolean =>
      of === call &&
      request.kind === kind &&
      request.title === title &&
      (this.#early.has(actionId) || !JSON.stringify(response).includes(MASK))
    const at = this.#earlier.findIndex(isSame)
    const [found] = at < 0 ? [] : this.#earlier.splice(at, 1)
    return found
  }

  async #askEarlier(
    { actionId }: Action,
    prefix: string,
    declared: DeclaredSecrets,
    real: Json | undefined,
  ): Promise<ActionResponse> {
    const { outcome, response, text, by, request } = this.#writer.log.state.actions.byId.get(actionId)!
    const early = this.#early.get(actionId)
    if (early) return withReal(early, request, real)
    if (outcome !== null) return { outcome, value: response, by: by ?? SYSTEM, ...(text !== null && { text }) }
    return this.#shown(this.#wait(actionId, request, declared), prefix, request, real)
  }

  async #shown(
    responded: Promise<ActionResponse>,
    prefix: string,
    request: ActionRequest,
    real: Json | undefined,
  ): Promise<ActionResponse> {
    this.show()
    const response = await this.#slot.wait(prefix, responded)
    if (this.#waiting.size === 0) this.show()
    return withReal(response, request, real)
  }

  #wait(actionId: string, request: ActionRequest, declared: DeclaredSecrets): Promise<ActionResponse> {
    return new Promise(respond => {
      const title = request.title.slice(0, 200).toWellFormed()
      this.#waiting.set(actionId, { title, declared, respond, timer: this.#expiry(actionId, request.expiresAt) })
    })
  }

  /** Sets the status of the run: it waits for the action that was asked for last, or it works. */
  show(): void {
    const last = [...this.#waiting.values()].at(-1)
    const shown = last
      ? this.#writer.setStatus('waiting', waitingForResponse(last.title))
      : this.#writer.setStatus('streaming')
    shown?.catch(() => {})
  }

  /** What is secret in the arguments that a person is asked about. */
  declared(actionId: string): DeclaredSecrets {
    return this.#waiting.get(actionId)?.declared ?? NO_SECRETS
  }

  /** Hands the person's response to the agent that waits for it. Returns false when no agent waits. */
  respond(actionId: string, response: ActionResponse): boolean {
    const action = this.#waiting.get(actionId)
    if (!action && this.#earlier.some(earlier => earlier.actionId === actionId)) this.#early.set(actionId, response)
    if (!action) return false
    this.#waiting.delete(actionId)
    clearTimeout(action.timer)
    action.respond(response)
    return true
  }

  /** The run is being stopped: every action is resolved as cancelled. */
  cancel(): void {
    for (const actionId of [...this.#waiting.keys()])
      this.#settle(actionId, { outcome: 'cancelled', value: null, by: SYSTEM })
  }

  /** The run has ended: the agents are told, and the write that ends the run resolves the actions. */
  close(): void {
    for (const { respond, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      respond({ outcome: 'cancelled', value: null, by: SYSTEM })
    }
    this.#waiting.clear()
  }

  #required(
    given: Request,
    actionId: string,
    prefix: string,
    declared: DeclaredSecrets,
  ): Extract<EventDraft, { type: 'action.required' }> {
    const writer = this.#writer
    const { toolCallId, ...asked } = asJson(given).value as unknown as Request
    const request = this.#withFittingChanges(maskRequest(asked, declared))
    const problem = request.schema && schemaProblem(request.schema)
    if (problem) {
      throw new AgentError(`The schema of the response cannot be used: ${problem}.`, { code: 'invalid_arguments' })
    }
    const required: EventDraft = {
      type: 'action.required',
      ...writer.ids,
      actionId,
      messageId: `${writer.messageId}${prefix}`,
      partId: writer.nextPart(),
      request,
      ...(toolCallId !== undefined && { toolCallId: writer.toolCallId(toolCallId, prefix) }),
    }
    const result = shaped(required, request)
    if ('finding' in result)
      throw new AgentError(result.finding.message, { code: 'invalid_arguments', retryable: false })
    const { event, clipped } = result
    if (clipped.length > 0) {
      const message = `The agent asked with a text that is too long; it was cut: ${clipped.join(', ')}`
      writer.diagnose('output_clipped', message).catch(() => {})
    }
    return event as Extract<EventDraft, { type: 'action.required' }>
  }

  /** A change that is too large does not fail the request: it is cut, and people read how much is missing. */
  #withFittingChanges(request: Request): Request {
    const { changes, ...rest } = request
    // What is no change at all is refused with the rest of the request, where its shape is checked.
    if (!Array.isArray(changes) || !changes.every(isChange)) return request
    const fitted = fitChanges(changes, MAX_EVENT_BYTES - EVENT_HEAD - jsonBytes(rest))
    const more = (Number(rest.moreChanges) || 0) + fitted.left
    if (fitted.cut || fitted.left > 0) {
      const message = 'The agent asked with changes of files that are too large; what has no room was left out.'
      this.#writer.diagnose('output_clipped', message).catch(() => {})
    }
    return { ...rest, changes: fitted.changes, ...(more > 0 && { moreChanges: more }) }
  }

  #expiry(actionId: string, expiresAt: number | undefined): NodeJS.Timeout | undefined {
    if (expiresAt === undefined) return undefined
    const left = Math.max(expiresAt - this.#now(), 0)
    if (left <= MAX_TIMER_MS) {
      return setTimeout(() => this.#settle(actionId, { outcome: 'expired', value: null, by: SYSTEM }), left)
    }
    // A timer cannot wait for longer, so that another timer waits for the rest.
    return setTimeout(() => {
      const action = this.#waiting.get(actionId)
      if (action) action.timer = this.#expiry(actionId, expiresAt)
    }, MAX_TIMER_MS)
  }

  /** The system responds: the action has expired (the safe default is no), or the run is being stopped. */
  #settle(actionId: string, response: ActionResponse): void {
    const { log, ids } = this.#writer
    // The response of a person is on its way into the log: it is the first outcome, and `respond` hands it over.
    if (log.state.actions.byId.get(actionId)?.state === 'resolved') return
    const action = this.#waiting.get(actionId)
    if (!action || !this.#waiting.delete(actionId)) return
    clearTimeout(action.timer)
    log
      .write([{ type: 'action.resolved', ...ids, actionId, outcome: response.outcome, by: SYSTEM }])
      .catch(() => {})
      .finally(() => action.respond(response))
  }
}
