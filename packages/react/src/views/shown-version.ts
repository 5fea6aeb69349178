import type { SessionHandle } from '@vitrine/client'
import { addPage, addParts, createState, type MessagesPage, type Rewind, type SessionState } from '@vitrine/protocol'
import { useCallback, useSyncExternalStore } from 'react'

/** The earlier version of a message that is shown in the place of the message and of what follows it. */
export interface ShownVersion {
  /** The message of today, in whose place the version stands. */
  messageId: string
  rewind: Rewind
  /** A session of its own that has only the messages of the version. It changes no more. */
  handle: SessionHandle
  /** The `after` of the next page, or null when all are here. */
  next: number | null
}

interface Place {
  shown: ShownVersion | null
  listeners: Set<() => void>
  /** Which button of the switcher was pressed: the one that takes its place gets the focus. */
  pressed: string | null
}

const places = new WeakMap<SessionHandle, Place>()

function placeOf(handle: SessionHandle): Place {
  let place = places.get(handle)
  if (!place) {
    place = { shown: null, listeners: new Set(), pressed: null }
    places.set(handle, place)
  }
  return place
}

/** Shows a version, or the present when it is null. */
export function showVersion(handle: SessionHandle, shown: ShownVersion | null, pressed: string | null = null): void {
  const place = placeOf(handle)
  place.shown = shown
  place.pressed = pressed
  for (const listener of [...place.listeners]) listener()
}

/** The button that was pressed last, once. */
export function takePressed(handle: SessionHandle): string | null {
  const place = placeOf(handle)
  const { pressed } = place
  place.pressed = null
  return pressed
}

/** The version that is shown in this session. While an agent works, the present is shown. */
export function useShownVersion(handle: SessionHandle): ShownVersion | null {
  const subscribe = useCallback(
    (listener: () => void) => {
      const place = placeOf(handle)
      const { listeners } = place
      listeners.add(listener)
      const stop = handle.subscribe('session', () => {
        // What the run says must not go out of sight again when it ends.
        if (handle.state.session.activeRunId !== null) place.shown = null
        listener()
      })
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
    [handle],
  )
  const get = () => (handle.state.session.activeRunId === null ? placeOf(handle).shown : null)
  return useSyncExternalStore(subscribe, get, get)
}

/** The messages of an earlier version as a session that can be drawn and not be written to. */
export function versionHandle(handle: SessionHandle, page: MessagesPage, before?: SessionHandle): SessionHandle {
  const state: SessionState = createState(handle.sessionId)
  state.seq = page.seq
  if (before) copyInto(state, before.state)
  addPage(state, page)
  const listeners = new Set<() => void>()
  let version = 0
  return {
    ...handle,
    state,
    subscribe(_, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
    onEvent: () => () => {},
    async loadEarlierParts(messageId) {
      const message = state.messages.byId.get(messageId)
      if (!message?.partsFrom) return { ok: true, value: false }
      const parts = await handle.listMessageParts(message.ordinal, message.partsFrom)
      if (!parts.ok) return parts
      const added = addParts(state, parts.value)
      version++
      for (const listener of [...listeners]) listener()
      return { ok: true, value: added }
    },
  }
}

function copyInto(state: SessionState, from: SessionState): void {
  for (const name of [
    'runs',
    'turns',
    'messages',
    'parts',
    'tools',
    'actions',
    'steers',
    'subagents',
    'surfaces',
  ] as const) {
    for (const [id, entity] of from[name].byId) (state[name].byId as Map<string, unknown>).set(id, entity)
  }
}
