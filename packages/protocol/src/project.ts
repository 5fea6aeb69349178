import type {
  Action,
  Artifact,
  Collection,
  Diagnostic,
  Entity,
  Evidence,
  Fact,
  Message,
  Part,
  PartKind,
  Run,
  SessionState,
  Tool,
} from './entities.ts'
import type { ArtifactFacts, EventOf, EventType, SessionEvent, TurnInput } from './events.ts'
import { applyPatch } from './patch.ts'
import { applySurfaceOps, emptySurface } from './surface.ts'
import { Text } from './text.ts'

/** The newest part of a tool's output that the projection keeps; the whole is behind the result's reference. */
const OUTPUT_KEPT = 32 * 1024

export type Touch = (entity: Entity) => void
export type Applied = 'applied' | 'duplicate' | 'gap'

const ignore: Touch = () => {}

/**
 * The fold. Updates in place the state that the caller alone owns and reports each entity it touched.
 * An event that was seen before changes nothing; one that leaves a gap is not applied (L3).
 */
export function apply(state: SessionState, event: SessionEvent, touch: Touch = ignore): Applied {
  if (event.seq <= state.seq) return 'duplicate'
  if (event.seq !== state.seq + 1) return 'gap'
  state.seq = event.seq
  const handle = handlers[event.type] as ((state: SessionState, event: SessionEvent, touch: Touch) => void) | undefined
  if (handle) handle(state, event, touch)
  else unknownEvent(state, event, touch)
  return 'applied'
}

export const known = <T>(value: T): Fact<T> => ({ known: true, value })
export const missing = <T>(why: Exclude<Fact<T>, { known: true }>['why']): Fact<T> => ({ known: false, why })

type Handlers = { [T in EventType]: (state: SessionState, event: EventOf<T>, touch: Touch) => void }

