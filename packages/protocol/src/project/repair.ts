import type { Message, SessionState } from '../entities.ts'
import type { EventOf, MessageSnapshot } from '../events.ts'
import { changed, find, type Handlers, outside } from './changes.ts'
import { diagnose } from './diagnostic.ts'
import { addMessage, dropParts, finish } from './message.ts'
import { toolHandlers } from './tool.ts'

/** Repairs of the conversation, which come in pages. */
export const repairHandlers = {
  'messages.snapshot': (state, event) => {
    if (state.repair?.snapshotId !== event.snapshotId) {
      const { snapshotId, fromOrdinal } = event
      state.repair = { snapshotId, page: -1, fromOrdinal, named: new Set() }
    }
    const { repair } = state
    repair.page = event.page
    for (const repaired of event.messages) {
      repair.named.add(repaired.messageId)
      if (repaired.ordinal < state.windowFrom) {
        outside(state)
        continue
      }
      let message = find(state.messages, repaired.messageId)
      if (ofPerson(event, message ?? repaired)) continue
      if (message) dropParts(state, message)
      else message = addMessage(state, { ...event, ...repaired }, repaired.role)
      const { role, at } = repaired
      const metadata = { ...repaired.metadata }
      Object.assign(message, { role, at, metadata, parts: [], partsFrom: 0, loose: 0 })
      for (const part of repaired.parts) {
        const holder = find(state.messages, find(state.parts, part.partId)?.messageId)
        if (!holder || !ofPerson(event, holder)) repairPart(state, event, message, part)
      }
      changed(state, message)
    }
    if (!event.last) return
    if (repair.fromOrdinal < state.windowFrom) outside(state)
    for (const message of state.messages.byId.values()) {
      if (message.ordinal < repair.fromOrdinal || message.rewindId || repair.named.has(message.messageId)) continue
      if (ofPerson(event, message)) continue
      // Told while it is still there: whoever keeps pages must learn which one is gone.
      changed(state, message)
      dropParts(state, message)
      state.messages.byId.delete(message.messageId)
    }
    state.repair = null
    changed(state, state.messages)
    diagnose(state, 'messages_repaired', '', 'info')
  },
} satisfies Partial<Handlers>

/** Adds the part by the events that would have made it. */
function repairPart(
  state: SessionState,
  event: EventOf<'messages.snapshot'>,
  message: Message,
  part: MessageSnapshot['parts'][number],
): void {
  state.parts.byId.delete(part.partId)
  const { messageId } = message
  const runId = message.runId ?? ''
  const said = { ...event, ...part, messageId, runId, type: `${part.kind}.`, args: undefined } as never
  if (part.kind === 'tool') {
    if (find(state.tools, part.toolCallId)) state.counts.tools--
    toolHandlers['tool.started'](state, said)
    toolHandlers['tool.args'](state, { ...(said as object), delta: part.args } as never)
    toolHandlers[part.error ? 'tool.failed' : 'tool.result'](state, said)
  } else finish(state, said)
}

/** An agent's snapshot leaves what people said as it is, whether it names it or not. */
const ofPerson = ({ scope }: EventOf<'messages.snapshot'>, { role }: { role: string }): boolean =>
  scope === 'agent' && role === 'user'
