import {
  type Action,
  type Artifact,
  type Collection,
  type Diagnostic,
  type Entity,
  type Evidence,
  type Fact,
  idOf,
  type Message,
  type Part,
  type PartKind,
  type Run,
  type SessionState,
  type Tool,
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
    session.createdAt ||= event.at
    session.updatedAt = event.at
    if (event.title !== undefined) session.title = known(event.title)
    if (event.agentId !== undefined) session.agentId = known(event.agentId)
    if (event.metadata) session.metadata = { ...session.metadata, ...event.metadata }
    Object.assign(session, given(event, ['queuePolicy', 'pinned', 'archived', 'forkOf', 'parent'], session))
    changed(session, event, touch)
  },

  'run.started': (state, event, touch) => {
    state.counts.runs++
    add(
      state.runs,
      'run',
      event.runId,
      {
        ...given(event, ['runId', 'turnId', 'agentId', 'parentRunId', 'by', 'attempt', 'retryOf']),
        status: 'submitted',
        reason: null,
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
    const earlier = find(state.runs, event.retryOf)
    if (earlier) {
      earlier.retriedBy = event.runId
      changed(earlier, event, touch)
    }
    const turn = state.turns.byId.get(event.turnId)
    if (turn) {
      turn.state = 'active'
      changed(turn, event, touch)
    } else {
      const fields = given(event, ['turnId', 'messageId', 'input', 'by'])
      add(state.turns, 'turn', event.turnId, { ...fields, state: 'active' }, event, touch)
      for (const { turnId, digest } of event.merged ?? []) {
        const input: TurnInput = { text: '', ...(digest !== undefined && { digest }) }
        add(state.turns, 'turn', turnId, { ...fields, turnId, input, state: 'merged' }, event, touch)
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
      diagnose(state, event, touch, 'final-mismatch', part.partId)
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
    Object.assign(part, given(event, ['reason', 'replacedBy']))
    closePart(state, part, 'retracted', event, touch)
  },

  'tool.started': (state, event, touch) => {
    state.counts.tools++
    const part = partOf(state, event, 'tool', touch)
    if (!part) return
    const { toolCallId, messageId, partId, runId, name, title = null, summary = null, retryOf = null } = event
    part.refId = toolCallId
    const tool = add(
      state.tools,
      'tool',
      toolCallId,
      {
        toolCallId,
        messageId,
        partId,
        runId,
        name,
        title,
        summary,
        retryOf,
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
    state.runs.byId.get(runId)?.open.add(tool.key)
  },

  'tool.args': (state, event, touch) => {
    const tool = toolOf(state, event)
    if (!tool) return
    if (event.delta) tool.args.append(event.delta)
    if (event.done) {
      tool.argsDone = true
      tool.state = 'running'
    }
    tool.summary = event.summary ?? tool.summary
    changed(tool, event, touch)
  },

  'tool.progress': (state, event, touch) => {
    const tool = toolOf(state, event)
    if (!tool) return
    tool.state = 'running'
    const old = tool.progress
    tool.progress = {
      message: event.message ?? old?.message ?? null,
      current: event.current ?? old?.current ?? null,
      total: event.total ?? old?.total ?? null,
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
    const action = add(
      state.actions,
      'action',
      event.actionId,
      {
        ...given(event, ['actionId', 'runId', 'messageId', 'toolCallId', 'request', 'at']),
        state: 'pending',
        outcome: null,
        by: null,
        response: null,
        resolvedAt: null,
      },
      event,
      touch,
    )
    state.session.needsInput++
    changed(state.session, event, touch)
    state.runs.byId.get(event.runId)?.open.add(action.key)
    showIn(state, event, 'action', event.actionId, touch)
  },

  'action.resolved': (state, event, touch) => {
    const action = state.actions.byId.get(event.actionId)
    if (!action || action.state === 'resolved') return
    if (action.state === 'pending') answered(state, action, event, touch)
    Object.assign(action, given(event, ['outcome', 'by', 'response']), { state: 'resolved', resolvedAt: event.at })
    state.runs.byId.get(action.runId)?.open.delete(action.key)
    const tool = find(state.tools, action.toolCallId)
    const edited = event.outcome.startsWith('approved') ? event.response : undefined
    if (tool && edited !== undefined && !seen(state, tool.messageId, event)) {
      tool.approvedArgs = edited
      changed(tool, event, touch)
    }
    changed(action, event, touch)
    changed(state.actions, event, touch)
  },

  'queue.changed': (state, event, touch) => {
    const { queue } = state
    const { turns } = queue
    const { change, turn, position = turns.length } = event
    const at = turns.findIndex(({ turnId }) => turnId === event.turnId)
    const found = at >= 0
    if (change === 'added' && turn && !found) turns.splice(position, 0, turn)
    if (change === 'edited' && turn && found) turns[at] = turn
    if (change === 'moved' && found) turns.splice(position, 0, ...turns.splice(at, 1))
    if ((change === 'removed' || change === 'started') && found) turns.splice(at, 1)
    if (change === 'held' || change === 'released') queue.held = change === 'held'
    queue.reason = queue.held ? (event.reason ?? queue.reason) : null
    changed(queue, event, touch)
  },

  'steer.accepted': (state, event, touch) => {
    const fields = given(event, ['steerId', 'runId', 'text', 'interaction', 'by', 'at'])
    add(state.steers, 'steer', event.steerId, { ...fields, state: 'accepted', reason: null }, event, touch)
  },

  'steer.rejected': (state, event, touch) => {
    const { steerId, reason } = event
    if (update(state.steers, steerId, { state: 'rejected', reason }, event, touch)) return
    const fields = given(event, ['steerId', 'runId', 'by', 'reason', 'at'])
    add(state.steers, 'steer', steerId, { ...fields, text: '', interaction: null, state: 'rejected' }, event, touch)
  },

  'steer.consumed': (state, event, touch) => {
    update(state.steers, event.steerId, { state: 'consumed' }, event, touch)
    showIn(state, event, 'steer', event.steerId, touch)
  },

  'plan.delta': (state, event, touch) => {
    const plan = planOf(state, event)
    plan.final = false
    for (const step of event.steps) {
      const at = plan.steps.findIndex(old => old.id === step.id)
      if (at < 0) plan.steps.push(step)
      else plan.steps[at] = step
    }
    changed(plan, event, touch)
  },

  'plan.final': (state, event, touch) => {
    const plan = planOf(state, event)
    plan.steps = [...event.steps]
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
    const { agentId, runId, parentAgentId } = event
    add(
      state.agents,
      'agent',
      agentId,
      {
        ...given(event, ['agentId', 'runId', 'name', 'parentAgentId', 'input']),
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
    showIn(state, { ...event, agentId: parentAgentId }, 'agent', agentId, touch)
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
    const { compactionId } = event
    add(
      state.compactions,
      'compaction',
      compactionId,
      {
        ...given(event, ['compactionId', 'reason']),
        state: 'running',
        tokensBefore: null,
        tokensAfter: null,
        summary: null,
      },
      event,
      touch,
    )
    showIn(state, event, 'compaction', compactionId, touch)
  },

  'context.compaction.completed': (state, event, touch) => {
    const fields = given(event, ['tokensBefore', 'tokensAfter', 'summary'])
    update(state.compactions, event.compactionId, { ...fields, state: 'done' }, event, touch)
  },

  'permission.changed': (state, event, touch) => {
    const old = state.permissions.byId.get(event.permissionId)
    add(
      state.permissions,
      'permission',
      event.permissionId,
      {
        ...given(event, ['permissionId', 'state', 'by', 'at']),
        ...given(event, ['scope', 'actionId'], old),
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
      const run = find(state.runs, event.runId)
      if (!run) return
      Object.assign(run.metrics, event.values)
      changed(run, event, touch)
    } else {
      const message = find(state.messages, event.messageId)
      if (!message) return outside(state, event)
      if (event.seq <= message.asOf) return
      Object.assign(message.metadata, event.values)
      changed(message, event, touch)
    }
  },

  'diagnostic.changed': (state, event, touch) => addDiagnostic(state, event, event, touch),

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
    if (problem) diagnose(state, event, touch, 'state-size', problem)
    // Deltas write in place: the logged event must not change with them.
    state.shared.value = problem ? missing('unavailable') : known(structuredClone(event.state))
    changed(state.shared, event, touch)
  },

  'state.delta': (state, event, touch) => {
    const { shared } = state
    const patch = state.meter?.apply ?? applyPatch
    const result = shared.value.known ? patch(shared.value.value, event.patch) : undefined
    if (result?.ok) shared.value = known(result.value)
    else diagnose(state, event, touch, 'state-patch', result?.reason ?? 'no state')
    changed(shared, event, touch)
  },

  'messages.snapshot': (state, event, touch) => {
    if (state.repair?.snapshotId !== event.snapshotId) {
      const { snapshotId, fromOrdinal } = event
      state.repair = { snapshotId, page: -1, fromOrdinal, named: new Set() }
    }
    const { repair } = state
    repair.page = event.page
    for (const repaired of event.messages) {
      repair.named.add(repaired.messageId)
      if (repaired.ordinal < state.windowFrom) {
        outside(state, event)
        continue
      }
      let message = state.messages.byId.get(repaired.messageId)
      if (ofPerson(event, message ?? repaired)) continue
      if (message) dropParts(state, message)
      else message = addMessage(state, { ...event, ...repaired }, repaired.messageId, repaired.role, touch)
      const { role, at } = repaired
      const metadata = { ...repaired.metadata }
      Object.assign(message, { role, at, metadata, parts: [], partsFrom: 0, loose: 0 })
      for (const { partId, kind, text } of repaired.parts) {
        const holder = find(state.messages, state.parts.byId.get(partId)?.messageId)
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
        dropParts(state, message)
        state.messages.byId.delete(message.messageId)
      }
    }
    state.repair = null
    changed(state.messages, event, touch)
    diagnose(state, event, touch, 'messages-repaired', '', 'info')
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
          ...given(event, ['surfaceId', 'messageId', 'partId']),
          ordinal: null,
          ...emptySurface(),
          loaded: true,
          asOf: 0,
        },
        event,
        touch,
      )
      if (inPart(event)) {
        surface.loaded = showIn(state, event, 'surface', event.surfaceId, touch) !== undefined
        surface.ordinal = state.messages.byId.get(event.messageId)?.ordinal ?? null
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

type Given<E, N extends keyof E, B> = {
  [K in N]-?: NonNullable<E[K]> | (undefined extends E[K] ? (B extends Record<K, infer V> ? V : null) : never)
}

/**
 * These fields as the event gives them. One that it leaves out is as it was before, or null when it was not there.
 * Classes of which a run has many name their fields themselves, because that is twice as fast.
 */
function given<E, N extends keyof E & string, B extends { [K in N]?: unknown } | null | undefined = null>(
  event: E,
  names: readonly N[],
  before?: B,
): Given<E, N, B> {
  const fields: Partial<Record<N, unknown>> = {}
  for (const name of names) fields[name] = event[name] ?? before?.[name] ?? null
  return fields as Given<E, N, B>
}

/** The plan of the event's run. The plan of an earlier run ends with the first word of another one's. */
function planOf(state: SessionState, { runId, title }: EventOf<'plan.delta' | 'plan.final'>): SessionState['plan'] {
  const { plan } = state
  if (plan.runId !== runId) Object.assign(plan, { runId, title: null, steps: [] })
  plan.title = title ?? plan.title
  return plan
}

const find = <T extends Entity>({ byId }: Collection<T>, id: string | null | undefined): T | undefined => byId.get(id!)

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
  const tool = find(state.tools, action.toolCallId)
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

const inPart = <E extends { [K in keyof InPart]?: unknown }>(event: E): event is E & InPart =>
  Boolean(event.runId && event.messageId && event.partId)

/** Shows it in the part that the event names, if it names one. */
function showIn(
  state: SessionState,
  event: Pick<SessionEvent, 'seq' | 'at' | keyof InPart>,
  kind: PartKind,
  refId: string,
  touch: Touch,
): Part | undefined {
  const part = inPart(event) ? partOf(state, event, kind, touch) : undefined
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
      turnId: event.turnId ?? find(state.runs, event.runId)?.turnId ?? null,
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
  find(state.runs, message.runId)?.open.add(part.key)
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
  find(state.runs, part.runId)?.open.delete(part.key)
  changed(part, event, touch)
}

function dropParts(state: SessionState, { parts }: Message): void {
  for (const partId of parts) state.parts.byId.delete(partId)
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
  const { error = null, reason = null } = event as Partial<EventOf<'run.finished'> & EventOf<'run.failed'>>
  Object.assign(run, { outcome, status: outcome, endedAt: event.at, error, reason })
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
  const id = idOf(key)
  if (key.startsWith('part:')) {
    const part = state.parts.byId.get(id)
    if (part?.state === 'streaming') closePart(state, part, 'incomplete', event, touch)
  } else if (key.startsWith('tool:')) {
    const tool = state.tools.byId.get(id)
    if (tool?.endedAt !== null) return
    tool.result = missing('unknown')
    endTool(state, tool, 'unknown', event, touch)
  } else if (key.startsWith('action:')) {
    const action = state.actions.byId.get(id)
    if (action?.state !== 'pending') return
    answered(state, action, event, touch)
    update(state.actions, id, { state: 'stale' }, event, touch)
  } else if (state.agents.byId.get(id)?.state === 'running') {
    update(state.agents, id, { state: 'unknown' }, event, touch)
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
  if (!old) showIn(state, event, 'artifact', event.artifactId, touch)
}

/** What the projection keeps of diagnostics; an agent can make one under any id. */
const DIAGNOSTICS_KEPT = 200

const NEW_DIAGNOSTIC: Pick<Diagnostic, 'level' | 'code' | 'message' | 'count'> = {
  level: 'info',
  code: 'unknown',
  message: '',
  count: 0,
}

function addDiagnostic(
  state: SessionState,
  told: Pick<EventOf<'diagnostic.changed'>, 'diagnosticId' | 'state' | 'level' | 'code' | 'message'>,
  event: { seq: number },
  touch: Touch,
): void {
  const { byId } = state.diagnostics
  const { diagnosticId } = told
  const old = byId.get(diagnosticId) ?? NEW_DIAGNOSTIC
  const fields = given(told, ['diagnosticId', 'state', 'level', 'code', 'message'], old)
  const count = old.count + (told.state === 'open' ? 1 : 0)
  add(state.diagnostics, 'diagnostic', diagnosticId, { ...fields, count }, event, touch)
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
  diagnosticId = code,
): void {
  addDiagnostic(state, { diagnosticId, state: 'open', level, code, message }, event, touch)
}

function unknownEvent(state: SessionState, event: SessionEvent, touch: Touch): void {
  state.counts.unknownEvents++
  const { type } = event
  diagnose(state, event, touch, 'unknown-event', type, 'info', `unknown-event:${type}`)
}