const handlers: Handlers = {
  'session.updated': (state, event, touch) => {
    const { session } = state
    if (session.createdAt === 0) session.createdAt = event.at
    if (event.title !== undefined) session.title = known(event.title)
    if (event.agentId !== undefined) session.agentId = known(event.agentId)
    if (event.queuePolicy) session.queuePolicy = event.queuePolicy
    if (event.pinned !== undefined) session.pinned = event.pinned
    if (event.archived !== undefined) session.archived = event.archived
    if (event.metadata) session.metadata = { ...session.metadata, ...event.metadata }
    if (event.forkOf) session.forkOf = event.forkOf
    if (event.parent) session.parent = event.parent
    session.updatedAt = event.at
    changed(session, event, touch)
  },

  'run.started': (state, event, touch) => {
    state.counts.runs++
    add(
      state.runs,
      'run',
      event.runId,
      {
        runId: event.runId,
        turnId: event.turnId,
        agentId: event.agentId,
        parentRunId: event.parentRunId ?? null,
        status: 'submitted',
        reason: null,
        by: event.by ?? null,
        attempt: event.attempt,
        retryOf: event.retryOf ?? null,
        retriedBy: null,
        startedAt: event.at,
        endedAt: null,
        outcome: null,
        error: null,
        metrics: {},
        open: new Set(),
      },
      event,
      touch,
    )
    const earlier = event.retryOf ? state.runs.byId.get(event.retryOf) : undefined
    if (earlier) {
      earlier.retriedBy = event.runId
      changed(earlier, event, touch)
    }
    const turn = state.turns.byId.get(event.turnId)
    if (turn) {
      turn.state = 'active'
      changed(turn, event, touch)
    } else {
      const { turnId, messageId, input } = event
      const by = event.by ?? null
      add(state.turns, 'turn', turnId, { turnId, messageId, input, state: 'active', by }, event, touch)
      for (const { turnId: id, digest } of event.merged ?? []) {
        const given: TurnInput = { text: '', ...(digest !== undefined && { digest }) }
        add(state.turns, 'turn', id, { turnId: id, messageId, input: given, state: 'merged', by }, event, touch)
      }
    }
    // A retry answers the message that is already there, even when it lies before the loaded window.
    if (!event.retryOf && !state.messages.byId.has(event.messageId)) {
      const message = addMessage(state, event, event.messageId, 'user', touch)
      const part = addPart(state, message, `${event.messageId}/input`, 'text', event, touch)
      part.text.replace(event.input.text)
      part.ref = event.input.ref ?? null
      closePart(state, part, 'final', event, touch)
    }
    if (!event.parentRunId) state.session.activeRunId = state.session.latestRunId = event.runId
    state.session.updatedAt = event.at
    changed(state.session, event, touch)
  },

  'run.status': (state, event, touch) => {
    const run = state.runs.byId.get(event.runId)
    if (!run || run.outcome) return
    // Only a terminal event ends a run: a status that claims an end is not believed (L4).
    const ends = ['completed', 'failed', 'cancelled', 'interrupted'].includes(event.status)
    run.status = ends ? 'unknown' : event.status
    run.reason = event.reason ?? null
    changed(run, event, touch)
    changed(state.runs, event, touch)
  },

  'run.finished': (state, event, touch) => endRun(state, event, event.outcome, touch),

  'run.failed': (state, event, touch) => endRun(state, event, 'failed', touch),

  'text.delta': (state, event, touch) => delta(state, event, 'text', touch),

  'text.final': (state, event, touch) => {
    const part = partOf(state, event, 'text', touch)
    if (!part || part.state === 'retracted') return
    if (event.text !== undefined) part.text.replace(event.text)
    else if (event.ref) {
      part.ref = event.ref
      part.fallback = 'loading'
    } else if (part.text.length !== event.length) {
      part.fallback = 'stale'
      diagnose(state, event, touch, 'final-mismatch', `The final text of ${part.partId} differs.`)
    }
    closePart(state, part, 'final', event, touch)
  },

  'reasoning.delta': (state, event, touch) => delta(state, event, 'reasoning', touch),

  'reasoning.summary': (state, event, touch) => {
    const part = partOf(state, event, 'reasoning', touch)
    if (!part || part.state === 'retracted') return
    if (event.text !== undefined) part.text.replace(event.text)
    closePart(state, part, 'final', event, touch)
  },

  'part.retracted': (state, event, touch) => {
    const part = state.parts.byId.get(event.partId)
    if (!part) return outside(state, event)
    if (seen(state, part.messageId, event) || event.seq <= part.v) return
    part.reason = event.reason
    part.replacedBy = event.replacedBy ?? null
    closePart(state, part, 'retracted', event, touch)
  },

  'tool.started': (state, event, touch) => {
    state.counts.tools++
    const part = partOf(state, event, 'tool', touch)
    if (!part) return
    part.refId = event.toolCallId
    const tool = add(
      state.tools,
      'tool',
      event.toolCallId,
      {
        toolCallId: event.toolCallId,
        messageId: event.messageId,
        partId: event.partId,
        runId: event.runId,
        name: event.name,
        title: event.title ?? null,
        summary: event.summary ?? null,
        retryOf: event.retryOf ?? null,
        state: 'preparing',
        args: new Text(),
        argsDone: false,
        approvedArgs: null,
        waitedMs: 0,
        progress: null,
        output: new Text(),
        outputLength: 0,
        result: missing('loading'),
        error: null,
        startedAt: event.at,
        endedAt: null,
      },
      event,
      touch,
    )
    state.runs.byId.get(event.runId)?.open.add(tool.key)
  },

  'tool.args': (state, event, touch) => {
    const tool = toolOf(state, event)
    if (!tool) return
    if (event.delta) tool.args.append(event.delta)
    if (event.done) {
      tool.argsDone = true
      tool.state = 'running'
    }
    if (event.summary !== undefined) tool.summary = event.summary
    changed(tool, event, touch)
  },

  'tool.progress': (state, event, touch) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.state = 'running'
    tool.progress = {
      message: event.message ?? tool.progress?.message ?? null,
      current: event.current ?? tool.progress?.current ?? null,
      total: event.total ?? tool.progress?.total ?? null,
    }
    changed(tool, event, touch)
  },

  'tool.output.delta': (state, event, touch) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.state = 'running'
    tool.outputLength += event.delta.length
    tool.output.append(event.delta)
    if (tool.output.length > 2 * OUTPUT_KEPT) tool.output.replace(tool.output.from(tool.output.length - OUTPUT_KEPT))
    changed(tool, event, touch)
  },

  'tool.result': (state, event, touch) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.result = resultOf(event)
    endTool(state, tool, 'done', event, touch)
  },

  'tool.failed': (state, event, touch) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.error = event.error
    tool.result = event.preview || event.ref ? resultOf(event) : missing('failed')
    endTool(state, tool, 'failed', event, touch)
  },

  'action.required': (state, event, touch) => {
    const { actionId, runId, messageId, partId, toolCallId, request } = event
    const action = add(
      state.actions,
      'action',
      actionId,
      {
        actionId,
        runId,
        messageId: messageId ?? null,
        toolCallId: toolCallId ?? null,
        request,
        state: 'pending',
        outcome: null,
        by: null,
        response: null,
        at: event.at,
        resolvedAt: null,
      },
      event,
      touch,
    )
    state.session.needsInput++
    changed(state.session, event, touch)
    state.runs.byId.get(runId)?.open.add(action.key)
    if (messageId && partId) showIn(state, { ...event, messageId, partId }, 'action', actionId, touch)
  },

  'action.resolved': (state, event, touch) => {
    const action = state.actions.byId.get(event.actionId)
    if (!action || action.state === 'resolved') return
    if (action.state === 'pending') answered(state, action, event, touch)
    action.state = 'resolved'
    action.outcome = event.outcome
    action.by = event.by
    action.response = event.response ?? null
    action.resolvedAt = event.at
    state.runs.byId.get(action.runId)?.open.delete(action.key)
    const tool = action.toolCallId === null ? undefined : state.tools.byId.get(action.toolCallId)
    const edited = event.outcome === 'approved' || event.outcome === 'approved-for-scope' ? event.response : undefined
    if (tool && edited !== undefined && !seen(state, tool.messageId, event)) {
      tool.approvedArgs = edited
      changed(tool, event, touch)
    }
    changed(action, event, touch)
    changed(state.actions, event, touch)
  },

  'queue.changed': (state, event, touch) => {
    const { queue } = state
    const at = event.turnId === undefined ? -1 : queue.turns.findIndex(turn => turn.turnId === event.turnId)
    switch (event.change) {
      case 'added':
        if (event.turn && at < 0) queue.turns.splice(event.position ?? queue.turns.length, 0, event.turn)
        break
      case 'edited':
        if (event.turn && at >= 0) queue.turns[at] = event.turn
        break
      case 'moved': {
        const [turn] = at < 0 ? [] : queue.turns.splice(at, 1)
        if (turn) queue.turns.splice(event.position ?? queue.turns.length, 0, turn)
        break
      }
      case 'removed':
      case 'started':
        if (at >= 0) queue.turns.splice(at, 1)
        break
      case 'held':
        queue.held = true
        break
      case 'released':
        queue.held = false
    }
    queue.reason = queue.held ? (event.reason ?? queue.reason) : null
    changed(queue, event, touch)
  },

  'steer.accepted': (state, event, touch) => {
    const { steerId, runId, text, at, interaction, by } = event
    add(
      state.steers,
      'steer',
      steerId,
      {
        steerId,
        runId,
        text,
        interaction: interaction ?? null,
        by: by ?? null,
        state: 'accepted',
        reason: null,
        at,
      },
      event,
      touch,
    )
  },

  'steer.rejected': (state, event, touch) => {
    const { steerId, reason, at } = event
    if (update(state.steers, steerId, { state: 'rejected', reason }, event, touch)) return
    add(
      state.steers,
      'steer',
      steerId,
      {
        steerId,
        runId: event.runId ?? null,
        text: '',
        interaction: null,
        by: event.by ?? null,
        state: 'rejected',
        reason,
        at,
      },
      event,
      touch,
    )
  },

  'steer.consumed': (state, event, touch) => {
    update(state.steers, event.steerId, { state: 'consumed' }, event, touch)
    showIn(state, event, 'steer', event.steerId, touch)
  },

  'plan.delta': (state, event, touch) => {
    const { plan } = state
    if (plan.runId !== event.runId) {
      plan.steps = []
      plan.title = null
      plan.runId = event.runId
    }
    plan.final = false
    plan.title = event.title ?? plan.title
    for (const step of event.steps) {
      const at = plan.steps.findIndex(old => old.id === step.id)
      if (at < 0) plan.steps.push(step)
      else plan.steps[at] = step
    }
    changed(plan, event, touch)
  },

  'plan.final': (state, event, touch) => {
    const { plan } = state
    plan.title = event.title ?? (plan.runId === event.runId ? plan.title : null)
    plan.runId = event.runId
    plan.steps = event.steps
    plan.final = true
    changed(plan, event, touch)
  },

  'task.changed': (state, event, touch) => {
    const old = state.tasks.byId.get(event.taskId)
    add(
      state.tasks,
      'task',
      event.taskId,
      {
        taskId: event.taskId,
        title: event.title === undefined ? (old?.title ?? missing('unknown')) : known(event.title),
        status: event.status,
        childSessionId: event.childSessionId ?? old?.childSessionId ?? null,
        parentTaskId: event.parentTaskId ?? old?.parentTaskId ?? null,
        progress: event.progress ?? old?.progress ?? null,
        detail: event.detail ?? null,
        attention: event.attention ?? 'none',
        startedAt: old?.startedAt ?? event.at,
        updatedAt: event.at,
      },
      event,
      touch,
    )
  },

  'agent.spawned': (state, event, touch) => {
    const { agentId, runId, messageId, partId } = event
    add(
      state.agents,
      'agent',
      agentId,
      {
        agentId,
        runId,
        name: event.name,
        parentAgentId: event.parentAgentId ?? null,
        input: event.input ?? null,
        state: 'running',
        summary: null,
        handedOffTo: null,
        startedAt: event.at,
        endedAt: null,
      },
      event,
      touch,
    )
    state.runs.byId.get(runId)?.open.add(`agent:${agentId}`)
    if (messageId && partId)
      showIn(state, { ...event, messageId, partId, agentId: event.parentAgentId }, 'agent', agentId, touch)
  },

  'agent.completed': (state, event, touch) => {
    const { agentId, outcome, summary = null, at } = event
    const agent = update(state.agents, agentId, { state: outcome, summary, endedAt: at }, event, touch)
    if (agent) state.runs.byId.get(agent.runId)?.open.delete(agent.key)
  },

  'agent.handoff': (state, event, touch) => {
    update(state.agents, event.agentId, { handedOffTo: event.to }, event, touch)
  },

  'context.compaction.started': (state, event, touch) => {
    const { compactionId, messageId, partId } = event
    add(
      state.compactions,
      'compaction',
      compactionId,
      {
        compactionId,
        state: 'running',
        reason: event.reason ?? null,
        tokensBefore: null,
        tokensAfter: null,
        summary: null,
      },
      event,
      touch,
    )
    if (messageId && partId) showIn(state, { ...event, messageId, partId }, 'compaction', compactionId, touch)
  },

  'context.compaction.completed': (state, event, touch) => {
    const { compactionId, tokensBefore = null, tokensAfter = null, summary = null } = event
    update(state.compactions, compactionId, { state: 'done', tokensBefore, tokensAfter, summary }, event, touch)
  },

  'permission.changed': (state, event, touch) => {
    const old = state.permissions.byId.get(event.permissionId)
    add(
      state.permissions,
      'permission',
      event.permissionId,
      {
        permissionId: event.permissionId,
        state: event.state,
        scope: event.scope ?? old?.scope ?? null,
        actionId: event.actionId ?? old?.actionId ?? null,
        by: event.by ?? null,
        at: event.at,
      },
      event,
      touch,
    )
  },

  'metric.changed': (state, event, touch) => {
    if (event.scope === 'session') {
      Object.assign(state.metrics.values, event.values)
      changed(state.metrics, event, touch)
    } else if (event.scope === 'run') {
      const run = event.runId === undefined ? undefined : state.runs.byId.get(event.runId)
      if (!run) return
      Object.assign(run.metrics, event.values)
      changed(run, event, touch)
    } else {
      const message = event.messageId === undefined ? undefined : state.messages.byId.get(event.messageId)
      if (!message) return outside(state, event)
      if (event.seq <= message.asOf) return
      Object.assign(message.metadata, event.values)
      changed(message, event, touch)
    }
  },

  'diagnostic.changed': (state, event, touch) => {
    const old = state.diagnostics.byId.get(event.diagnosticId)
    addDiagnostic(
      state,
      {
        diagnosticId: event.diagnosticId,
        state: event.state,
        level: event.level ?? old?.level ?? 'info',
        code: event.code ?? old?.code ?? 'unknown',
        message: event.message ?? old?.message ?? '',
        count: (old?.count ?? 0) + (event.state === 'open' ? 1 : 0),
      },
      event,
      touch,
    )
  },

  'artifact.created': (state, event, touch) => artifactEvent(state, event, event.artifact, touch),
  'artifact.updated': (state, event, touch) => artifactEvent(state, event, event.artifact, touch),
  'artifact.preview.ready': (state, event, touch) => artifactEvent(state, event, event.artifact, touch),
  'artifact.version.created': (state, event, touch) => artifactEvent(state, event, event.artifact, touch),
  'artifact.diff.ready': (state, event, touch) => artifactEvent(state, event, event.artifact, touch),
  'artifact.export.started': (state, event, touch) =>
    artifactEvent(state, event, { status: 'exporting', ...event.artifact }, touch),
  'artifact.export.completed': (state, event, touch) => artifactEvent(state, event, event.artifact, touch),
  'artifact.failed': (state, event, touch) =>
    artifactEvent(state, event, { status: 'failed', ...event.artifact }, touch),
  'artifact.deleted': (state, event, touch) => artifactEvent(state, event, { status: 'deleted' }, touch),
  'artifact.changed': (state, event, touch) => artifactEvent(state, event, event.artifact, touch),

  'evidence.changed': (state, event, touch) => {
    const facts = { ...state.evidence.byId.get(event.evidenceId)?.facts, ...event.evidence } as Evidence['facts']
    const system = facts.verification?.verdict
    const person = facts.review?.verdict
    const conflict = (system === 'pass' && person === 'rejected') || (system === 'fail' && person === 'accepted')
    const verdict = person ?? system
    add(
      state.evidence,
      'evidence',
      event.evidenceId,
      {
        evidenceId: event.evidenceId,
        facts,
        verdict: conflict ? missing('disputed') : verdict ? known(verdict) : missing('unknown'),
        updatedAt: event.at,
      },
      event,
      touch,
    )
  },

  'state.snapshot': (state, event, touch) => {
    const problem = state.meter?.problem(event.state)
    if (problem) diagnose(state, event, touch, 'state-size', `A shared state was not taken: ${problem}.`)
    // Deltas write in place: the logged event must not change with them.
    state.shared.value = problem ? missing('unavailable') : known(structuredClone(event.state))
    changed(state.shared, event, touch)
  },

  'state.delta': (state, event, touch) => {
    const { shared } = state
    const result = shared.value.known
      ? applyPatch(shared.value.value, event.patch, state.meter)
      : ({ ok: false, index: 0, reason: 'no state to patch' } as const)
    if (result.ok) shared.value = known(result.value)
    else diagnose(state, event, touch, 'state-patch', `A state change did not apply: ${result.reason}.`)
    changed(shared, event, touch)
  },

  'messages.snapshot': (state, event, touch) => {
    if (state.repair?.snapshotId !== event.snapshotId) {
      const { snapshotId, fromOrdinal } = event
      state.repair = { snapshotId, page: -1, fromOrdinal, named: new Set() }
    }
    const { repair } = state
    repair.page = event.page
    for (const given of event.messages) {
      repair.named.add(given.messageId)
      if (given.ordinal < state.windowFrom) {
        outside(state, event)
        continue
      }
      let message = state.messages.byId.get(given.messageId)
      if (ofPerson(event, message ?? given)) continue
      if (message) for (const partId of message.parts) state.parts.byId.delete(partId)
      else message = addMessage(state, { ...event, ...given }, given.messageId, given.role, touch)
      const { role, at, metadata = {} } = given
      Object.assign(message, { role, at, metadata, parts: [], partsFrom: 0, loose: 0 })
      for (const { partId, kind, text } of given.parts) {
        const holder = state.messages.byId.get(state.parts.byId.get(partId)?.messageId ?? '')
        if (holder && ofPerson(event, holder)) continue
        const part = addPart(state, message, partId, kind, event, touch)
        part.text.replace(text)
        closePart(state, part, 'final', event, touch)
      }
      changed(message, event, touch)
    }
    if (!event.last) return
    if (repair.fromOrdinal < state.windowFrom) outside(state, event)
    for (const message of state.messages.byId.values()) {
      if (message.ordinal >= repair.fromOrdinal && !repair.named.has(message.messageId) && !ofPerson(event, message)) {
        // Told while it is still there: whoever keeps pages must learn which one is gone.
        changed(message, event, touch)
        removeMessage(state, message)
      }
    }
    state.repair = null
    changed(state.messages, event, touch)
    diagnose(state, event, touch, 'messages-repaired', 'The history was repaired.', 'info')
  },

  'surface.changed': (state, event, touch) => {
    let surface = state.surfaces.byId.get(event.surfaceId)
    if (surface && event.seq <= surface.asOf) return
    if (!surface) {
      surface = add(
        state.surfaces,
        'surface',
        event.surfaceId,
        {
          surfaceId: event.surfaceId,
          messageId: event.messageId ?? null,
          ordinal: null,
          partId: event.partId ?? null,
          ...emptySurface(),
          loaded: true,
          asOf: 0,
        },
        event,
        touch,
      )
      const { runId, messageId, partId } = event
      if (runId && messageId && partId) {
        const part = showIn(state, { ...event, runId, messageId, partId }, 'surface', event.surfaceId, touch)
        surface.loaded = part !== undefined
        surface.ordinal = state.messages.byId.get(messageId)?.ordinal ?? null
      }
    }
    const before = surface.state
    if (!surface.loaded) outside(state, event)
    const { loaded } = surface
    applySurfaceOps(surface, loaded ? event.ops : event.ops.filter(({ op }) => op === 'create' || op === 'remove'))
    changed(surface, event, touch)
    if (surface.state !== before) changed(state.surfaces, event, touch)
  },
}

