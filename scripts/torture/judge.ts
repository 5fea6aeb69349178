import { isDeepStrictEqual } from 'node:util'
import {
  apply,
  createState,
  type Folder,
  MAX_RESUMES,
  type ProviderInfo,
  type SessionEvent,
  type SessionState,
  type SessionSummary,
  verify,
} from '@vitrine/protocol'
import type { Answer } from './server.ts'

export type Kind =
  | 'create'
  | 'submit'
  | 'resume'
  | 'upload'
  | 'attach'
  | 'queue'
  | 'edit'
  | 'move'
  | 'remove'
  | 'steer'
  | 'steer queued'
  | 'interrupt'
  | 'retry'
  | 'edit message'
  | 'regenerate'
  | 'feedback'
  | 'fork'
  | 'respond'
  | 'surface action'
  | 'ui action'
  | 'rename'
  | 'tools'
  | 'mark read'
  | 'folder'
  | 'provider'
  | 'delete'

/** One write, with the answer for each time it was sent. An answer that never came is undefined. */
export interface Command {
  kind: Kind
  /** Empty until the server has said which session it made. */
  sessionId: string
  /** By this the effect is found: the id of a turn, steer, run or action, or a title. */
  id: string
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  answers: (Answer | undefined)[]
}

export interface Evidence {
  commands: readonly Command[]
  /** The events that streams have shown, by session and seq, as JSON. */
  seen: ReadonlyMap<string, ReadonlyMap<number, string>>
  /** The log of every session in the commands. Null when the session is not there. */
  logs: ReadonlyMap<string, readonly SessionEvent[] | null>
  summaries: readonly SessionSummary[]
  folders: readonly Folder[]
  providers: readonly ProviderInfo[]
  /** Lines that the agents wrote themselves: `begin` or `end`, session, run, turn, attempt. */
  journal: readonly string[]
}

export type Fault = 'lost' | 'doubled' | 'false success' | 'stopped' | 'unclear'
export interface Finding {
  fault: Fault
  what: string
}

/** Compares what was promised and shown with what is there. Call it when no run is under way. */
export function judge({ commands, seen, logs, summaries, folders, providers, journal }: Evidence): Finding[] {
  const findings: Finding[] = []
  const find = (fault: Fault, what: string) => findings.push({ fault, what })
  const deleted = new Set(commands.filter(({ kind }) => kind === 'delete').map(({ sessionId }) => sessionId))
  const states = new Map<string, SessionState>()
  const ended = new Set(journal.filter(line => line.startsWith('end ')).map(line => line.split(' ')[2]!))

  for (const [sessionId, log] of logs) {
    if (!log) continue
    const state = createState(sessionId)
    states.set(sessionId, state)
    for (const [index, event] of log.entries()) {
      const gap = event.seq === index + 1 ? undefined : `it stands at place ${index + 1}`
      const wrong = gap ?? verify(state, event)
      // One finding is enough, because everything after the first illegal event would be illegal too.
      if (wrong) {
        find('lost', `${sessionId}: event ${event.seq} ${event.type} is not legal: ${JSON.stringify(wrong)}`)
        break
      }
      apply(state, event)
    }
    for (const finding of judgeRuns(sessionId, log, ended)) findings.push(finding)
  }

  for (const [sessionId, shown] of seen) {
    const log = logs.get(sessionId)
    // The session was deleted after the stream had shown its events, so that is no fault.
    if (!log && deleted.has(sessionId)) continue
    for (const [seq, event] of shown) {
      const kept = log?.[seq - 1]
      // The names of an object have no order: a packed frame gives the ids first.
      if (isDeepStrictEqual(kept, JSON.parse(event))) continue
      find('lost', `${sessionId}: a stream showed event ${seq} as ${event}, the log has ${JSON.stringify(kept)}`)
    }
  }

  for (const [line, times] of count(journal.filter(line => line.startsWith('begin ')).map(withoutRun))) {
    if (times > 1) find('doubled', `${line}: ${times} times`)
  }

  for (const { sessionId, seq } of summaries) {
    if (seq === 0) find('lost', `${sessionId} stands in the list without any event`)
  }

  for (const command of commands) {
    const accepted = command.answers.filter(answer => answer !== undefined && answer.status < 300)
    for (const answer of command.answers) {
      if (answer && answer.status >= 500 && answer.status !== 503) {
        find('unclear', `${command.kind} was answered with ${answer.status} ${answer.body?.code}`)
      }
    }
    if (accepted.length === 0) continue
    if (command.kind !== 'delete' && deleted.has(command.sessionId)) continue
    const log = logs.get(command.sessionId)
    const missing = laws[command.kind]({
      command,
      answer: accepted[0]!,
      log: log ?? undefined,
      state: states.get(command.sessionId),
      summary: summaries.find(({ sessionId }) => sessionId === command.sessionId),
      summaries,
      folders,
      providers,
    })
    const where = `${command.kind} ${command.id} of ${command.sessionId}`
    if (missing === 'doubled') find('doubled', where)
    else if (missing !== undefined) find('lost', `${where}: ${missing}`)
  }
  return findings
}

