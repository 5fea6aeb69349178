import type { SessionSummary } from './answers.ts'
import {
  type Action,
  type Artifact,
  type Evidence,
  type Fact,
  known,
  type Message,
  missing,
  type Part,
  type Rewind,
  type Run,
  type SessionState,
  type Task,
} from './entities.ts'
import type { ArtifactFacts, EvidenceFacts } from './events.ts'

/** The loaded messages of the active path: what agents see and people read. */
export function* messagesInOrder(state: SessionState): Iterable<Message> {
  for (const message of state.messages.byId.values()) if (message.rewindId === null) yield message
}

/** Whether a message of this ordinal is on the active path, loaded or not. */
export function onPath({ rewinds }: SessionState, ordinal: number): boolean {
  for (const { fromOrdinal, toOrdinal } of rewinds.byId.values()) {
    if (ordinal >= fromOrdinal && ordinal <= toOrdinal) return false
  }
  return true
}

/** Earlier versions of a message, oldest first: each rewind whose messages it took the place of. */
export function versionsOf(state: SessionState, { ordinal }: { ordinal: number }): Rewind[] {
  const rewind = [...state.rewinds.byId.values()].findLast(({ toOrdinal }) => toOrdinal === ordinal - 1)
  return rewind ? [...versionsOf(state, { ordinal: rewind.fromOrdinal }), rewind] : []
}

/** Whether a message of this ordinal left the active path with this rewind, and not with one before it. */
export function inVersion(
  { rewinds }: SessionState,
  { rewindId, fromOrdinal, toOrdinal }: Rewind,
  ordinal: number,
): boolean {
  if (ordinal < fromOrdinal || ordinal > toOrdinal) return false
  for (const before of rewinds.byId.values()) {
    if (before.rewindId === rewindId) return true
    if (ordinal >= before.fromOrdinal && ordinal <= before.toOrdinal) return false
  }
  return false
}

/** The ordinal at which the last `count` messages of the active path before another ordinal begin. */
export function pathStart(state: SessionState, before: number, count: number): number {
  let from = before
  for (let left = count; left > 0 && from > 1; ) {
    from--
    const gap = [...state.rewinds.byId.values()].find(({ inner, toOrdinal }) => !inner && toOrdinal === from)
    if (gap) from = gap.fromOrdinal
    else left--
  }
  return from
}

/** The loaded parts of a message, in order. */
export function partsOf(state: SessionState, message: Message): Part[] {
  return message.parts.map(id => state.parts.byId.get(id)).filter(part => part !== undefined)
}

/** The answer and nothing else: reasoning, tools, status and artifacts never enter it (L5). */
export function answerText(state: SessionState, message: Message): string {
  return partsOf(state, message)
    .filter(part => part.kind === 'text' && part.state !== 'retracted')
    .map(part => part.text.toString())
    .join('\n\n')
}

/** The run that the session works on now. */
export function activeRun(state: SessionState): Run | undefined {
  return state.session.activeRunId === null ? undefined : state.runs.byId.get(state.session.activeRunId)
}

/** The run that started last, whether it has ended or not. */
export function latestRun(state: SessionState): Run | undefined {
  return state.session.latestRunId === null ? undefined : state.runs.byId.get(state.session.latestRunId)
}

/** The actions that nobody has responded to. */
export function pendingActions(state: SessionState): Action[] {
  return [...state.actions.byId.values()].filter(action => action.state === 'pending')
}

const ENDED = new Set(['completed', 'cancelled'])
/** Tasks that still want attention: running, waiting, failed or interrupted ones. */
export function openTasks(state: SessionState): Task[] {
  return [...state.tasks.byId.values()].filter(task => !ENDED.has(task.status))
}

/** What the session is doing, in one word. Derived from facts only. */
export function sessionStatus(state: SessionState): SessionSummary['status'] {
  if (state.session.needsInput > 0) return 'needs-input'
  const run = activeRun(state) ?? latestRun(state)
  if (!run) return 'idle'
  switch (run.outcome) {
    case null:
      return run.status === 'queued' || run.status === 'waiting' || run.status === 'blocked' ? 'waiting' : 'running'
    case 'failed':
      return 'failed'
    case 'interrupted':
      return 'interrupted'
    default:
      return 'idle'
  }
}

type ArtifactKnowledge = { [K in keyof ArtifactFacts]: Fact<NonNullable<ArtifactFacts[K]>> }

const NO_FACTS: ArtifactKnowledge = {
  kind: missing('unknown'),
  title: missing('unavailable'),
  status: missing('unknown'),
  version: missing('unavailable'),
  preview: missing('unavailable'),
  read_ref: missing('unavailable'),
  diff_ref: missing('unavailable'),
  source_refs: missing('unavailable'),
  evidence_refs: missing('unavailable'),
  write_capabilities: missing('unavailable'),
  export: missing('unavailable'),
  error: missing('unavailable'),
  metadata: missing('unavailable'),
}

/** What is known of an artifact; of what nobody said, why it is not known (L8). */
export function artifactFacts({ facts }: Artifact): ArtifactKnowledge {
  const said = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { ...NO_FACTS, ...Object.fromEntries(said.map(([name, value]) => [name, known(value)])) }
}

type Verdict = NonNullable<EvidenceFacts['verification'] | EvidenceFacts['review']>['verdict']

/** What evidence says in the end: the review of a person before the verdict of a system, unless they contradict. */
export function verdictOf({ facts }: Evidence): Fact<Verdict> {
  const system = facts.verification?.verdict
  const person = facts.review?.verdict
  const conflict = (system === 'pass' && person === 'rejected') || (system === 'fail' && person === 'accepted')
  if (conflict) return missing('disputed')
  const verdict = person ?? system
  return verdict ? known(verdict) : missing('unknown')
}