/** An agent's snapshot leaves what people said as it is, whether it names it or not. */
const ofPerson = ({ scope }: EventOf<'messages.snapshot'>, { role }: { role: string }): boolean =>
  scope === 'agent' && role === 'user'

function changed(entity: Entity, event: { seq: number }, touch: Touch): void {
  entity.v = event.seq
  touch(entity)
}

function add<T extends Entity>(
  list: Collection<T>,
  kind: string,
  id: string,
  fields: Omit<T, 'key' | 'v'>,
  event: { seq: number },
  touch: Touch,
): T {
  const entity = { key: `${kind}:${id}`, v: event.seq, ...fields } as T
  list.byId.set(id, entity)
  touch(entity)
  changed(list, event, touch)
  return entity
}

/** Changes an entity that its list shows; nothing when it is not there. */
function update<T extends Entity>(
  list: Collection<T>,
  id: string,
  fields: Partial<T>,
  event: { seq: number },
  touch: Touch,
): T | undefined {
  const entity = list.byId.get(id)
  if (!entity) return undefined
  Object.assign(entity, fields)
  changed(entity, event, touch)
  changed(list, event, touch)
  return entity
}

/** The request no longer waits for a person, and neither does the call that it was about. */
function answered(state: SessionState, action: Action, event: { seq: number; at: number }, touch: Touch): void {
  state.session.needsInput--
  changed(state.session, event, touch)
  const tool = action.toolCallId === null ? undefined : state.tools.byId.get(action.toolCallId)
  if (!tool || seen(state, tool.messageId, event)) return
  tool.waitedMs += event.at - action.at
  changed(tool, event, touch)
}

