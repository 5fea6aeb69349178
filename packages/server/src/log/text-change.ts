import type { Message, MessagesPage, Part, SessionEvent, SessionState } from '@vitrine/protocol'
import type { SearchableText, TextChange } from '../storage/search-store.ts'

/** What these events, which are folded into the state, change of what people can search for. */
export function textChange(state: SessionState, events: readonly SessionEvent[]): TextChange | undefined {
  const put = new Map<string, SearchableText>()
  const remove: string[] = []
  let leaveFrom: number | undefined
  let anew = false
  const add = (partId: string) => {
    const part = state.parts.byId.get(partId)
    const message = state.messages.byId.get(part?.messageId ?? '')
    if (part && message && isText(part)) put.set(partId, searchable(message, { partId, text: part.text.toString() }))
  }
  for (const event of events) {
    switch (event.type) {
      case 'run.started':
        add(`${event.messageId}/input`)
        break
      case 'text.final':
        add(event.partId)
        break
      case 'part.retracted':
        put.delete(event.partId)
        remove.push(event.partId)
        break
      case 'run.finished':
      case 'run.failed':
        // What the run left unfinished is shown as it is, so it can be found.
        for (const { runId, parts } of state.messages.byId.values()) {
          if (runId !== event.runId) continue
          for (const partId of parts) if (state.parts.byId.get(partId)?.state === 'incomplete') add(partId)
        }
        break
      case 'history.rewound': {
        const { fromOrdinal } = event
        leaveFrom = Math.min(leaveFrom ?? fromOrdinal, fromOrdinal)
        for (const [partId, { ordinal }] of put) if (ordinal >= fromOrdinal) put.delete(partId)
        break
      }
      case 'messages.snapshot':
        anew = true
        break
    }
  }
  if (!anew && leaveFrom === undefined && remove.length === 0 && put.size === 0) return undefined
  return {
    ...(anew && { anew }),
    ...(leaveFrom !== undefined && { leaveFrom }),
    ...(remove.length > 0 && { remove }),
    ...(put.size > 0 && { put: [...put.values()] }),
  }
}

/** What can be found of the messages of a page. */
export function textsOf({ entities }: MessagesPage, of?: Message): SearchableText[] {
  const messages = new Map((entities.messages as unknown as Message[]).map(message => [message.messageId, message]))
  if (of) messages.set(of.messageId, of)
  return (entities.parts as unknown as (Omit<Part, 'text'> & { text: string })[]).flatMap(part => {
    const message = messages.get(part.messageId)
    return message && isText(part) ? [searchable(message, part)] : []
  })
}

/** A text that was replaced by one in the blob store is not what people see. */
const isText = ({ kind, state, fallback, text }: Omit<Part, 'text'> & { text: { length: number } }): boolean =>
  kind === 'text' && text.length > 0 && state !== 'retracted' && state !== 'streaming' && fallback !== 'loading'

const searchable = (
  { messageId, ordinal, role, at }: Message,
  { partId, text }: { partId: string; text: string },
): SearchableText => ({ messageId, ordinal, partId, role, at, text })
