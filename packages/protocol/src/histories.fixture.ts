import { createState, type SessionState } from './entities.ts'
import type { EventDraft, SessionEvent } from './events.ts'
import { apply } from './project/apply.ts'
import { messagesInOrder } from './selectors.ts'
import { verify } from './verify.ts'

/** A deterministic source of choices: property tests shrink the seed, not the history. */
export function choices(seed: number): {
  int(below: number): number
  pick<T>(of: readonly T[]): T
  chance(p: number): boolean
} {
  let state = seed >>> 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 0x1_0000_0000
  }
  const int = (below: number): number => Math.floor(next() * below)
  return { int, pick: of => of[int(of.length)]!, chance: p => next() < p }
}

type Choices = ReturnType<typeof choices>

const words = ['alpha ', 'βeta ', '😀 ', '\n\n', '`code` ', 'tail']

/** One event that may or may not be legal now; ids come from small pools, so that sequences meet. */
function candidate(c: Choices, n: number, state: SessionState): EventDraft {
  const run = `r${c.int(n)}`
  const message = `${run}/m${c.int(2)}`
  const part = `${message}/p${c.int(4)}`
  const inPart = { runId: run, messageId: message, partId: part }
  const tool = `${run}/t${c.int(3)}`
  const action = `${run}/a${c.int(2)}`
  const turn = `q${c.int(6)}`
  const queued = { turnId: turn, input: { text: c.pick(words) }, preview: 'p', createdAt: c.int(100) }
  const surface = `s${c.int(3)}`
  const step = { id: `s${c.int(4)}`, title: 'step', status: c.pick(['pending', 'active', 'done'] as const) }
  const artifact = `art${c.int(3)}`
  const file = { ref: 'b', size: 1, digest: 'd', mediaType: 'text/plain', name: 'a.txt' }
  const kinds: (() => EventDraft)[] = [
    () => ({
      type: 'run.started',
      runId: run,
      turnId: `t-${run}`,
      agentId: 'a',
      messageId: `u-${run}`,
      input: {
        text: 'hello',
        ...(c.chance(0.3) && { files: [file] }),
      },
      attempt: 1,
      ...(c.chance(0.2) && { kind: 'call' }),
    }),
    () => {
      const turnOf = `r${c.int(n)}`
      const again = {
        runId: run,
        turnId: `t-${turnOf}`,
        agentId: 'a',
        messageId: `u-${turnOf}`,
        // The runtime repeats what the person sent. A window that lacks the turn learns it from here.
        input: state.turns.byId.get(`t-${turnOf}`)?.input ?? { text: 'hello' },
      }
      return { type: 'run.started', ...again, attempt: 2, retryOf: turnOf }
    },
    () => ({
      type: 'run.status',
      runId: run,
      status: c.pick(['preparing', 'streaming', 'tool', 'completed'] as const),
    }),
    () => ({ type: 'run.finished', runId: run, outcome: c.pick(['completed', 'interrupted', 'cancelled'] as const) }),
    () => ({ type: 'run.failed', runId: run, error: { code: 'x', message: 'm' } }),
    () => ({ type: 'text.delta', ...inPart, delta: c.pick(words) }),
    () => ({ type: 'text.delta', ...inPart, delta: c.pick(words) }),
    () => ({ type: 'text.delta', ...inPart, delta: c.pick(words) }),
    () => ({ type: 'text.final', ...inPart, length: 5, digest: 'd', text: 'final' }),
    () => ({ type: 'reasoning.delta', ...inPart, delta: c.pick(words) }),
    () => ({ type: 'reasoning.summary', ...inPart }),
    () => ({ type: 'file.added', ...inPart, file: { ref: 'b', size: 1, digest: 'd', mediaType: 'image/png' } }),
    () => ({ type: 'source.added', ...inPart, source: { url: 'https://example.org', title: c.pick(words) } }),
    () => ({ type: 'activity.changed', ...inPart, activity: { type: 'search', content: { n: c.int(9) } } }),
    () => ({ type: 'step.started', runId: run, stepId: `s${c.int(3)}` }),
    () => ({ type: 'step.finished', runId: run, stepId: `s${c.int(3)}` }),
    () => ({ type: 'run.resumed', runId: run }),
    () => rewind(c, state),
    () => rewind(c, state),
    () => rated(c, state),
    () => ({ type: 'part.retracted', ...inPart, reason: { code: 'retried', message: 'retry' } }),
    () => ({ type: 'tool.started', ...inPart, toolCallId: tool, name: 'search' }),
    () => ({ type: 'tool.args', runId: run, toolCallId: tool, delta: '{"a"', ...(c.chance(0.3) && { done: true }) }),
    () => ({ type: 'tool.progress', runId: run, toolCallId: tool, current: c.int(9), total: 9 }),
    () => ({ type: 'tool.output.delta', runId: run, toolCallId: tool, delta: c.pick(words) }),
    () => ({ type: 'tool.result', runId: run, toolCallId: tool, preview: 'ok', preliminary: c.chance(0.4) }),
    () => ({ type: 'tool.failed', runId: run, toolCallId: tool, error: { code: 'x', message: 'm' } }),
    () => ({
      type: 'action.required',
      runId: run,
      actionId: action,
      request: { kind: 'approval', title: 'ok?' },
      ...(c.chance(0.7) && { messageId: message, partId: `${message}/act${action}` }),
    }),
    () => ({
      type: 'action.resolved',
      actionId: action,
      outcome: 'approved',
      by: { kind: 'local', id: 'local', name: 'Ann' },
    }),
    () => ({ type: 'queue.changed', change: 'added', turnId: turn, turn: queued, position: c.int(2) }),
    () => ({ type: 'queue.changed', change: 'edited', turnId: turn, turn: queued }),
    () => ({ type: 'queue.changed', change: 'moved', turnId: turn, position: c.int(3) }),
    () => ({ type: 'queue.changed', change: c.pick(['removed', 'started'] as const), turnId: turn }),
    () => ({
      type: 'queue.changed',
      change: c.pick(['held', 'released'] as const),
      reason: { code: 'held_by_person', message: 'r' },
    }),
    () => ({
      type: 'steer.accepted',
      runId: run,
      steerId: `${run}/s${c.int(2)}`,
      text: 'left',
      ...(c.chance(0.2) && { files: [file] }),
    }),
    () => ({ type: 'steer.rejected', steerId: `${run}/s${c.int(2)}`, reason: { code: 'run_over', message: 'late' } }),
    () => ({
      type: 'steer.consumed',
      runId: run,
      steerId: `${run}/s${c.int(2)}`,
      messageId: message,
      partId: `${part}st`,
    }),
    () => ({ type: 'plan.delta', runId: run, steps: [step] }),
    () => ({ type: 'plan.final', runId: run, steps: [step] }),
    () => ({
      type: 'task.changed',
      taskId: `t${c.int(3)}`,
      title: 'task',
      status: c.pick(['streaming', 'completed'] as const),
    }),
    () => ({
      type: 'agent.spawned',
      runId: run,
      subagentId: `${run}/c`,
      name: 'scout',
      messageId: message,
      partId: `${part}ag`,
    }),
    () => ({ type: 'agent.completed', runId: run, subagentId: `${run}/c`, outcome: 'completed' }),
    () => ({ type: 'metric.changed', scope: 'message', messageId: message, values: { cost: c.int(9) } }),
    () => ({ type: 'metric.changed', scope: 'session', values: { cost: c.int(9) } }),
    () => ({ type: 'permission.changed', permissionId: 'p1', state: c.pick(['granted', 'revoked'] as const) }),
    () => ({ type: 'diagnostic.changed', diagnosticId: 'd1', state: c.pick(['open', 'cleared'] as const) }),
    () => ({ type: 'artifact.created', artifactId: artifact, artifact: { kind: 'doc' }, ...(c.chance(0.5) && inPart) }),
    () => ({ type: 'artifact.updated', artifactId: artifact, artifact: { status: 'saved' } }),
    () => ({ type: 'evidence.changed', evidenceId: 'e1', evidence: { kind: 'trace' } }),
    () => ({ type: 'state.snapshot', state: { list: [1, 2], n: c.int(5) } }),
    () => ({ type: 'state.delta', patch: [{ op: 'add', path: '/list/-', value: c.int(9) }] }),
    () => ({ type: 'state.delta', patch: [{ op: 'remove', path: '/list/0' }] }),
    () => ({
      type: 'surface.changed',
      surfaceId: surface,
      ...(c.chance(0.7) && { ...inPart, partId: `${part}su` }),
      ops: [
        { op: 'create', root: 'root' },
        { op: 'set', path: '', value: { n: 1 } },
      ],
    }),
    () => ({
      type: 'surface.changed',
      surfaceId: surface,
      ops: [
        { op: 'upsert', id: `c${c.int(3)}`, component: { type: 'Text' } },
        { op: 'set', path: '/n', value: c.int(9) },
      ],
    }),
    () => ({ type: 'surface.changed', surfaceId: surface, ops: [{ op: 'remove' }] }),
    () => ({ type: 'session.updated', title: c.pick(words), metadata: { [`k${c.int(3)}`]: c.int(5) } }),
  ]
  return c.pick(kinds)()
}