type InPart = {
  seq: number
  at: number
  runId: string
  messageId: string
  partId: string
  turnId?: string | undefined
  agentId?: string | undefined
}

function delta(state: SessionState, event: InPart & { delta: string }, kind: 'text' | 'reasoning', touch: Touch): void {
  let part = state.parts.byId.get(event.partId)
  // It came with a page of older history that holds this delta already.
  if (part && event.seq <= part.v) return
  part ??= partOf(state, event, kind, touch)
  if (part?.state !== 'streaming') return
  part.text.append(event.delta)
  part.v = event.seq
  touch(part)
}

/** The event speaks of something that is not loaded: a page that is older than it would be out of date. */
function outside(state: SessionState, event: { seq: number }): void {
  state.outsideSeq = event.seq
}

/** Pages of older history already hold what happened up to their `asOf`. */
function seen(state: SessionState, messageId: string, event: { seq: number }): boolean {
  const message = state.messages.byId.get(messageId)
  return message !== undefined && event.seq <= message.asOf
}

/** The part an event speaks of, created with its message when new; undefined when outside the loaded window. */
function partOf(state: SessionState, event: InPart, kind: PartKind, touch: Touch): Part | undefined {
  const found = state.parts.byId.get(event.partId)
  if (found) return seen(state, found.messageId, event) ? undefined : found
  let message = state.messages.byId.get(event.messageId)
  if (!message) {
    // Runs that are still open are always loaded: an unknown run in a windowed state lies before the window.
    if (state.windowFrom > 1 && !state.runs.byId.has(event.runId)) return void outside(state, event)
    message = addMessage(state, event, event.messageId, 'assistant', touch)
    message.agentId = event.agentId ?? null
  } else if (event.seq <= message.asOf) return undefined
  return addPart(state, message, event.partId, kind, event, touch)
}

