import { useCallback, useSyncExternalStore } from 'react'

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

/** What a person did to one card: what was typed and pressed. It outlives the drawn card, which may scroll out of sight. */
export class UiState {
  #fields = new Map<string, FieldState>()
  #presses = new Map<string, Press>()
  #listeners = new Set<() => void>()

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

  press(buttonId: string): Press | undefined {
    return this.#presses.get(buttonId)
  }

  setPress(buttonId: string, press: Press | undefined): void {
    if (press) this.#presses.set(buttonId, press)
    else this.#presses.delete(buttonId)
    this.#tell()
  }

  /** Fields hold still while their values are on the way. */
  get busy(): boolean {
    for (const { phase } of this.#presses.values()) if (phase === 'busy') return true
    return false
  }
}

export function useField(state: UiState, name: string): FieldState | undefined {
  const get = useCallback(() => state.field(name), [state, name])
  return useSyncExternalStore(state.subscribe, get, get)
}

export function usePress(state: UiState, buttonId: string): Press | undefined {
  const get = useCallback(() => state.press(buttonId), [state, buttonId])
  return useSyncExternalStore(state.subscribe, get, get)
}

export function useBusy(state: UiState): boolean {
  const get = useCallback(() => state.busy, [state])
  return useSyncExternalStore(state.subscribe, get, get)
}