interface Case {
  command: Command
  answer: Answer
  log: readonly SessionEvent[] | undefined
  state: SessionState | undefined
  summary: SessionSummary | undefined
  summaries: readonly SessionSummary[]
  folders: readonly Folder[]
  providers: readonly ProviderInfo[]
}

/** Says what is wrong after a write that was answered with success. Undefined when its effect is there. */
const laws: Record<Kind, (given: Case) => string | undefined> = {
  create: ({ command, log, summaries }) => {
    if (!log || log.length === 0) return 'there is no session, or it has no event'
    const named = summaries.filter(({ title }) => title === command.id)
    return named.length > 1 ? 'doubled' : named.length === 0 ? 'the list does not have it' : undefined
  },
  submit: given => once(given, startsOf(given)),
  // A run that a kill cut off goes on by itself, and no step of it is done twice.
  resume: given => {
    const steps = eventsOf(given, ({ type }) => type === 'step.finished')
    const ids = new Set(steps.map(event => event.type === 'step.finished' && event.stepId))
    if (ids.size < steps.length) return 'doubled'
    const [end] = eventsOf(given, ({ type }) => type === 'run.finished')
    const crashed = end?.type === 'run.finished' && end.reason?.code === 'server_crashed'
    const resumes = eventsOf(given, ({ type }) => type === 'run.resumed').length
    if (crashed && resumes < MAX_RESUMES) return 'its run did not go on'
    return once(given, startsOf(given))
  },
  // The round sends a turn that refers to the file: it starts only when the file is there.
  upload: given =>
    once(
      given,
      eventsOf(given, event => event.type === 'run.started' && event.turnId === `uses-${given.command.id}`),
    ),
  attach: given => {
    const [start] = startsOf(given)
    if (start?.type === 'run.started' && start.input.files?.length !== 1) return 'its file is not there'
    return once(given, startsOf(given))
  },
  queue: given => (isQueued(given) ? once(given, startsOf(given), 0) : once(given, startsOf(given))),
  edit: given => {
    const { text } = given.command.body as { text: string }
    const queued = given.state?.queue.turns.find(({ turnId }) => turnId === given.command.id)
    const started = startsOf(given)[0]
    const now = queued?.input.text ?? (started?.type === 'run.started' ? started.input.text : undefined)
    return now === text ? undefined : `its text is ${now}`
  },
  move: ({ command, state }) =>
    state?.queue.turns[0]?.turnId === command.id ? undefined : 'it does not stand at the front of the queue',
  remove: given => (isQueued(given) || startsOf(given).length > 0 ? 'it is still there' : undefined),
  steer: given =>
    once(
      given,
      eventsOf(given, event => event.type === 'steer.accepted' && event.steerId === given.command.id),
    ),
  // The turn leaves the queue in the commit in which the steer comes: there is one of the two, and never both.
  'steer queued': given => {
    const steers = eventsOf(given, event => event.type === 'steer.accepted' && event.steerId === given.command.id)
    return given.state?.queue.turns.length === 0 ? once(given, steers) : 'its turn still waits'
  },
  interrupt: given => once(given, eventsOf(given, isEndOf(given.command.id))),
  retry: given =>
    once(
      given,
      eventsOf(given, event => event.type === 'run.started' && event.runId === given.command.id),
    ),
  // A message that was edited has left the path in the same commit in which the new one came.
  'edit message': given => once(given, startsOf(given)) ?? rewoundOnce(given),
  regenerate: given =>
    once(
      given,
      eventsOf(given, event => event.type === 'run.started' && event.runId === given.command.id),
    ) ?? rewoundOnce(given),
  feedback: given =>
    once(
      given,
      eventsOf(given, ({ type }) => type === 'feedback.changed'),
    ),
  fork: ({ log, state }) => {
    if (!log || log.length === 0) return 'there is no branch, or it has no event'
    return state?.session.forkOf ? undefined : 'it does not say what it is a branch of'
  },
  respond: given => {
    const resolved = eventsOf(given, event => event.type === 'action.resolved' && event.actionId === given.command.id)
    const [first] = resolved
    if (first?.type === 'action.resolved' && first.outcome !== given.answer.body.outcome) {
      return `the answer said ${given.answer.body.outcome}, the log says ${first.outcome}`
    }
    return once(given, resolved)
  },
  'surface action': given => interaction(given),
  'ui action': given => interaction(given),
  rename: ({ command, summary }) => (summary?.title === command.id ? undefined : `its title is ${summary?.title}`),
  tools: ({ command, state }) => {
    const given = JSON.stringify(state?.session.metadata.tools ?? null)
    return given.includes(command.id) ? undefined : `its tools are ${given}`
  },
  'mark read': ({ command, summary }) => {
    const { seq } = command.body as { seq: number }
    return summary && (summary.readSeq ?? 0) >= seq ? undefined : `it is read up to ${summary?.readSeq}`
  },
  provider: ({ command, providers }) => {
    const found = providers.find(({ providerId }) => providerId === command.id)
    if (!found) return 'the provider is not there'
    return found.key.state === 'set' ? undefined : `its key is ${found.key.state}`
  },
  folder: ({ command, folders }) => {
    const { name } = command.body as { name: string }
    const found = folders.filter(folder => folder.name === name)
    return found.length > 1 ? 'doubled' : found.length === 0 ? 'the list does not have it' : undefined
  },
  delete: ({ log }) => (log ? 'it is still there' : undefined),
}

