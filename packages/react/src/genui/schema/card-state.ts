import { newId } from '@vitrine/client'
import { useCallback, useSyncExternalStore } from 'react'
import { forgetDraft, readDraft, writeField } from '../../drafts.ts'

export interface FieldState {
  readonly value: unknown
  readonly error?: string | undefined
}

/** What became of the last press of a button. */
export type Press =
  | { readonly phase: 'busy' }
  | { readonly phase: 'done'; readonly message: string }
  | {
      readonly phase: 'failed'
      readonly message: string
      readonly detail?: string | undefined
      readonly retry: boolean
    }
  /** A page that the host has no route for. */
  | { readonly phase: 'page'; readonly path: string }

/**
 * What a person typed and pressed in one card. It outlives the drawn card, which is taken down when it is out of sight.
 */
export class CardState {
  #fields = new Map<string, FieldState>()
  #presses = new Map<string, Press>()
  #keys = new Map<string, { readonly said: string; readonly key: string; arrived: boolean; readonly form: boolean }>()
  #listeners = new Set<() => void>()
  #place: string | undefined

  /** With a place, what is typed is found there again after a reload, until it was sent. */
  constructor(place?: string) {
    this.#place = place
    if (place) for (const [name, value] of Object.entries(readDraft(place))) this.#fields.set(name, { value })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  field(name: string): FieldState | undefined {
    return this.#fields.get(name)
  }

  setField(name: string, state: FieldState): void {
    this.#fields.set(name, state)
    this.#tell()
  }

  /** Keeps what was typed beyond the page. Not for secrets. */
  store(name: string, value: unknown): void {
    if (this.#place) writeField(this.#place, name, value)
  }

  press(buttonId: string): Press | undefined {
    return this.#presses.get(buttonId)
  }

  setPress(buttonId: string, press: Press | undefined): void {
    if (press) this.#presses.set(buttonId, press)
    else this.#presses.delete(buttonId)
    this.#tell()
  }

  /** The key under which a button sends this. The same content keeps its key over retries; other content gets a new key. */
  keyFor(buttonId: string, said: string, form = false): string {
    const kept = this.#keys.get(buttonId)
    if (kept?.said === said) return kept.key
    const key = newId()
    this.#keys.set(buttonId, { said, key, arrived: false, form })
    return key
  }

  /** The next press of the button is an action of its own. */
  accepted(buttonId: string): void {
    if (this.#place && this.#keys.get(buttonId)?.form) forgetDraft(this.#place)
    this.#keys.delete(buttonId)
  }

  /** The session shows what was sent under this key: it did work, also when its answer was lost. */
  arrived(key: string): void {
    for (const [buttonId, kept] of this.#keys) {
      if (kept.key !== key) continue
      kept.arrived = true
      if (this.#presses.get(buttonId)?.phase !== 'failed') continue
      this.accepted(buttonId)
      this.setPress(buttonId, undefined)
    }
  }

  hasArrived(buttonId: string): boolean {
    return this.#keys.get(buttonId)?.arrived === true
  }

  /** Fields hold still while their values are on the way. */
  get busy(): boolean {
    for (const { phase } of this.#presses.values()) if (phase === 'busy') return true
    return false
  }
}

export function useField(state: CardState, name: string): FieldState | undefined {
  const get = useCallback(() => state.field(name), [state, name])
  return useSyncExternalStore(state.subscribe, get, get)
}

export function usePress(state: CardState, buttonId: string): Press | undefined {
  const get = useCallback(() => state.press(buttonId), [state, buttonId])
  return useSyncExternalStore(state.subscribe, get, get)
}

export function useBusy(state: CardState): boolean {
  const get = useCallback(() => state.busy, [state])
  return useSyncExternalStore(state.subscribe, get, get)
}
