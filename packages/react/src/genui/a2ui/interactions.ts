import {
  type EventType,
  type Json,
  type JsonObject,
  mergeChanges,
  type SurfaceAction,
  type SurfaceModel,
} from '@vitrine/genui/a2ui'
import type { NodeFeed } from './node-feed.ts'

/** Why something was not taken, in words for the person. */
export interface Refused {
  title: string
  detail?: string | undefined
  next?: string | undefined
}
export type SendResult = { ok: true } | { ok: false; problem: Refused }
/** Resolves when the action is accepted and what the person typed has become part of the surface. */
export type Send = (action: SurfaceAction, edits: JsonObject) => Promise<SendResult>

/** What a control shows beside its value. */
export interface Interaction {
  readonly state: 'idle' | 'sending' | 'failed' | 'refused'
  readonly problem?: Refused
  readonly retry?: () => void
  /** What failed: a click that is accepted later carries the changes that were not. */
  readonly of?: EventType
  /** The person has been at the field: its errors are no surprise any more. */
  readonly touched: boolean
}

const IDLE: Interaction = { state: 'idle', touched: false }
const TOUCHED: Interaction = { state: 'idle', touched: true }

/** Changes within this time of each other are one message. */
export const MERGE_MS = 300

/** What a person does with a surface, on its way to the agent. */
export class Interactions {
  readonly #model: SurfaceModel
  readonly #feed: NodeFeed
  readonly #send: Send | undefined
  readonly #edited: () => void
  readonly #states = new Map<string, Interaction>()
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Keys of the overlay that hold what was typed hidden. */
  readonly secrets = new Set<string>()
  #allTouched = false
  #changes: { nodeId: string; action: SurfaceAction }[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(model: SurfaceModel, feed: NodeFeed, send?: Send, edited: () => void = () => {}) {
    this.#model = model
    this.#feed = feed
    this.#send = send
    this.#edited = edited
  }

  get(nodeId: string): Interaction {
    return this.#states.get(nodeId) ?? (this.#allTouched ? TOUCHED : IDLE)
  }

  subscribe(nodeId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(nodeId) ?? new Set()
    this.#listeners.set(nodeId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(nodeId) === listeners) this.#listeners.delete(nodeId)
    }
  }

  input(nodeId: string, value: Json, secret = false): void {
    const before = secret ? this.#model.exportLocal() : undefined
    this.#feed.atOnce(() => this.#model.setInput(nodeId, value))
    if (before)
      for (const [key, now] of Object.entries(this.#model.exportLocal())) if (before[key] !== now) this.secrets.add(key)
    const { state } = this.get(nodeId)
    if (state === 'failed' || state === 'refused') this.#set([nodeId], TOUCHED)
    this.#edited()
  }

  touch(nodeId: string): void {
    if (!this.get(nodeId).touched) this.#set([nodeId], { ...this.get(nodeId), touched: true })
  }

  /** Says it to the agent, opens it or runs it, as the component declares. */
  act(nodeId: string, eventType: EventType, value?: Json, declaredOnly = false): void {
    if (this.get(nodeId).state === 'sending' && eventType !== 'change') return
    const result = this.#model.action(nodeId, eventType, value)
    if (result.kind === 'open') open(result.url, result.download === true)
    else if (result.kind === 'refused') this.#refuse(nodeId, result.reason)
    else if (result.kind === 'event') this.#report(nodeId, result.action, declaredOnly)
  }

  /** Sends what still waits for more changes. */
  flush(): void {
    const changes = this.#changes
    const nodes = this.#takeChanges()
    const action = mergeChanges(changes.map(change => change.action))
    if (action) void this.#deliver(nodes, action)
  }

  #report(nodeId: string, action: SurfaceAction, declaredOnly: boolean): void {
    if (declaredOnly && action.name === undefined) return
    if (action.eventType !== 'change') {
      const whole = this.#withChanges(action)
      void this.#deliver([nodeId, ...this.#takeChanges()], whole)
      return
    }
    this.#changes.push({ nodeId, action })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), MERGE_MS)
  }

  #takeChanges(): string[] {
    clearTimeout(this.#timer)
    const nodes = [...new Set(this.#changes.map(change => change.nodeId))]
    this.#changes = []
    return nodes
  }

  /** Leaving a field by pressing a button is one thing that happened, not two: the changes travel with the click. */
  #withChanges(action: SurfaceAction): SurfaceAction {
    if (this.#changes.length === 0) return action
    const changes = new Map(
      this.#changes.map(change => [change.action.componentId, change.action.payload.value ?? null]),
    )
    changes.delete(action.componentId)
    if (changes.size === 0) return action
    const listed = [...changes].map(([componentId, value]) => ({ componentId, value }))
    return { ...action, payload: { ...action.payload, changes: listed } }
  }

  async #deliver(nodeIds: readonly string[], action: SurfaceAction): Promise<void> {
    if (!this.#send) return
    const edits = this.#model.exportLocal()
    this.#set(nodeIds, { state: 'sending', touched: true })
    let result: SendResult
    try {
      result = await this.#send(action, edits)
    } catch (error) {
      result = { ok: false, problem: { title: error instanceof Error ? error.message : String(error) } }
    }
    if (result.ok) {
      this.#feed.atOnce(() => this.#model.clearLocal(edits))
      for (const key of Object.keys(edits)) this.secrets.delete(key)
      this.#edited()
      // Answered: what comes next is another round, and its fields are untouched.
      if (action.eventType !== 'change') this.#untouch()
      this.#set(nodeIds, undefined)
      return
    }
    const retry = () => void this.#deliver(nodeIds, action)
    // Said once, where the person is: at the button, or at the field that changed last.
    const shownAt = action.eventType === 'change' ? nodeIds.at(-1)! : nodeIds[0]!
    this.#set(nodeIds, TOUCHED)
    this.#set([shownAt], { state: 'failed', of: action.eventType, problem: result.problem, retry, touched: true })
  }

  #refuse(nodeId: string, reason: string): void {
    this.#allTouched = true
    for (const [id, state] of this.#states) if (!state.touched) this.#set([id], { ...state, touched: true })
    this.#set([nodeId], { state: 'refused', problem: { title: reason }, touched: true })
    for (const id of this.#listeners.keys()) this.#tell(id)
  }

  #untouch(): void {
    this.#allTouched = false
    for (const [id, { state, of }] of [...this.#states])
      if (state === 'idle' || state === 'refused' || of === 'change') this.#states.delete(id)
    for (const id of this.#listeners.keys()) this.#tell(id)
  }

  #set(nodeIds: readonly string[], next: Interaction | undefined): void {
    for (const id of nodeIds) {
      if (next) this.#states.set(id, next)
      else this.#states.delete(id)
      this.#tell(id)
    }
  }

  #tell(nodeId: string): void {
    for (const listener of [...(this.#listeners.get(nodeId) ?? [])]) listener()
  }
}

/** Elsewhere, without a handle back to this page and without saying where one came from. */
export function open(url: string, download: boolean): void {
  if (!download) {
    window.open(url, '_blank', 'noopener,noreferrer')
    return
  }
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.rel = 'noopener noreferrer'
  link.click()
}
