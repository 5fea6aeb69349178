import type { SessionState } from './entities.ts'
import type { EventOf, EventType, SessionEvent } from './events.ts'
import { createMeter, type Meter } from './meter.ts'
import { onPath } from './selectors.ts'

/** Says why the event is not allowed in this state; nothing when it is. */
export interface Rule {
  code: string
  on: readonly EventType[] | 'all' | 'in-run'
  check(state: SessionState, event: never): string | undefined
}

const rule = <T extends EventType>(
  code: string,
  on: readonly T[],
  check: (state: SessionState, event: EventOf<T>) => string | undefined | null | false,
): Rule => ({ code, on, check: check as unknown as Rule['check'] })

const every = (
  code: string,
  on: 'all' | 'in-run',
  check: (state: SessionState, event: SessionEvent) => string | undefined | null | false,
): Rule => ({ code, on, check: check as unknown as Rule['check'] })

/** How often a run goes on after a crash without getting any further. */
export const MAX_RESUMES = 2

/** The one that has seen every patch of this state; without it the state is weighed anew. */
const meterOf = ({ meter }: SessionState): Meter => meter ?? createMeter()

const TEXT = ['text.delta', 'text.final', 'reasoning.delta', 'reasoning.summary'] as const
const TOOL_BODY = ['tool.args', 'tool.progress', 'tool.output.delta', 'tool.result', 'tool.failed'] as const
/** Events that add a part, unless their entity already has one. */
const SHOWN = [
  'action.required',
  'agent.spawned',
  'artifact.created',
  'artifact.changed',
  'context.compaction.started',
  'file.added',
  'source.added',
  'steer.consumed',
  'surface.changed',
  'tool.started',
] as const
/** They open a part of their own kind, or speak of it again. */
const IN_PART = [...TEXT, 'tool.started', 'file.added', 'source.added', 'activity.changed', 'part.retracted'] as const
const ARTIFACT_BODY = [
  'artifact.updated',
  'artifact.preview.ready',
  'artifact.version.created',
  'artifact.diff.ready',
  'artifact.export.started',
  'artifact.export.completed',
  'artifact.failed',
  'artifact.deleted',
] as const

