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
const call: EventDraft = { ...second, messageId: 'r2/m', kind: 'call' }
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
const spawned: EventDraft = { type: 'agent.spawned', ...run, subagentId: 'child', name: 'scout' }
const gone: EventDraft = { type: 'agent.completed', ...run, subagentId: 'child', outcome: 'completed' }
const artifact: EventDraft = { type: 'artifact.created', artifactId: 'art', artifact: { kind: 'doc' } }
const delta: EventDraft = { type: 'text.delta', ...part, delta: 'hello' }
const final: EventDraft = { type: 'text.final', ...part, length: 5, digest: 'd' }

const resumed: EventDraft = { type: 'run.resumed', ...run }
const step: EventDraft = { type: 'step.started', ...run, stepId: 's1' }
const rewound: EventDraft = {
  type: 'history.rewound',
  fromMessageId: 'u1',
  fromOrdinal: 1,
  reason: 'edited',
  by: { kind: 'local', id: 'local', name: 'Ann' },
}

/** For each rule: a legal beginning, and the one event that breaks the rule and no earlier one. */
export const illegal: Record<
  string,
  { before: EventDraft[]; event: EventDraft & { seq?: number; sessionId?: string } }
> = {
  session_foreign: { before: [], event: { ...started, sessionId: 'another' } },
  duplicate: { before: [started], event: { ...delta, seq: 1 } },
  gap: { before: [started], event: { ...delta, seq: 9 } },
  run_started_twice: { before: [started, finished], event: started },
  run_active: { before: [started], event: second },
  call_active: { before: [started, finished, call], event: rewound },
  call_retried: {
    before: [call, { ...finished, runId: 'r2', turnId: 't2' }],
    event: { ...started, retryOf: 'r2', attempt: 2 },
  },
  retry_not_ended: { before: [], event: { ...started, retryOf: 'nobody', attempt: 2 } },
  run_not_found: { before: [], event: delta },
  run_over: { before: [started, finished], event: delta },
  run_resumed_too_often: { before: [started, resumed, resumed], event: resumed },
  step_open: { before: [started, step], event: step },
  step_not_found: { before: [started, step], event: { type: 'step.finished', ...run, stepId: 's2' } },
  queue_not_empty: { before: [started, finished, queued], event: rewound },
  message_not_found: { before: [started, finished], event: { ...rewound, fromOrdinal: 2 } },
  part_kind: { before: [started, delta], event: { type: 'reasoning.delta', ...part, delta: 'hm' } },
  part_foreign: { before: [started, delta], event: { ...delta, messageId: 'm2' } },
  message_foreign: { before: [started, delta, finished, second], event: { ...delta, runId: 'r2', partId: 'p9' } },
  part_final: { before: [started, delta, final], event: delta },
  part_retracted: {
    before: [started, delta, { type: 'part.retracted', ...part, reason: { code: 'retried', message: 'retry' } }],
    event: delta,
  },
  part_not_found: {
    before: [started],
    event: { type: 'part.retracted', ...part, reason: { code: 'retried', message: 'retry' } },
  },
  final_mismatch: { before: [started, delta], event: { type: 'text.final', ...part, length: 4, digest: 'd' } },
  tool_started_twice: { before: [started, tool], event: tool },
  part_taken: { before: [started, tool], event: { ...tool, toolCallId: 'c2' } },
  tool_not_found: { before: [started], event: { type: 'tool.result', ...run, toolCallId: 'c1' } },
  tool_ended: {
    before: [started, tool, { type: 'tool.result', ...run, toolCallId: 'c1' }],
    event: { type: 'tool.progress', ...run, toolCallId: 'c1' },
  },
  tool_foreign: {
    before: [started, { ...second, parentRunId: 'r1' }, tool],
    event: { type: 'tool.progress', runId: 'r2', toolCallId: 'c1' },
  },
  tool_args_done: {
    before: [started, tool, { type: 'tool.args', ...run, toolCallId: 'c1', delta: '{}', done: true }],
    event: { type: 'tool.args', ...run, toolCallId: 'c1', delta: '{}' },
  },
  action_required_twice: { before: [started, asked], event: asked },
  action_not_found: { before: [started], event: resolved },
  action_resolved_twice: { before: [started, asked, resolved], event: resolved },
  queue_turn_missing: { before: [], event: { type: 'queue.changed', change: 'added', turnId: 'q' } },
  turn_not_queued: { before: [], event: { type: 'queue.changed', change: 'moved', turnId: 'q', position: 0 } },
  queue_added_twice: { before: [queued], event: queued },
  steer_accepted_twice: {
    before: [started, { type: 'steer.accepted', ...run, steerId: 's', text: 'left' }],
    event: { type: 'steer.accepted', ...run, steerId: 's', text: 'left' },
  },
  steer_not_found: { before: [started], event: { type: 'steer.consumed', ...part, steerId: 's' } },
  steer_settled: {
    before: [started, { type: 'steer.accepted', ...run, steerId: 's', text: 'left' }, finished],
    event: { type: 'steer.rejected', steerId: 's', reason: { code: 'run_over', message: 'late' } },
  },
  subagent_not_found: { before: [started], event: gone },
  subagent_ended: { before: [started, spawned, gone], event: gone },
  compaction_not_found: {
    before: [started],
    event: { type: 'context.compaction.completed', ...run, compactionId: 'c' },
  },
  permission_not_found: { before: [], event: { type: 'permission.changed', permissionId: 'p', state: 'revoked' } },
  artifact_created_twice: { before: [artifact], event: artifact },
  artifact_not_found: { before: [], event: { type: 'artifact.updated', artifactId: 'art', artifact: {} } },
  artifact_deleted: {
    before: [artifact, { type: 'artifact.deleted', artifactId: 'art' }],
    event: { type: 'artifact.updated', artifactId: 'art', artifact: {} },
  },
  version_parent: {
    before: [artifact],
    event: { type: 'artifact.version.created', artifactId: 'art', artifact: { version: { id: 'v2', parent: 'v1' } } },
  },
  state_size: {
    before: [],
    event: { type: 'state.snapshot', state: Array.from({ length: 201 }).reduce<Json>(inner => [inner], 1) },
  },
  state_not_found: { before: [], event: { type: 'state.delta', patch: [{ op: 'add', path: '/a', value: 1 }] } },
  state_patch: {
    before: [{ type: 'state.snapshot', state: {} }],
    event: { type: 'state.delta', patch: [{ op: 'remove', path: '/a' }] },
  },
  snapshot_page: {
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
  snapshot_person: {
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
  snapshot_tool_open: {
    before: [started, tool],
    event: {
      type: 'messages.snapshot',
      snapshotId: 's',
      page: 0,
      last: true,
      scope: 'agent',
      fromOrdinal: 2,
      messages: [
        {
          messageId: 'm1',
          ordinal: 2,
          role: 'assistant',
          at: 1,
          parts: [{ partId: 'pt', kind: 'tool', toolCallId: 'c1', name: 'search' }],
        },
      ],
    },
  },
  surface_not_found: {
    before: [],
    event: { type: 'surface.changed', surfaceId: 's', ops: [{ op: 'delete', id: 'x' }] },
  },
}