function showIn(state: SessionState, event: InPart, kind: PartKind, refId: string, touch: Touch): Part | undefined {
  const part = partOf(state, event, kind, touch)
  if (!part) return undefined
  part.refId = refId
  closePart(state, part, 'final', event, touch)
  return part
}

function addMessage(
  state: SessionState,
  event: { seq: number; at: number; runId?: string | undefined; turnId?: string | undefined },
  messageId: string,
  role: Message['role'],
  touch: Touch,
): Message {
  state.counts.messages++
  return add(
    state.messages,
    'message',
    messageId,
    {
      messageId,
      ordinal: state.counts.messages,
      role,
      runId: event.runId ?? null,
      turnId: event.turnId ?? (event.runId ? (state.runs.byId.get(event.runId)?.turnId ?? null) : null),
      agentId: null,
      at: event.at,
      parts: [],
      partsFrom: 0,
      loose: 0,
      metadata: {},
      asOf: 0,
    },
    event,
    touch,
  )
}

function addPart(
  state: SessionState,
  message: Message,
  partId: string,
  kind: PartKind,
  event: { seq: number; at: number },
  touch: Touch,
): Part {
  const part: Part = {
    key: `part:${partId}`,
    v: event.seq,
    partId,
    messageId: message.messageId,
    runId: message.runId,
    kind,
    state: 'streaming',
    text: new Text(),
    ref: null,
    fallback: null,
    refId: null,
    reason: null,
    replacedBy: null,
    startedAt: event.at,
    endedAt: null,
  }
  state.parts.byId.set(partId, part)
  message.parts.push(partId)
  if (message.runId) state.runs.byId.get(message.runId)?.open.add(part.key)
  touch(part)
  changed(message, event, touch)
  return part
}

