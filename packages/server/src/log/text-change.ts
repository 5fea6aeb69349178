import {
  DataTree,
  type Json,
  type JsonObject,
  type Message,
  type MessagesPage,
  type Part,
  type SessionEvent,
  type SessionState,
  type Surface,
  type Tool,
} from '@vitrine/protocol'
import type { SearchableText, TextChange } from '../storage/search-store.ts'
import { wordsOfCard, wordsOfSurface } from './drawn-words.ts'

/**
 * What these events, which are folded into the state, change of what people can search for. A surface changes very often
 * while it is drawn: its words are brought when the run ends, and `drawn` has the surfaces that wait for that.
 */
export function textChange(
  state: SessionState,
  events: readonly SessionEvent[],
  drawn: Set<string>,
): TextChange | undefined {
  const put = new Map<string, SearchableText>()
  const remove: string[] = []
  let leaveFrom: number | undefined
  let anew = false
  const add = (partId: string) => {
    const part = state.parts.byId.get(partId)
    const message = state.messages.byId.get(part?.messageId ?? '')
    if (part && message && isText(part)) put.set(partId, searchable(message, { partId, text: part.text.toString() }))
  }
  /** The words of something that an agent drew; without any it is found no more. */
  const addDrawn = (partId: string | null, text: string) => {
    const part = state.parts.byId.get(partId ?? '')
    const message = state.messages.byId.get(part?.messageId ?? '')
    if (!part || !message || part.state === 'retracted') return
    if (text) put.set(part.partId, searchable(message, { partId: part.partId, text }))
    else remove.push(part.partId)
  }
  const addSurfaces = () => {
    for (const surfaceId of drawn) {
      const surface = state.surfaces.byId.get(surfaceId)
      if (surface?.loaded) addDrawn(surface.partId, wordsOfSurface(surface))
    }
    drawn.clear()
  }
  for (const event of events) {
    switch (event.type) {
      case 'surface.changed':
        drawn.add(event.surfaceId)
        break
      case 'tool.result': {
        const tool = state.tools.byId.get(event.toolCallId)
        const words = tool ? wordsOfCard(tool) : ''
        if (tool && words) addDrawn(tool.partId, words)
        break
      }
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
          for (const partId of parts) {
            const part = state.parts.byId.get(partId)
            if (part?.state === 'incomplete') add(partId)
            // Also when a server that was killed has drawn it.
            if (part?.kind === 'surface' && part.refId !== null) drawn.add(part.refId)
          }
        }
        addSurfaces()
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
  if (state.session.activeRunId === null) addSurfaces()
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
  const tools = new Map((entities.tools as unknown as Tool[]).map(tool => [tool.toolCallId, tool]))
  const surfaces = new Map((entities.surfaces as unknown as PlainSurface[]).map(one => [one.surfaceId, one]))
  const textOf = (part: PlainPart): string => {
    if (part.state === 'retracted') return ''
    const tool = part.kind === 'tool' ? tools.get(part.refId ?? '') : undefined
    const surface = part.kind === 'surface' ? surfaces.get(part.refId ?? '') : undefined
    if (tool) return wordsOfCard(tool)
    if (surface?.loaded && surface.partId === part.partId) return wordsOfSurface(surfaceFrom(surface))
    return isText(part) ? part.text : ''
  }
  return (entities.parts as unknown as PlainPart[]).flatMap(part => {
    const message = messages.get(part.messageId)
    const text = message ? textOf(part) : ''
    return message && text ? [searchable(message, { partId: part.partId, text })] : []
  })
}

/** Parts and surfaces as they stand in a page. */
type PlainPart = Omit<Part, 'text'> & { text: string }
type PlainSurface = Omit<Surface, 'components' | 'data'> & { components: Record<string, JsonObject>; data: Json }

const surfaceFrom = (plain: PlainSurface): Surface => ({
  ...plain,
  components: new Map(Object.entries(plain.components)),
  data: new DataTree(plain.data),
})

/** A text that was replaced by one in the blob store is not what people see. */
const isText = ({ kind, state, fallback, text }: Omit<Part, 'text'> & { text: { length: number } }): boolean =>
  kind === 'text' && text.length > 0 && state !== 'retracted' && state !== 'streaming' && fallback !== 'loading'

const searchable = (
  { messageId, ordinal, role, at }: Message,
  { partId, text }: { partId: string; text: string },
): SearchableText => ({ messageId, ordinal, partId, role, at, text })
