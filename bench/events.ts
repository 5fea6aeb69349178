import { apply, createState, type EventDraft, type SessionEvent, type SessionState, verify } from '@vitrine/protocol'

export const SESSION = 'session'

export const word = (index: number): string => `word ${index} `

/** What a person would read at the end, to check that everybody folded the same. */
export const wordsLength = (count: number): number => {
  let length = 0
  for (let index = 0; index < count; index++) length += word(index).length
  return length
}

/** Gives drafts their places in the log. */
export const placed = (drafts: readonly EventDraft[], after = 0): SessionEvent[] =>
  drafts.map((draft, index) => ({ ...draft, seq: after + index + 1, sessionId: SESSION, at: index }) as SessionEvent)

export const runStarted = (name: string): EventDraft => ({
  type: 'run.started',
  runId: `run-${name}`,
  turnId: `turn-${name}`,
  agentId: 'agent',
  attempt: 1,
  messageId: `question-${name}`,
  input: { text: `Question ${name}` },
})

export const textDeltas = (name: string, count: number): EventDraft[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'text.delta',
    runId: `run-${name}`,
    messageId: `answer-${name}`,
    partId: `answer-${name}/text`,
    delta: word(index),
  }))

/** Finished turns of a question and an answer each. */
export const turns = (count: number): EventDraft[] =>
  Array.from({ length: count }, (_, turn): EventDraft[] => [
    runStarted(`${turn}`),
    ...textDeltas(`${turn}`, 4),
    {
      type: 'text.final',
      runId: `run-${turn}`,
      messageId: `answer-${turn}`,
      partId: `answer-${turn}/text`,
      length: wordsLength(4),
      digest: 'd',
    },
    { type: 'run.finished', runId: `run-${turn}`, outcome: 'completed' },
  ]).flat()

/** Our fold as the server does it: each event is verified, then applied. */
export function fold(events: readonly SessionEvent[], state: SessionState = createState(SESSION)): SessionState {
  for (const event of events) {
    const violation = verify(state, event)
    if (violation) throw new Error(`${event.type} ${event.seq}: ${violation.detail}`)
    apply(state, event)
  }
  return state
}

export const textOf = (state: SessionState, name: string): string =>
  state.parts.byId.get(`answer-${name}/text`)!.text.toString()

/**
 * Stays open, as some session does in any real program: a collection that finds no folded session at all also throws
 * away the code that was optimised for one.
 * @kept Exported so that it is not collected.
 */
export const openSession = fold(placed([runStarted('open'), ...textDeltas('open', 10)]))
