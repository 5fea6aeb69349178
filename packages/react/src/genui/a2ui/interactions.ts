import { newId } from '@vitrine/client'
import { editedField, type SurfaceAction, type SurfaceEventType, type SurfaceModel } from '@vitrine/genui/a2ui'
import { type Json, type JsonObject, jsonEqual, parsePointer } from '@vitrine/protocol'
import { openOutside } from '../../kit/outside-link.tsx'
import type { NodeFeed } from './node-feed.ts'

/** Why something was not taken, in words for the person. */
export interface RefusedInteraction {
  title: string
  /** Where it is one of ours, the reader's language has words for it. */
  code?: string | undefined
  detail?: string | undefined
  next?: string | undefined
  /** JSON pointer to the edit that is to blame: `/edits/` and its key. */
  path?: string | undefined
}

/** Whether an interaction was taken, and why not. */
export type SendOutcome = { ok: true } | { ok: false; problem: RefusedInteraction }

/**
 * Where a person's interactions go. Resolves when the action is accepted and what the person typed has become part of the surface. The same key is the same
 * action: when the answer to the first try was lost, the second must not act again.
 */
export type SendInteraction = (action: SurfaceAction, edits: JsonObject, key: string) => Promise<SendOutcome>

/** What a control shows beside its value. */
export interface ControlState {
  readonly state: 'idle' | 'sending' | 'sent' | 'failed' | 'refused'
  readonly problem?: RefusedInteraction
  readonly retry?: () => void
  /** What failed: a click that is accepted later carries the changes that were not. */
  readonly of?: SurfaceEventType
  /** The person has been at the field: its errors are no surprise any more. */
  readonly touched: boolean
}

const IDLE: ControlState = { state: 'idle', touched: false }
const TOUCHED: ControlState = { state: 'idle', touched: true }
const SENT: ControlState = { state: 'sent', touched: false }

/** Changes of one field within this time of each other are one message. */
export const MERGE_MS = 300

/** One action on its way. It stays what it was when the person did it, however often it is sent. */
interface Sending {
  readonly key: string
  readonly action: SurfaceAction
  readonly edits: JsonObject
  /** What was typed hidden and travels in the action alone. */
  readonly typedHidden: JsonObject
  /** Where it came from: the button or field first, then the fields whose changes travel with it. */
  readonly nodeIds: readonly string[]
  /** Where its failure is shown; empty while it is on its way. */
  shownAt: readonly string[]
}

/** What a person does with a surface, on its way to the agent. */
export class SurfaceInteractions {
  readonly #model: SurfaceModel
  readonly #feed: NodeFeed
  readonly #send: SendInteraction | undefined
  readonly #edited: () => void
  readonly #states = new Map<string, ControlState>()
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Keys of the overlay that hold what was typed hidden. */
  readonly secrets = new Set<string>()
  #allTouched = false
  /** The last change of each field, waiting for another one of the same field. */
  readonly #changes = new Map<string, { action: SurfaceAction; timer: ReturnType<typeof setTimeout> }>()
  readonly #sendings = new Map<string, Sending>()

  constructor(model: SurfaceModel, feed: NodeFeed, send?: SendInteraction, edited: () => void = () => {}) {
    this.#model = model
    this.#feed = feed
    this.#send = send
    this.#edited = edited
  }

