import { randomUUID } from 'node:crypto'
import type { Actor, EventDraft } from '@vitrine/protocol'
import type { ActionAnswer, AgentContext } from '../../agents/agent.ts'
import { AgentError } from '../../agents/agent-error.ts'
import { asJson } from '../../agents/as-json.ts'
import { SYSTEM } from '../../auth/principal.ts'
import { schemaProblem } from '../answer-schema.ts'
import { waitingForAnswer } from '../reasons.ts'
import type { Place } from './place.ts'
import { shaped } from './take.ts'
import type { RunWriter } from './writer.ts'

/** An agent that asks without end is stopped. */
const MAX_ASKS = 100
const MAX_TIMER_MS = 2_147_483_647

type Request = Parameters<AgentContext['ask']>[0]
interface Waiting {
  title: string
  answer: (answer: ActionAnswer) => void
  timer: NodeJS.Timeout | undefined
}

/** The requests of one run that wait for a person. */
export class Asks {
  readonly #writer: RunWriter
  readonly #place: Place
  readonly #signal: AbortSignal
  readonly #now: () => number
  readonly #waiting = new Map<string, Waiting>()

  constructor(writer: RunWriter, place: Place, signal: AbortSignal, now: () => number) {
    this.#writer = writer
    this.#place = place
    this.#signal = signal
    this.#now = now
  }

  /** Resolves when a person, a remembered grant or the expiry has answered. What is wrong with it, the agent is told. */
  async ask(given: Request, prefix: string): Promise<ActionAnswer> {
    const writer = this.#writer
    const { log } = writer
    const actionId = `act_${randomUUID()}`
    this.#signal.throwIfAborted()
    if (this.#waiting.size >= MAX_ASKS) {
      throw new AgentError(`At most ${MAX_ASKS} requests of a run wait at once.`, { code: 'ask_limit' })
    }
    const required = this.#required(given, actionId, prefix)
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
    const answered = new Promise<ActionAnswer>(answer => {
      const title = request.title.slice(0, 200).toWellFormed()
      this.#waiting.set(actionId, { title, answer, timer: this.#expiry(actionId, request.expiresAt) })
    })
    try {
      await log.write([required])
    } catch (error) {
      clearTimeout(this.#waiting.get(actionId)?.timer)
      this.#waiting.delete(actionId)
      throw error
    }
    this.show()
    const answer = await this.#place.wait(prefix, answered)
    if (this.#waiting.size === 0) this.show()
    return answer
  }

  /** Says what the run does: it waits for the answer that was asked for last, or it works. */
  show(): void {
    const last = [...this.#waiting.values()].at(-1)
    const shown = last
      ? this.#writer.setStatus('waiting', waitingForAnswer(last.title))
      : this.#writer.setStatus('streaming')
    shown.catch(() => {})
  }

  /** Hands the person's answer to the agent that waits for it; false when nobody does. */
  answer(actionId: string, answer: ActionAnswer): boolean {
    const ask = this.#waiting.get(actionId)
    if (!ask) return false
    this.#waiting.delete(actionId)
    clearTimeout(ask.timer)
    ask.answer(answer)
    return true
  }

  /** The run is being stopped: every request is resolved as cancelled. */
  cancel(): void {
    for (const actionId of [...this.#waiting.keys()])
      this.#settle(actionId, { outcome: 'cancelled', value: null, by: SYSTEM })
  }

  /** The run has ended; what is still open is resolved together with its end. */
  close(): void {
    for (const { answer, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      answer({ outcome: 'cancelled', value: null, by: SYSTEM })
    }
    this.#waiting.clear()
  }

  #required(given: Request, actionId: string, prefix: string): Extract<EventDraft, { type: 'action.required' }> {
    const writer = this.#writer
    const { toolCallId, ...request } = asJson(given).value as unknown as Request
    const problem = request.schema && schemaProblem(request.schema)
    if (problem) {
      throw new AgentError(`The schema of the answer cannot be used: ${problem}.`, { code: 'schema_invalid' })
    }
    const result = shaped({
      type: 'action.required',
      ...writer.ids,
      actionId,
      messageId: `${writer.messageId}${prefix}`,
      partId: writer.nextPart(),
      request,
      ...(toolCallId !== undefined && { toolCallId: writer.toolCallId(toolCallId, prefix) }),
    })
    if ('finding' in result) throw new AgentError(result.finding.message, { code: 'request_invalid', retryable: false })
    const { event, clipped } = result
    if (clipped.length > 0) {
      const message = `The agent asked with a text that is too long; it was cut: ${clipped.join(', ')}`
      writer.diagnose('output_clipped', message).catch(() => {})
    }
    return event as Extract<EventDraft, { type: 'action.required' }>
  }

  #expiry(actionId: string, expiresAt: number | undefined): NodeJS.Timeout | undefined {
    if (expiresAt === undefined) return undefined
    const left = Math.max(expiresAt - this.#now(), 0)
    if (left <= MAX_TIMER_MS) {
      return setTimeout(() => this.#settle(actionId, { outcome: 'expired', value: null, by: SYSTEM }), left)
    }
    // A timer cannot wait for longer: it waits again.
    return setTimeout(() => {
      const ask = this.#waiting.get(actionId)
      if (ask) ask.timer = this.#expiry(actionId, expiresAt)
    }, MAX_TIMER_MS)
  }

  /** The system answers: expiry (the safe default is no) or the end of the run. */
  #settle(actionId: string, answer: ActionAnswer): void {
    const { log, ids } = this.#writer
    // A person's answer is on its way into the log: it is the first outcome, and `answer` hands it over.
    if (log.state.actions.byId.get(actionId)?.state === 'resolved') return
    const ask = this.#waiting.get(actionId)
    if (!ask || !this.#waiting.delete(actionId)) return
    clearTimeout(ask.timer)
    log
      .write([{ type: 'action.resolved', ...ids, actionId, outcome: answer.outcome, by: SYSTEM }])
      .catch(() => {})
      .finally(() => ask.answer(answer))
  }
}