function closePart(
  state: SessionState,
  part: Part,
  to: 'final' | 'incomplete' | 'retracted',
  event: { seq: number; at: number },
  touch: Touch,
): void {
  part.state = to
  part.endedAt ??= event.at
  if (part.runId) state.runs.byId.get(part.runId)?.open.delete(part.key)
  changed(part, event, touch)
}

function removeMessage(state: SessionState, message: Message): void {
  for (const partId of message.parts) state.parts.byId.delete(partId)
  state.messages.byId.delete(message.messageId)
}

function resultOf(event: EventOf<'tool.result'> | EventOf<'tool.failed'>): Tool['result'] {
  const { preview = null, value = null, ref = null, ui = null, uiHints = null } = event as EventOf<'tool.result'>
  return known({ preview, value, ref, ui, uiHints })
}

function toolOf(state: SessionState, event: { toolCallId: string; seq: number }): Tool | undefined {
  const tool = state.tools.byId.get(event.toolCallId)
  return tool && tool.endedAt === null && !seen(state, tool.messageId, event) ? tool : undefined
}

function endTool(
  state: SessionState,
  tool: Tool,
  to: 'done' | 'failed' | 'unknown',
  event: { seq: number; at: number },
  touch: Touch,
): void {
  tool.state = to
  tool.argsDone = true
  tool.endedAt = event.at
  state.runs.byId.get(tool.runId)?.open.delete(tool.key)
  changed(tool, event, touch)
  const part = state.parts.byId.get(tool.partId)
  if (part && part.state === 'streaming')
    closePart(state, part, to === 'unknown' ? 'incomplete' : 'final', event, touch)
}

