import type { EventDraft } from './events.ts'
import type { Json } from './json.ts'

const run = { runId: 'r1', turnId: 't1' }
const part = { ...run, messageId: 'm1', partId: 'p1' }
const started: EventDraft = {
  type: 'run.started',
  runId: 'r1',
  turnId: 't1',
  agentId: 'a',
  messageId: 'u1',
  input: { text: 'hi' },
  attempt: 1,
}
const finished: EventDraft = { type: 'run.finished', ...run, outcome: 'completed' }
const second: EventDraft = { ...started, runId: 'r2', turnId: 't2', messageId: 'u2' }
const tool: EventDraft = { type: 'tool.started', ...part, partId: 'pt', toolCallId: 'c1', name: 'search' }
const asked: EventDraft = {
  type: 'action.required',
  ...run,
  actionId: 'x',
  request: { kind: 'approval', title: 'ok?' },
}
const resolved: EventDraft = {
  type: 'action.resolved',
  actionId: 'x',
  outcome: 'approved',
  by: { kind: 'local', id: 'local', name: 'Ann' },
}
const turn = { turnId: 'q', input: { text: 'later' }, preview: 'later', createdAt: 1 }
const queued: EventDraft = { type: 'queue.changed', change: 'added', turnId: 'q', turn, position: 0 }
const spawned: EventDraft = { type: 'agent.spawned', ...run, agentId: 'child', name: 'scout' }
const gone: EventDraft = { type: 'agent.completed', ...run, agentId: 'child', outcome: 'completed' }
const artifact: EventDraft = { type: 'artifact.created', artifactId: 'art', artifact: { kind: 'doc' } }
const delta: EventDraft = { type: 'text.delta', ...part, delta: 'hello' }
const final: EventDraft = { type: 'text.final', ...part, length: 5, digest: 'd' }

/** For each rule: a legal beginning, and the one event that breaks the rule and no earlier one. */
export const illegal: Record<
  string,
  { before: EventDraft[]; event: EventDraft & { seq?: number; sessionId?: string } }
> = {
  'foreign-session': { before: [], event: { ...started, sessionId: 'another' } },
  duplicate: { before: [started], event: { ...delta, seq: 1 } },
  gap: { before: [started], event: { ...delta, seq: 9 } },
  'run-started-twice': { before: [started, finished], event: started },
  'run-busy': { before: [started], event: second },
  'retry-unknown': { before: [], event: { ...started, retryOf: 'nobody', attempt: 2 } },
  'run-unknown': { before: [], event: delta },
  'run-ended': { before: [started, finished], event: delta },
  'part-kind': { before: [started, delta], event: { type: 'reasoning.delta', ...part, delta: 'hm' } },
  'part-foreign': { before: [started, delta], event: { ...delta, messageId: 'm2' } },
  'message-foreign': { before: [started, delta, finished, second], event: { ...delta, runId: 'r2', partId: 'p9' } },
  'part-final': { before: [started, delta, final], event: delta },
  'part-retracted': {
    before: [started, delta, { type: 'part.retracted', ...part, reason: { code: 'retried', message: 'retry' } }],
    event: delta,
  },
  'part-unknown': {
    before: [started],
    event: { type: 'part.retracted', ...part, reason: { code: 'retried', message: 'retry' } },
  },
  'final-length': { before: [started, delta], event: { type: 'text.final', ...part, length: 4, digest: 'd' } },
  'tool-started-twice': { before: [started, tool], event: tool },
  'part-taken': { before: [started, tool], event: { ...tool, toolCallId: 'c2' } },
  'tool-unknown': { before: [started], event: { type: 'tool.result', ...run, toolCallId: 'c1' } },
  'tool-ended': {
    before: [started, tool, { type: 'tool.result', ...run, toolCallId: 'c1' }],
    event: { type: 'tool.progress', ...run, toolCallId: 'c1' },
  },
  'tool-foreign': {
    before: [started, { ...second, parentRunId: 'r1' }, tool],
    event: { type: 'tool.progress', runId: 'r2', toolCallId: 'c1' },
  },
  'tool-args-done': {
    before: [started, tool, { type: 'tool.args', ...run, toolCallId: 'c1', delta: '{}', done: true }],
    event: { type: 'tool.args', ...run, toolCallId: 'c1', delta: '{}' },
  },
  'action-required-twice': { before: [started, asked], event: asked },
  'action-unknown': { before: [started], event: resolved },
  'action-resolved-twice': { before: [started, asked, resolved], event: resolved },
  'queue-turn-missing': { before: [], event: { type: 'queue.changed', change: 'added', turnId: 'q' } },
  'queue-unknown': { before: [], event: { type: 'queue.changed', change: 'moved', turnId: 'q', position: 0 } },
  'queue-added-twice': { before: [queued], event: queued },
  'steer-accepted-twice': {
    before: [started, { type: 'steer.accepted', ...run, steerId: 's', text: 'left' }],
    event: { type: 'steer.accepted', ...run, steerId: 's', text: 'left' },
  },
  'steer-unknown': { before: [started], event: { type: 'steer.consumed', ...part, steerId: 's' } },
  'steer-settled': {
    before: [started, { type: 'steer.accepted', ...run, steerId: 's', text: 'left' }, finished],
    event: { type: 'steer.rejected', steerId: 's', reason: { code: 'run_over', message: 'late' } },
  },
  'agent-unknown': { before: [started], event: gone },
  'agent-ended': { before: [started, spawned, gone], event: gone },
  'compaction-unknown': {
    before: [started],
    event: { type: 'context.compaction.completed', ...run, compactionId: 'c' },
  },
  'permission-unknown': { before: [], event: { type: 'permission.changed', permissionId: 'p', state: 'revoked' } },
  'artifact-created-twice': { before: [artifact], event: artifact },
  'artifact-unknown': { before: [], event: { type: 'artifact.updated', artifactId: 'art', artifact: {} } },
  'artifact-deleted': {
    before: [artifact, { type: 'artifact.deleted', artifactId: 'art' }],
    event: { type: 'artifact.updated', artifactId: 'art', artifact: {} },
  },
  'version-parent': {
    before: [artifact],
    event: { type: 'artifact.version.created', artifactId: 'art', artifact: { version: { id: 'v2', parent: 'v1' } } },
  },
  'state-size': {
    before: [],
    event: { type: 'state.snapshot', state: Array.from({ length: 201 }).reduce<Json>(inner => [inner], 1) },
  },
  'state-unknown': { before: [], event: { type: 'state.delta', patch: [{ op: 'add', path: '/a', value: 1 }] } },
  'state-patch': {
    before: [{ type: 'state.snapshot', state: {} }],
    event: { type: 'state.delta', patch: [{ op: 'remove', path: '/a' }] },
  },
  'snapshot-page': {
    before: [],
    event: {
      type: 'messages.snapshot',
      snapshotId: 's',
      page: 1,
      last: true,
      scope: 'agent',
      fromOrdinal: 1,
      messages: [],
    },
  },
  'snapshot-person': {
    before: [],
    event: {
      type: 'messages.snapshot',
      snapshotId: 's',
      page: 0,
      last: true,
      scope: 'agent',
      fromOrdinal: 1,
      messages: [{ messageId: 'forged', ordinal: 1, role: 'user', at: 1, parts: [] }],
    },
  },
  'surface-unknown': {
    before: [],
    event: { type: 'surface.changed', surfaceId: 's', ops: [{ op: 'delete', id: 'x' }] },
  },
}