/** A rewind to a message of the active path, or what has to come before one. */
function rewind(c: Choices, { session, queue, ...state }: SessionState): EventDraft {
  if (session.activeRunId) return { type: 'run.finished', runId: session.activeRunId, outcome: 'completed' }
  const [queued] = queue.turns
  if (queued) return { type: 'queue.changed', change: 'removed', turnId: queued.turnId }
  const path = [...messagesInOrder({ session, queue, ...state })]
  const { messageId: fromMessageId = 'none', ordinal: fromOrdinal = 1 } = path[c.int(path.length)] ?? {}
  const by = { kind: 'local', id: 'local', name: 'Ann' } as const
  return { type: 'history.rewound', fromMessageId, fromOrdinal, reason: 'edited', by }
}

/** What a person thinks of a message of the active path. */
function rated(c: Choices, state: SessionState): EventDraft {
  const path = [...messagesInOrder(state)]
  const { messageId = 'none', ordinal = 1 } = path[c.int(path.length)] ?? {}
  const by = { kind: 'local', id: c.pick(['local', 'other']), name: 'Ann' } as const
  const rating = c.pick(['up', 'down', 'none'] as const)
  return { type: 'feedback.changed', messageId, ordinal, rating, ...(c.chance(0.5) && { reason: c.pick(words) }), by }
}

/** A random legal history of up to `length` events. */
export function legalHistory(seed: number, length: number, sessionId = 's'): SessionEvent[] {
  const c = choices(seed)
  const state = createState(sessionId)
  const events: SessionEvent[] = []
  // Runs follow one another: the pool grows, so that old runs end and fall out of a window.
  for (let tries = 0; events.length < length && tries < length * 40; tries++) {
    const pool = 1 + Math.floor(events.length / 25)
    const event = {
      ...candidate(c, pool + 1, state),
      seq: state.seq + 1,
      sessionId,
      at: 1_000 + state.seq,
    } as SessionEvent
    if (verify(state, event)) continue
    apply(state, event)
    events.push(event)
  }
  return events
}

export function fold(events: readonly SessionEvent[], state: SessionState = createState('s')): SessionState {
  for (const event of events) apply(state, event)
  return state
}
