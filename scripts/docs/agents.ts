// Runs an agent of a document for one turn in the real server, as a reader does who follows the page.
import { setTimeout as sleep } from 'node:timers/promises'
import { answerText, apply, createState, messagesInOrder, type SessionEvent } from '@vitrine/protocol'
import type { Server } from '../torture/server.ts'

/** What a block promises in its info string. */
export interface Promised {
  /** What the person writes. */
  readonly turn?: string
  /** The whole answer text. */
  readonly says?: string
  /** The code with which the run fails. */
  readonly fails?: string
  /** Event classes that the log has to hold, divided by spaces. */
  readonly events?: string
}

const LIMIT_MS = 10_000

/** Sends one turn, approves whatever the agent asks for, and compares the outcome with what the page promises. */
export async function turnProblems(server: Server, agentId: string, promised: Promised): Promise<string[]> {
  const { session } = await server.must('POST', '/sessions', { agentId })
  const path = `/sessions/${session.sessionId}`
  await server.must('POST', `${path}/turns`, { turnId: 'turn', text: promised.turn ?? 'Hello' })
  const log = await finishedLog(server, session.sessionId)

  const state = createState(session.sessionId)
  for (const event of log) apply(state, event)
  const said = [...messagesInOrder(state)]
    .filter(({ role }) => role === 'assistant')
    .map(message => answerText(state, message))
    .join('\n')
  const failed = log.find(event => event.type === 'run.failed')
  const problems = log
    .filter(event => event.type === 'diagnostic.changed')
    .map(diagnostic => `has a diagnostic: ${JSON.stringify(diagnostic)}`)
  if (promised.fails !== failed?.error.code) {
    problems.push(`failed with ${JSON.stringify(failed?.error)} instead of ${promised.fails}`)
  }
  if (promised.says !== undefined && promised.says !== said) problems.push(`said ${JSON.stringify(said)}`)
  const types = new Set<string>(log.map(({ type }) => type))
  const absent = (promised.events ?? '').split(' ').filter(type => type !== '' && !types.has(type))
  if (absent.length > 0) problems.push(`its log has no ${absent.join(', ')}`)
  return problems
}

/** The log after the end of the run. Requests are approved as soon as they come. */
async function finishedLog(server: Server, sessionId: string): Promise<SessionEvent[]> {
  const answered = new Set<string>()
  for (const until = Date.now() + LIMIT_MS; Date.now() < until; await sleep(20)) {
    const log = (await server.log(sessionId)) ?? []
    if (log.some(({ type }) => type === 'run.finished' || type === 'run.failed')) return log
    for (const event of log) {
      if (event.type !== 'action.required' || answered.has(event.actionId)) continue
      answered.add(event.actionId)
      const path = `/sessions/${sessionId}/actions/${event.actionId}/response`
      await server.must('POST', path, { decision: 'approve' })
    }
  }
  throw new Error(`The run of ${sessionId} did not end.`)
}
