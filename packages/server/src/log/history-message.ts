import {
  answerText,
  type Json,
  type Message,
  type Part,
  partsOf,
  type SessionState,
  type Tool,
  type TurnInput,
} from '@vitrine/protocol'
import type { HistoryCall, HistoryMessage, HistoryPart } from '../agents/agent.ts'
import { interactionText } from '../agents/interaction-text.ts'

/** What a person said, as an agent reads it. `whole` gives the input of a turn that is larger than its event. */
export async function asked(
  state: SessionState,
  message: Message,
  whole: (input: TurnInput) => Promise<TurnInput>,
): Promise<HistoryMessage> {
  const { messageId, role, turnId } = message
  const said = answerText(state, message)
  const input = state.turns.byId.get(turnId ?? '')?.input
  if (!input) return { messageId, role, text: said }
  const { text, interaction } = input.ref ? await whole(input) : { ...input, text: said }
  const files = input.files?.map(file => ({ ...file }))
  return { messageId, role, text: interaction ? interactionText(interaction) : text, ...(files && { files }) }
}

/**
 * What an agent said, as agents read it. All of its parts have to be in the state. Compactions belong to the session: a
 * state that was made of one page of it does not have them.
 */
export function answer(
  state: SessionState,
  message: Message,
  compactions: SessionState['compactions'] = state.compactions,
): HistoryMessage {
  const { messageId, role } = message
  const parts = partsOf(state, message).flatMap(part =>
    part.kind === 'compaction'
      ? (compactionPart(part, localId(part.partId, messageId), compactions) ?? [])
      : (historyPart(state, message, part) ?? []),
  )
  return { messageId, role, text: answerText(state, message), parts }
}

/** When the calls of a message ended that a person has made without the agent; null while one of them works. */
export function callEndedAt(state: SessionState, message: Message): number | null {
  const ends = callsOf(state, message).map(({ endedAt }) => endedAt)
  return ends.length === 0 || ends.includes(null) ? null : Math.max(...(ends as number[]))
}

/** A call that a person has made without the agent, as agents read it: in words, and as the call. */
export function called(state: SessionState, message: Message): HistoryMessage {
  const { messageId } = message
  const parts = callsOf(state, message).map(tool => historyCall(tool, localId(tool.partId, messageId)))
  return { messageId, role: 'user', text: parts.map(callWords).join('\n\n'), parts }
}

const callsOf = (state: SessionState, message: Message): Tool[] =>
  partsOf(state, message).flatMap(({ kind, refId, state: is }) => {
    const tool = kind === 'tool' && is !== 'retracted' ? state.tools.byId.get(refId ?? '') : undefined
    return tool ? [tool] : []
  })

/** What agents that read only text are told of such a call: a marker, and one line of JSON. */
function callWords({ name, args, approvedArgs, result, error }: HistoryCall): string {
  const given = approvedArgs ?? (parsed(args) as Json | undefined) ?? args
  const { value, preview, tail } = result ?? {}
  const came = {
    ...(value === undefined
      ? preview !== undefined && { result: preview, ...(tail && { end: tail }) }
      : { result: value }),
    ...(error && { error: { code: error.code, message: error.message } }),
  }
  return `[tool.called]\n${JSON.stringify({ tool: name, by: 'the person, without the agent', args: given, ...came })}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function historyPart(state: SessionState, { messageId }: Message, part: Part): HistoryPart | undefined {
  if (part.state === 'retracted') return undefined
  const partId = localId(part.partId, messageId)
  switch (part.kind) {
    case 'text':
      return { kind: 'text', partId, text: part.text.toString() }
    case 'reasoning': {
      const { signature } = part
      return { kind: 'reasoning', partId, text: part.text.toString(), ...(signature !== null && { signature }) }
    }
    case 'file':
      return part.file ? { kind: 'file', partId, file: { ...part.file } } : undefined
    case 'steer': {
      const steer = state.steers.byId.get(part.refId ?? '')
      if (!steer) return undefined
      const text = steer.interaction ? interactionText(steer.interaction) : steer.text
      return { kind: 'steer', text, ...(steer.files && { files: steer.files.map(file => ({ ...file })) }) }
    }
    case 'tool': {
      const tool = state.tools.byId.get(part.refId ?? '')
      return tool && historyCall(tool, partId)
    }
    default:
      return undefined
  }
}

function compactionPart(
  { state, refId }: Part,
  partId: string,
  compactions: SessionState['compactions'],
): HistoryPart | undefined {
  const found = compactions.byId.get(refId ?? '')
  if (state === 'retracted' || found?.state !== 'done' || found.summary === null) return undefined
  const { summary, keptFrom } = found
  return { kind: 'compaction', partId, summary, ...(keptFrom !== null && { keptFrom }) }
}

function historyCall(tool: Tool, partId: string): HistoryCall {
  const { name, runId, executor, metadata, approvedArgs } = tool
  return {
    kind: 'call',
    partId,
    toolCallId: localId(tool.toolCallId, runId),
    name,
    args: tool.args.toString(),
    ...(executor !== null && { executor }),
    ...(metadata !== null && { metadata: structuredClone(metadata) }),
    ...(approvedArgs !== null && { approvedArgs: structuredClone(approvedArgs) }),
    ...callOutcome(tool),
  }
}

/** What came of a call, as agents read it. */
export function callOutcome(tool: Tool): Pick<HistoryCall, 'result' | 'error'> {
  const { error } = tool
  return { ...resultOf(tool), ...(error !== null && { error: { ...error } }) }
}

function resultOf({ result }: Tool): Pick<HistoryCall, 'result'> {
  if (!result.known) return {}
  const { value, preview, tail, ref, content } = result.value
  return {
    result: {
      ...(value !== null && { value: structuredClone(value) }),
      ...(preview !== null && { preview }),
      ...(tail !== null && { tail }),
      ...(ref !== null && { ref: { ...ref } }),
      ...(content !== null && { content: structuredClone(content) }),
    },
  }
}

/** The id that the agent gave: the runtime has put the id of the message or of the run before it. */
const localId = (id: string, owner: string): string => (id.startsWith(`${owner}/`) ? id.slice(owner.length + 1) : id)