function endRun(
  state: SessionState,
  event: EventOf<'run.finished'> | EventOf<'run.failed'>,
  outcome: NonNullable<Run['outcome']>,
  touch: Touch,
): void {
  const run = state.runs.byId.get(event.runId)
  if (!run || run.outcome) return
  run.outcome = outcome
  run.status = outcome
  run.endedAt = event.at
  run.error = event.type === 'run.failed' ? event.error : null
  run.reason = event.type === 'run.finished' ? (event.reason ?? null) : null
  // What the run left open has no known end: it is shown as such, never as done.
  for (const key of [...run.open]) closeLeftOver(state, key, event, touch)
  run.open.clear()
  changed(run, event, touch)
  changed(state.runs, event, touch)
  const turn = state.turns.byId.get(run.turnId)
  if (turn && !run.parentRunId) {
    turn.state = outcome === 'completed' ? 'done' : outcome === 'failed' ? 'failed' : 'interrupted'
    changed(turn, event, touch)
  }
  if (state.session.activeRunId === event.runId) state.session.activeRunId = null
  state.session.updatedAt = event.at
  changed(state.session, event, touch)
}

function closeLeftOver(state: SessionState, key: string, event: { seq: number; at: number }, touch: Touch): void {
  const at = key.indexOf(':')
  const id = key.slice(at + 1)
  switch (key.slice(0, at)) {
    case 'part': {
      const part = state.parts.byId.get(id)
      if (part?.state === 'streaming') closePart(state, part, 'incomplete', event, touch)
      break
    }
    case 'tool': {
      const tool = state.tools.byId.get(id)
      if (!tool || tool.endedAt !== null) break
      tool.result = missing('unknown')
      endTool(state, tool, 'unknown', event, touch)
      break
    }
    case 'action': {
      const action = state.actions.byId.get(id)
      if (action?.state !== 'pending') break
      answered(state, action, event, touch)
      update(state.actions, id, { state: 'stale' }, event, touch)
      break
    }
    case 'agent': {
      const agent = state.agents.byId.get(id)
      if (agent?.state !== 'running') break
      update(state.agents, id, { state: 'unknown' }, event, touch)
    }
  }
}