/**
 * An interaction becomes a steer when a run is active, and else a turn, which may still be queued. It is there once.
 */
const interaction = (given: Case) => {
  const steers = eventsOf(given, event => event.type === 'steer.accepted' && event.steerId === given.command.id)
  return isQueued(given)
    ? once(given, [...steers, ...startsOf(given)], 0)
    : once(given, [...steers, ...startsOf(given)])
}

function judgeRuns(sessionId: string, log: readonly SessionEvent[], ended: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = []
  const turns: string[] = []
  for (const event of log) {
    if (event.type !== 'run.started') continue
    const { runId, turnId } = event
    if (event.retryOf === undefined) turns.push(turnId)
    const ends = log.filter(isEndOf(runId))
    if (ends.length === 0) findings.push({ fault: 'lost', what: `${sessionId}: run ${runId} never ends` })
    if (ends.length > 1)
      findings.push({ fault: 'doubled', what: `${sessionId}: run ${runId} ends ${ends.length} times` })
    const [end] = ends
    if (end?.type !== 'run.finished' || end.outcome !== 'completed') continue
    if (!ended.has(runId))
      findings.push({ fault: 'false success', what: `${sessionId}: run ${runId} was not completed` })
    const text = log.flatMap(said => (said.type === 'text.delta' && said.runId === runId ? [said.delta] : [])).join('')
    if (!text.endsWith(`done ${turnId}`)) {
      findings.push({ fault: 'lost', what: `${sessionId}: the answer of run ${runId} is not whole` })
    }
  }
  for (const [turnId, times] of count(turns)) {
    if (times > 1) findings.push({ fault: 'doubled', what: `${sessionId}: turn ${turnId} ran ${times} times` })
  }
  return findings
}

const eventsOf = ({ log }: Case, matches: (event: SessionEvent) => boolean) => log?.filter(matches) ?? []
const startsOf = (given: Case) =>
  eventsOf(
    given,
    event => event.type === 'run.started' && event.turnId === given.command.id && event.retryOf === undefined,
  )
/** Rewinds and starts of runs stand side by side. */
function rewoundOnce({ log = [] }: Case): string | undefined {
  const rewinds = log.flatMap(({ type }, index) => (type === 'history.rewound' ? [index] : []))
  if (rewinds.length !== 1) return rewinds.length > 1 ? 'doubled' : 'nothing left the active path'
  return log[rewinds[0]! + 1]?.type === 'run.started' ? undefined : 'the session was rewound without a new run'
}
const isQueued = ({ state, command }: Case) => state?.queue.turns.some(({ turnId }) => turnId === command.id) === true
const isEndOf = (runId: string) => (event: SessionEvent) =>
  (event.type === 'run.finished' || event.type === 'run.failed') && event.runId === runId

function once({ log }: Case, found: readonly SessionEvent[], times = 1): string | undefined {
  if (!log) return 'its session is not there'
  return found.length > times ? 'doubled' : found.length < times ? 'the log does not have it' : undefined
}

/** Removes the run from a line. When two lines are then equal, the same attempt of a turn ran twice. */
const withoutRun = (line: string) => {
  const [what, sessionId, , turnId, attempt] = line.split(' ')
  return `${what} ${sessionId} ${turnId} attempt ${attempt}`
}

function count(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