  get(nodeId: string): ControlState {
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

  input(nodeId: string, value: Json): void {
    this.forgetSent()
    const before = this.#model.hidesInput(nodeId) ? this.#model.exportLocal() : undefined
    this.#feed.atOnce(() => this.#model.setInput(nodeId, value))
    if (before)
      for (const [key, now] of Object.entries(this.#model.exportLocal())) if (before[key] !== now) this.secrets.add(key)
    const { state } = this.get(nodeId)
    if (state === 'failed' || state === 'refused') this.#set([nodeId], TOUCHED)
    for (const sending of this.#sendings.values()) if (sending.shownAt.includes(nodeId)) this.#giveUp(sending)
    this.#edited()
  }

  touch(nodeId: string): void {
    if (!this.get(nodeId).touched) this.#set([nodeId], { ...this.get(nodeId), touched: true })
  }

  /** Says it to the agent, opens it or runs it, as the component declares. */
  act(nodeId: string, eventType: SurfaceEventType, value?: Json, declaredOnly = false): void {
    if (this.get(nodeId).state === 'sending' && eventType !== 'change') return
    this.forgetSent()
    const result = this.#model.action(nodeId, eventType, value)
    if (result.kind === 'open') open(result.url, result.download === true)
    else if (result.kind === 'refused') this.#refuse(nodeId, result.reason)
    else if (result.kind === 'event') this.#report(nodeId, result.action, declaredOnly)
  }

  /** The session has it, whatever the answer to the request was. */
  delivered(key: string): void {
    const sending = this.#sendings.get(key)
    if (sending && sending.shownAt.length > 0) this.#accepted(sending)
  }

  #report(nodeId: string, action: SurfaceAction, declaredOnly: boolean): void {
    if (declaredOnly && action.name === undefined) return
    if (action.eventType !== 'change') {
      const changes = this.#takeChanges()
      this.#deliver([nodeId, ...changes.keys()], withChanges(action, [...changes.values()]))
      return
    }
    clearTimeout(this.#changes.get(nodeId)?.timer)
    const timer = setTimeout(() => {
      this.#changes.delete(nodeId)
      this.#deliver([nodeId], action)
    }, MERGE_MS)
    this.#changes.set(nodeId, { action, timer })
  }

  #takeChanges(): Map<string, SurfaceAction> {
    const taken = new Map<string, SurfaceAction>()
    for (const [nodeId, { action, timer }] of this.#changes) {
      clearTimeout(timer)
      taken.set(nodeId, action)
    }
    this.#changes.clear()
    return taken
  }

  #deliver(nodeIds: readonly string[], action: SurfaceAction): void {
    if (!this.#send) return
    // A change has the value of one field: the others are still to be sent.
    const typedHidden = action.eventType === 'change' ? {} : this.#typedHidden()
    void this.#try({ key: newId(), action, edits: this.#editsToSend(), typedHidden, nodeIds, shownAt: [] })
  }

  #typedHidden(): JsonObject {
    return Object.fromEntries(Object.entries(this.#model.exportLocal()).filter(([key]) => this.secrets.has(key)))
  }

  /** That something was sent is no news any more: the person goes on, or the agent has changed the surface. */
  forgetSent(): void {
    for (const [id, { state }] of [...this.#states]) if (state === 'sent') this.#set([id], undefined)
  }

  /** Forgets what was typed into hidden fields that have gone: nobody sees it any more, and nothing may carry it (L10). */
  forgetGone(): void {
    if (this.secrets.size === 0) return
    const gone = Object.entries(this.#typedHidden()).filter(([key]) => this.#model.fieldOf(key) === undefined)
    if (gone.length > 0) this.#feed.atOnce(() => this.#model.clearLocal(Object.fromEntries(gone)))
  }

  /**
   * What is on its way already is not sent once more: the agent may have answered it in the meantime. A field that is bound
   * to nothing and repeated for the items of a list has no place on the server: its value travels with the action only. So
   * does what was typed hidden, because what becomes part of a surface is a fact that everybody can read (L10).
   */
  #editsToSend(): JsonObject {
    const onTheWay = [...this.#sendings.values()].filter(({ shownAt }) => shownAt.length === 0)
    const fresh = Object.entries(this.#model.exportLocal()).filter(([key, value]) => {
      if (this.secrets.has(key)) return false
      const field = editedField(key)
      if (field !== undefined && this.#model.getNode(field)?.componentId !== field) return false
      return !onTheWay.some(({ edits }) => Object.hasOwn(edits, key) && jsonEqual(edits[key], value))
    })
    return Object.fromEntries(fresh)
  }

  async #try(sending: Sending): Promise<void> {
    const { key, action, edits, nodeIds } = sending
    sending.shownAt = []
    this.#sendings.set(key, sending)
    this.#set(nodeIds, { state: 'sending', touched: true })
    let result: SendOutcome
    try {
      result = await this.#send!(action, edits, key)
    } catch (error) {
      result = { ok: false, problem: { title: error instanceof Error ? error.message : String(error) } }
    }
    if (result.ok) this.#accepted(sending)
    else this.#failed(sending, result.problem)
  }

  #accepted(sending: Sending): void {
    const { key, action, edits, typedHidden, nodeIds, shownAt } = sending
    this.#sendings.delete(key)
    this.#feed.atOnce(() => this.#model.clearLocal({ ...edits, ...typedHidden }))
    this.#edited()
    // After an accepted action the fields count as untouched.
    if (action.eventType !== 'change') this.#untouch()
    this.#set([...nodeIds, ...shownAt], undefined)
    if (action.eventType !== 'change') this.#set([nodeIds[0]!], SENT)
  }

  #failed(sending: Sending, problem: RefusedInteraction): void {
    const { action, nodeIds } = sending
    const [, edit] = parsePointer(problem.path ?? '') ?? []
    const field = edit === undefined ? undefined : this.#model.fieldOf(edit)
    // Said where the person is, at the button or the field, and at the field that is to blame.
    sending.shownAt = [...new Set([nodeIds[0]!, ...(field === undefined ? [] : [field])])]
    // What is wrong with a value stays wrong: the next step is to change it, not to send it again.
    const retry = edit === undefined ? { retry: () => void this.#try(sending) } : {}
    this.#set(nodeIds, TOUCHED)
    this.#set(sending.shownAt, { state: 'failed', of: action.eventType, problem, touched: true, ...retry })
  }

  /** Removes a failed action when the person does something else instead. */
  #giveUp(sending: Sending): void {
    this.#sendings.delete(sending.key)
    for (const id of sending.shownAt) if (this.get(id).state === 'failed') this.#set([id], TOUCHED)
  }

  #refuse(nodeId: string, reason: string): void {
    this.#allTouched = true
    for (const [id, state] of this.#states) if (!state.touched) this.#set([id], { ...state, touched: true })
    // A check has its own words at the control, which go as soon as it holds: they are not kept here as well.
    const failsCheck = this.#model.getNode(nodeId)?.disabled === true
    this.#set([nodeId], failsCheck ? TOUCHED : { state: 'refused', problem: { title: reason }, touched: true })
    for (const id of this.#listeners.keys()) this.#tell(id)
  }

  #untouch(): void {
    this.#allTouched = false
    for (const [id, { state, of }] of [...this.#states])
      if (state === 'idle' || state === 'refused' || of === 'change') this.#states.delete(id)
    for (const id of this.#listeners.keys()) this.#tell(id)
  }

  #set(nodeIds: readonly string[], next: ControlState | undefined): void {
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

/** Leaving a field by pressing a button is one thing that happened, not two: the changes travel with the click. */
function withChanges(action: SurfaceAction, changes: readonly SurfaceAction[]): SurfaceAction {
  const listed = changes
    .filter(({ componentId }) => componentId !== action.componentId)
    .map(({ componentId, payload }) => ({ componentId, value: payload.value ?? null }))
  return listed.length === 0 ? action : { ...action, payload: { ...action.payload, changes: listed } }
}

/** Opens or downloads what is elsewhere. */
function open(url: string, download: boolean): void {
  if (!download) {
    openOutside(url)
    return
  }
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.rel = 'noopener noreferrer'
  link.click()
}