const NO_FACTS: Artifact['facts'] = {
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

type Optional<T> = { [K in keyof T]?: T[K] | undefined }

function artifactEvent(
  state: SessionState,
  event: Extract<SessionEvent, { type: `artifact.${string}` }>,
  facts: Optional<ArtifactFacts>,
  touch: Touch,
): void {
  const old = state.artifacts.byId.get(event.artifactId)
  const merged: Record<string, Fact<unknown>> = { ...(old?.facts ?? NO_FACTS) }
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) merged[name] = known(value)
  const versions = old?.versions ?? []
  if (facts.version && !versions.some(version => version.id === facts.version!.id)) versions.push(facts.version)
  add(
    state.artifacts,
    'artifact',
    event.artifactId,
    {
      artifactId: event.artifactId,
      facts: merged as Artifact['facts'],
      versions,
      deleted: facts.status === 'deleted' || (old?.deleted ?? false),
      updatedAt: event.at,
    },
    event,
    touch,
  )
  const { runId, messageId, partId } = event
  if (!old && runId && messageId && partId) {
    showIn(state, { ...event, runId, messageId, partId }, 'artifact', event.artifactId, touch)
  }
}

/** What the projection keeps of diagnostics; an agent can make one under any id. */
const DIAGNOSTICS_KEPT = 200

function addDiagnostic(
  state: SessionState,
  diagnostic: Omit<Diagnostic, 'key' | 'v'>,
  event: { seq: number },
  touch: Touch,
): void {
  const { byId } = state.diagnostics
  add(state.diagnostics, 'diagnostic', diagnostic.diagnosticId, diagnostic, event, touch)
  for (const id of byId.keys()) {
    if (byId.size <= DIAGNOSTICS_KEPT) break
    byId.delete(id)
  }
}

function diagnose(
  state: SessionState,
  event: { seq: number },
  touch: Touch,
  code: string,
  message: string,
  level: Diagnostic['level'] = 'warning',
): void {
  const old = state.diagnostics.byId.get(code)
  const count = (old?.count ?? 0) + 1
  addDiagnostic(state, { diagnosticId: code, state: 'open', level, code, message, count }, event, touch)
}

function unknownEvent(state: SessionState, event: SessionEvent, touch: Touch): void {
  state.counts.unknownEvents++
  const { type } = event
  diagnose(state, event, touch, `unknown-event:${type}`, `"${type}" is kept but not understood.`, 'info')
}
