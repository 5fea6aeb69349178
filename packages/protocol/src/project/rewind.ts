import { add, changed, type Handlers, outside } from './changes.ts'

/** What leaves the active path. It stays in the log, and pages of it can be asked for. */
export const rewindHandlers = {
  'history.rewound': (state, event) => {
    const { fromMessageId, fromOrdinal, reason, by, at } = event
    const rewindId = `${event.seq}`
    const toOrdinal = state.counts.ordinals
    state.counts.messages -= toOrdinal - fromOrdinal + 1
    for (const rewind of state.rewinds.byId.values()) {
      if (rewind.inner || rewind.fromOrdinal < fromOrdinal) continue
      // Its messages had left the path before.
      state.counts.messages += rewind.toOrdinal - rewind.fromOrdinal + 1
      rewind.inner = true
      changed(state, rewind)
    }
    add(state, state.rewinds, { rewindId, fromMessageId, fromOrdinal, toOrdinal, reason, by, at, inner: false })
    if (fromOrdinal < state.windowFrom) outside(state)
    for (const message of state.messages.byId.values()) {
      if (message.ordinal < fromOrdinal) continue
      message.rewindId ??= rewindId
      changed(state, message)
    }
    changed(state, state.messages)
    // What was drawn and summarised there counts no more.
    for (const list of [state.surfaces, state.compactions]) {
      for (const entity of list.byId.values()) {
        if ((entity.ordinal ?? 0) < fromOrdinal) continue
        entity.state = 'removed'
        changed(state, entity)
      }
      changed(state, list)
    }
  },
} satisfies Partial<Handlers>
