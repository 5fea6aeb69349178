import type { Outcome, Readable, SessionHandle } from '@vitrine/client'
import { type Command, isObject, type Problem, type SessionState } from '@vitrine/protocol'
import { placeOf, readDraft, storeDrafts, writeField } from '../drafts.ts'
import { keepSteer } from './composer-draft.ts'

/** What Enter does with a text. `answer` and `refuse` go to a request that waits, the others to the conversation. */
export type ComposerAction = 'send' | 'queue' | 'steer' | 'new-task' | 'answer' | 'refuse'

/** A text that has left the composer and is no fact yet. */
export interface Unsent {
  /** The id of the turn, steer or task that it becomes: sent again under it, it is still one. */
  readonly id: string
  readonly action: ComposerAction
  readonly input: Omit<Command<'submitTurn'>, 'turnId'>
  /** The run that it steers, or the request that it answers. */
  readonly to?: string
  /** The request takes the words as its value; others take them beside it. */
  readonly asValue?: boolean
  readonly state: 'sending' | 'waiting' | 'sent' | 'refused'
  /** Why it was refused. */
  readonly problem?: Problem
}

/** While the server cannot be reached, it is tried again this often, also without news of the connection. */
const AGAIN_MS = 5_000
/** The fact comes with the stream, usually at once. A text that is older than what the page has loaded has none here. */
const FACT_MS = 4_000

/**
 * The texts of one session between the key press and the fact, in their order. They are stored, so that a page that was
 * loaded again sends them under the same ids. A text that was refused stays until the composer has taken it back.
 */
export class Outbox implements Readable<readonly Unsent[]> {
  readonly #sessionId: string
  readonly #listeners = new Set<() => void>()
  #unsent: readonly Unsent[]
  #busy = false
  #again: ReturnType<typeof setTimeout> | undefined
  /** Told when the server has taken a text. */
  onTaken: ((unsent: Unsent, answer: unknown) => void) | null = null

  constructor(sessionId: string) {
    this.#sessionId = sessionId
    this.#unsent = Object.values(readDraft(placeOf('outbox', sessionId))).filter(isUnsent)
  }

  get(): readonly Unsent[] {
    return this.#unsent
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(unsent: Omit<Unsent, 'state'>): void {
    this.#set([...this.#unsent, { ...unsent, state: 'sending' }])
    this.#store(unsent.id)
  }

  /** Takes a text out: it goes back to where it was written. */
  take(id: string): void {
    this.#set(this.#unsent.filter(unsent => unsent.id !== id))
    this.#store(id)
  }

  /** The server has taken a text that went another way than by `flush`. */
  taken(id: string): void {
    const unsent = this.#unsent.find(one => one.id === id)
    if (unsent) this.#taken(unsent, undefined)
  }

  /** Sends what waits, one after another, so that the order in which it was written is kept. */
  async flush(handle: SessionHandle): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    clearTimeout(this.#again)
    for (let next = this.#next(); next; next = this.#next()) {
      const result = await carryOut(handle, next)
      if (result.ok) this.#taken(next, result.value)
      else if (isAway(result.problem)) {
        this.#change(next.id, { state: 'waiting' })
        this.#again = setTimeout(() => this.flush(handle), AGAIN_MS)
        break
      } else this.#refused(next, result.problem)
    }
    this.#busy = false
  }

  #next(): Unsent | undefined {
    return this.#unsent.find(({ state }) => state === 'sending' || state === 'waiting')
  }

  #taken(unsent: Unsent, answer: unknown): void {
    this.#change(unsent.id, { state: 'sent' })
    setTimeout(() => this.take(unsent.id), unsent.action === 'new-task' ? 0 : FACT_MS)
    this.onTaken?.(unsent, answer)
  }

  /** What was written after a refused text was written for a conversation that has it: it comes back as well. */
  #refused({ id }: Unsent, problem: Problem): void {
    const from = this.#unsent.findIndex(unsent => unsent.id === id)
    for (const { id: each, state } of this.#unsent.slice(Math.max(from, 0))) {
      if (state !== 'sent') this.#change(each, { state: 'refused', problem })
    }
  }

  #change(id: string, change: Partial<Unsent>): void {
    this.#set(this.#unsent.map(unsent => (unsent.id === id ? { ...unsent, ...change } : unsent)))
    this.#store(id)
  }

  #set(unsent: readonly Unsent[]): void {
    this.#unsent = unsent
    for (const listener of this.#listeners) listener()
  }

  #store(id: string): void {
    const found = this.#unsent.find(unsent => unsent.id === id)
    // What the server has taken must not be sent by the next page.
    writeField(placeOf('outbox', this.#sessionId), id, found?.state === 'sent' ? undefined : found)
    storeDrafts()
  }
}

const isUnsent = (value: unknown): value is Unsent =>
  isObject(value) && typeof value.id === 'string' && isObject(value.input) && typeof value.action === 'string'

/** Nobody has said no: the server could not be reached, or something before it could not reach it. */
export const isAway = ({ code, status }: Problem): boolean => code === 'offline' || [502, 503, 504].includes(status)

/** The outbox of a session. There is one for the page, because a text goes on while another session is open. */
export function outboxOf(kept: Map<string, unknown>, sessionId: string): Outbox {
  const key = `outbox:${sessionId}`
  const found = kept.get(key)
  if (found instanceof Outbox) return found
  const made = new Outbox(sessionId)
  kept.set(key, made)
  return made
}

/** Whether what became of a text can be seen in the session, so that it is not drawn as on its way any more. */
export function isFact(state: SessionState, { id, action, to = '' }: Unsent): boolean {
  if (action === 'answer' || action === 'refuse') return state.actions.byId.get(to)?.state === 'resolved'
  if (action === 'steer') return state.steers.byId.has(id)
  return state.turns.byId.has(id) || state.queue.turns.some(({ turnId }) => turnId === id)
}

function carryOut(handle: SessionHandle, unsent: Unsent): Promise<Outcome> {
  const { id, action, input, to = '', asValue, state } = unsent
  const { text, files } = input
  if (action === 'answer') {
    return handle.respondToAction(to, asValue ? { decision: 'answer', value: text } : { decision: 'answer', text })
  }
  if (action === 'refuse') return handle.respondToAction(to, { decision: 'deny', text })
  if (action === 'new-task') return handle.startTask(text, id, files)
  if (action === 'steer') return steer(handle, to, unsent)
  // A run may have begun while the text waited. Queued, the text starts at once when none did.
  return action === 'queue' || state === 'waiting' ? handle.queueTurn(input, id) : handle.submitTurn(input, id)
}

async function steer(handle: SessionHandle, runId: string, { id, input }: Unsent): Promise<Outcome> {
  keepSteer(handle.sessionId, id, input.text)
  const { text, files } = input
  const result = await handle.steerRun(runId, { text, ...(files && { files }) }, id)
  // Refused at once: the text goes back to the composer, so there is nothing to give back later.
  if (!result.ok && !isAway(result.problem)) keepSteer(handle.sessionId, id)
  return result
}