/** The legality of a sequence: each rule looks at the state before the event and at the event. */
export const rules: readonly Rule[] = [
  every('session_foreign', 'all', (state, { sessionId }) => sessionId !== state.sessionId && `belongs to ${sessionId}`),
  every('duplicate', 'all', (state, { seq }) => seq <= state.seq && `seq ${seq} is already there`),
  every('gap', 'all', (state, { seq }) => seq > state.seq + 1 && `seq ${seq} does not follow ${state.seq}`),

  rule('run_started_twice', ['run.started'], (state, { runId }) => state.runs.byId.has(runId) && `run ${runId} exists`),
  rule('run_active', ['run.started', 'history.rewound'], (state, event) => {
    const active = state.session.activeRunId
    const beside = event.type === 'run.started' && (event.parentRunId !== undefined || event.kind !== undefined)
    return !beside && active !== null && `run ${active} is still active`
  }),
  rule('call_active', ['history.rewound'], state => {
    const call = state.runs.byId.values().find(run => run.call !== null && run.outcome === null)
    return call && `the call ${call.runId} has not ended`
  }),
  rule('call_retried', ['run.started'], (state, { kind, retryOf }) => {
    const again = kind !== undefined || state.runs.byId.get(retryOf ?? '')?.call != null
    return retryOf !== undefined && again && `run ${retryOf} cannot be tried again as a call or by an agent`
  }),
  rule('retry_not_ended', ['run.started'], (state, { retryOf }) =>
    retryOf !== undefined && !state.runs.byId.get(retryOf)?.outcome && state.windowFrom === 1
      ? `run ${retryOf} has not ended`
      : undefined,
  ),
  every('run_not_found', 'in-run', (state, { runId }) => !state.runs.byId.has(runId!) && `run ${runId} never started`),
  every('run_over', 'in-run', (state, { runId }) => {
    const run = state.runs.byId.get(runId!)
    return run?.outcome && `run ${runId} has ended as ${run.outcome}`
  }),

  rule('run_resumed_too_often', ['run.resumed'], (state, { runId }) => {
    const resumes = state.runs.byId.get(runId)?.resumes ?? 0
    return resumes >= MAX_RESUMES && `run ${runId} was resumed ${resumes} times without a complete step`
  }),
  rule('step_open', ['step.started'], (state, { runId, stepId }) => {
    return state.runs.byId.get(runId)?.openSteps.has(stepId) && `step ${stepId} is open already`
  }),
  rule('step_not_found', ['step.finished'], (state, { runId, stepId }) => {
    return !state.runs.byId.get(runId)?.openSteps.has(stepId) && `step ${stepId} is not open`
  }),

  rule('queue_not_empty', ['history.rewound'], state => state.queue.turns.length > 0 && 'turns wait in the queue'),
  rule('message_not_found', ['history.rewound', 'feedback.changed', 'run.started'], (state, event) => {
    if (event.type === 'run.started') {
      const gone = state.messages.byId.get(event.messageId)?.rewindId
      return gone != null && `message ${event.messageId} has left the active path`
    }
    const [id, ordinal] =
      event.type === 'feedback.changed' ? [event.messageId, event.ordinal] : [event.fromMessageId, event.fromOrdinal]
    const message = state.messages.byId.get(id)
    const found = message
      ? message.ordinal === ordinal && message.rewindId === null
      : ordinal < state.windowFrom && onPath(state, ordinal)
    return !found && `message ${id} is not at ${ordinal} of the active path`
  }),

  rule('part_kind', IN_PART, (state, event) => {
    const kind = state.parts.byId.get(event.partId)?.kind
    const wants = event.type === 'part.retracted' ? kind : event.type.slice(0, event.type.indexOf('.'))
    return kind !== undefined && kind !== wants && `part ${event.partId} is ${kind}`
  }),
  rule('part_foreign', IN_PART, (state, event) => {
    const part = state.parts.byId.get(event.partId)
    return part && part.messageId !== event.messageId && `part ${event.partId} belongs to message ${part.messageId}`
  }),
  rule('message_foreign', IN_PART, (state, event) => {
    const message = state.messages.byId.get(event.messageId)
    return message && message.runId !== event.runId && `message ${event.messageId} belongs to run ${message.runId}`
  }),
  rule('part_final', TEXT, (state, event) => {
    const state_ = state.parts.byId.get(event.partId)?.state
    return (state_ === 'final' || state_ === 'incomplete') && `part ${event.partId} is final`
  }),
  rule('part_retracted', [...TEXT, 'activity.changed', 'part.retracted'], (state, event) => {
    return state.parts.byId.get(event.partId)?.state === 'retracted' && `part ${event.partId} was retracted`
  }),
  rule(
    'part_not_found',
    ['part.retracted'],
    (state, { partId }) => !state.parts.byId.has(partId) && `no part ${partId}`,
  ),
  rule('final_mismatch', ['text.final'], (state, event) => {
    if (event.text !== undefined || event.ref) return undefined
    const length = state.parts.byId.get(event.partId)?.text.length ?? 0
    return length !== event.length && `says ${event.length} characters, ${length} were streamed`
  }),

  rule('tool_started_twice', ['tool.started'], (state, { toolCallId }) => {
    return state.tools.byId.has(toolCallId) && `tool call ${toolCallId} exists`
  }),
  rule('part_taken', SHOWN, (state, event) => {
    if (event.partId === undefined || !state.parts.byId.has(event.partId)) return undefined
    const { surfaceId, artifactId } = event
    const shown =
      (surfaceId !== undefined && state.surfaces.byId.get(surfaceId)?.state === 'live') ||
      (artifactId !== undefined && state.artifacts.byId.has(artifactId))
    return !shown && `part ${event.partId} shows something already`
  }),
  rule('tool_not_found', TOOL_BODY, (state, { toolCallId }) => {
    return !state.tools.byId.has(toolCallId) && `no tool call ${toolCallId}`
  }),
  rule('tool_ended', TOOL_BODY, (state, { toolCallId }) => {
    const tool = state.tools.byId.get(toolCallId)
    return tool && tool.endedAt !== null && `tool call ${toolCallId} has ended`
  }),
  rule('tool_foreign', TOOL_BODY, (state, { toolCallId, runId }) => {
    const tool = state.tools.byId.get(toolCallId)
    return tool && tool.runId !== runId && `tool call ${toolCallId} belongs to run ${tool.runId}`
  }),
  rule('tool_args_done', ['tool.args'], (state, { toolCallId }) => {
    return state.tools.byId.get(toolCallId)?.argsDone && `the arguments of ${toolCallId} are complete`
  }),

  rule('action_required_twice', ['action.required'], (state, { actionId }) => {
    return state.actions.byId.has(actionId) && `action ${actionId} exists`
  }),
  rule('action_not_found', ['action.resolved'], (state, { actionId }) => {
    return !state.actions.byId.has(actionId) && `nobody asked for action ${actionId}`
  }),
  rule('action_resolved_twice', ['action.resolved'], (state, { actionId }) => {
    return state.actions.byId.get(actionId)?.state === 'resolved' && `action ${actionId} is resolved`
  }),

  rule('queue_turn_missing', ['queue.changed'], (_state, { change, turnId, turn }) => {
    if (change === 'held' || change === 'released') return undefined
    if (turnId === undefined) return `${change} names a turn`
    return (change === 'added' || change === 'edited') && turn?.turnId !== turnId && `${change} carries its turn`
  }),
  rule('turn_not_queued', ['queue.changed'], (state, { change, turnId }) => {
    if (!['edited', 'moved', 'removed', 'started'].includes(change)) return undefined
    return !state.queue.turns.some(turn => turn.turnId === turnId) && `turn ${turnId} is not queued`
  }),
  rule('queue_added_twice', ['queue.changed'], (state, { change, turnId }) => {
    return change === 'added' && state.queue.turns.some(turn => turn.turnId === turnId) && `turn ${turnId} is queued`
  }),

  rule('steer_accepted_twice', ['steer.accepted'], (state, { steerId }) => {
    return state.steers.byId.has(steerId) && `steer ${steerId} exists`
  }),
  rule('steer_not_found', ['steer.consumed'], (state, { steerId }) => {
    return state.steers.byId.get(steerId)?.state !== 'accepted' && `steer ${steerId} is not waiting`
  }),

  rule('steer_settled', ['steer.rejected'], (state, { steerId }) => {
    const steer = state.steers.byId.get(steerId)
    const over = steer?.runId != null && state.runs.byId.get(steer.runId)?.outcome
    return steer && (steer.state !== 'accepted' || over) && `steer ${steerId} is settled`
  }),

  rule('subagent_not_found', ['agent.completed', 'agent.handoff'], (state, { subagentId }) => {
    return !state.subagents.byId.has(subagentId) && `subagent ${subagentId} was never spawned`
  }),
  rule('subagent_ended', ['agent.completed', 'agent.handoff'], (state, { subagentId }) => {
    const subagent = state.subagents.byId.get(subagentId)
    return subagent && subagent.state !== 'running' && `subagent ${subagentId} has ended`
  }),
  rule('compaction_not_found', ['context.compaction.completed'], (state, { compactionId }) => {
    return state.compactions.byId.get(compactionId)?.state !== 'running' && `no compaction ${compactionId} is running`
  }),
  rule('permission_not_found', ['permission.changed'], (state, event) => {
    const held = state.permissions.byId.get(event.permissionId)?.state === 'granted'
    return event.state === 'revoked' && !held && `permission ${event.permissionId} is not granted`
  }),

  rule('artifact_created_twice', ['artifact.created'], (state, { artifactId }) => {
    return state.artifacts.byId.has(artifactId) && `artifact ${artifactId} exists`
  }),
  rule('artifact_not_found', ARTIFACT_BODY, (state, { artifactId }) => {
    return !state.artifacts.byId.has(artifactId) && `no artifact ${artifactId}`
  }),
  rule('artifact_deleted', ARTIFACT_BODY, (state, { artifactId }) => {
    return state.artifacts.byId.get(artifactId)?.deleted && `artifact ${artifactId} is deleted`
  }),
  rule('version_parent', ['artifact.version.created'], (state, { artifactId, artifact }) => {
    const { parent } = artifact.version
    const versions = state.artifacts.byId.get(artifactId)?.versions ?? []
    return parent !== undefined && !versions.some(({ id }) => id === parent) && `no version ${parent} to build on`
  }),

  rule('state_size', ['state.snapshot'], (state, event) => meterOf(state).problem(event.state)),
  rule('state_not_found', ['state.delta'], state => !state.shared.value.known && 'a delta needs a snapshot before it'),
  rule('state_patch', ['state.delta'], (state, { patch }) => {
    if (!state.shared.value.known) return undefined
    const result = meterOf(state).check(state.shared.value.value, patch)
    return !result.ok && `operation ${result.index}: ${result.reason}`
  }),
  rule('snapshot_page', ['messages.snapshot'], (state, { snapshotId, page }) => {
    const expected = state.repair?.snapshotId === snapshotId ? state.repair.page + 1 : 0
    return page !== expected && `page ${page} where ${expected} was due`
  }),
  rule('snapshot_person', ['messages.snapshot'], (state, { scope, messages }) => {
    if (scope !== 'agent') return undefined
    const forged = messages.find(
      ({ role, messageId }) => role === 'user' && state.messages.byId.get(messageId)?.role !== 'user',
    )
    return forged && `message ${forged.messageId} would be a person's`
  }),
  rule('snapshot_tool_open', ['messages.snapshot'], (state, { messages }) => {
    const parts = messages.flatMap(message => message.parts)
    const open = parts.find(part => part.kind === 'tool' && state.tools.byId.get(part.toolCallId)?.endedAt === null)
    return open && `the call of part ${open.partId} has not ended`
  }),
  rule('surface_not_found', ['surface.changed'], (state, { surfaceId, ops }) => {
    const live = state.surfaces.byId.get(surfaceId)?.state === 'live'
    return !live && ops[0]?.op !== 'create' && `surface ${surfaceId} does not exist`
  }),
]
