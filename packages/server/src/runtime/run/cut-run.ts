import type { Action, EventDraft, Run, SessionEvent, SessionState, Usage } from '@vitrine/protocol'
import { SYSTEM } from '../../auth/principal.ts'
import { CALL_IN_DOUBT } from '../../tools/boundary.ts'
import { resumedAfterStop } from '../reasons.ts'
import { RUNTIME } from './writer.ts'

/** What the log says of a run that was cut off: after which step it goes on, and what is still open there. */
export interface CutRun {
  /** The steps that are complete, oldest first. */
  steps: { stepId: string; usage?: Usage }[]
  /** The step whose model has ended and whose calls have begun. It is kept, and its calls are finished. */
  openStep: string | undefined
  /** How often the run was resumed before. */
  resumed: number
  /** The ids of all calls that the run has announced, also of those that are taken back. */
  callIds: string[]
  /** Parts that were streamed after the last step that is kept. */
  retracted: { messageId: string; partId: string }[]
  /** Calls of such parts that never ran and have no end. */
  withdrawn: string[]
  /** Calls that were allowed to run and have no result: nobody knows whether they had an effect. */
  doubts: Set<string>
  /** Requests that the agent may ask once more after a restart, and gets the same request or its answer. */
  requests: Action[]
  /** Requests that a tool made in the middle of a call that is in doubt. Whoever asked is gone. */
  orphans: string[]
  /** The run does nothing but wait for a person: a restart has cut off nothing. */
  waits: boolean
  /** The highest numbers that the runtime has given to parts and calls, diagnostics and subagents of this run. */
  numbers: { parts: number; diagnostics: number; subagents: number }
}

interface Call {
  toolCallId: string
  partId: string
  /** The runtime or the agent runs it, and has begun to: the model has said all of this step. */
  begun: boolean
  allowed: boolean
}

/** Kinds of parts that a model streams. What a person said, was asked or was shown beside it stays. */
const STREAMED: ReadonlySet<string> = new Set(['text', 'reasoning', 'tool', 'file', 'source', 'activity'])

/**
 * Reads the events of a run from `run.started` on. Gives nothing when the run cannot go on: a subagent was cut off, or a
 * call was allowed outside of any step.
 */
export async function readCutRun(
  state: SessionState,
  run: Run,
  events: AsyncIterable<SessionEvent>,
): Promise<CutRun | undefined> {
  const { runId } = run
  const steps: CutRun['steps'] = []
  const callIds = new Set<string>()
  const numbers = { parts: 0, diagnostics: 0, subagents: 0 }
  let parts = new Map<string, string>()
  let calls = new Map<string, Call>()
  let requests = new Map<string, string | undefined>()
  let openStep: string | undefined
  let resumed = 0
  for await (const event of events) {
    if (event.runId !== runId) continue
    note(event)
    const { toolCallId, partId, messageId, subagentId } = event
    if (partId !== undefined && messageId !== undefined) parts.set(partId, messageId)
    const call = toolCallId === undefined ? undefined : calls.get(toolCallId)
    switch (event.type) {
      case 'step.started':
        if (subagentId === undefined) openStep = event.stepId
        break
      case 'step.finished':
        if (subagentId !== undefined) break
        steps.push({ stepId: event.stepId, ...(event.usage && { usage: event.usage }) })
        openStep = undefined
        parts = new Map()
        calls = new Map()
        requests = new Map()
        break
      case 'run.resumed':
        resumed++
        break
      case 'tool.started':
        callIds.add(event.toolCallId)
        // A call that the provider runs belongs to what the model says.
        if (event.executor !== 'provider')
          calls.set(event.toolCallId, {
            toolCallId: event.toolCallId,
            partId: event.partId,
            begun: false,
            allowed: false,
          })
        break
      case 'tool.args':
        break
      case 'part.retracted':
        for (const [id, { partId }] of calls) if (partId === event.partId) calls.delete(id)
        break
      case 'action.required':
        if (call) call.begun = true
        requests.set(event.actionId, toolCallId)
        break
      case 'tool.progress':
        if (event.by && call) {
          call.allowed = true
          // What was asked before the call ran has had its effect.
          for (const [actionId, of] of requests) if (of === toolCallId) requests.delete(actionId)
        }
        if (call) call.begun = true
        break
      default:
        if (call) call.begun = true
    }
  }
  const kept = [...calls.values()].some(({ begun }) => begun)
  if (run.openSubagents.size > 0 || (kept && openStep === undefined)) return undefined
  const isOpen = (toolCallId: string): boolean => state.tools.byId.get(toolCallId)?.endedAt === null
  const doubts = new Set(
    [...calls.values()]
      .filter(({ allowed, toolCallId }) => allowed && isOpen(toolCallId))
      .map(({ toolCallId }) => toolCallId),
  )
  const asked = [...requests.keys()].flatMap(actionId => state.actions.byId.get(actionId) ?? [])
  const isOrphan = ({ toolCallId, request }: Action): boolean =>
    toolCallId !== null && doubts.has(toolCallId) && request.reason?.code !== CALL_IN_DOUBT
  const mine = asked.filter(action => !isOrphan(action))
  const pending = mine.filter(action => action.state === 'pending')
  const retracted = kept
    ? []
    : [...parts]
        .map(([partId, messageId]) => ({ partId, messageId }))
        .filter(({ partId }) => {
          const part = state.parts.byId.get(partId)
          if (!part || part.state === 'retracted') return false
          return STREAMED.has(part.kind) || state.compactions.byId.get(part.refId ?? '')?.state === 'running'
        })
  return {
    steps,
    openStep: kept ? openStep : undefined,
    resumed,
    callIds: [...callIds].map(id => (id.startsWith(`${runId}/`) ? id.slice(runId.length + 1) : id)),
    retracted,
    withdrawn: kept ? [] : [...run.openTools],
    doubts,
    requests: mine,
    orphans: asked.filter(action => isOrphan(action) && action.state === 'pending').map(({ actionId }) => actionId),
    waits: kept && pending.length > 0 && [...doubts].every(id => pending.some(({ toolCallId }) => toolCallId === id)),
    numbers,
  }

  function note(event: SessionEvent): void {
    if (event.type === 'agent.spawned') numbers.subagents++
    if (event.type === 'diagnostic.changed' && event.diagnosticId.startsWith(`${RUNTIME}${runId}/`))
      numbers.diagnostics++
    for (const id of [event.partId, event.toolCallId]) {
      const number = id === undefined ? undefined : /#(\d+)$/.exec(id)?.[1]
      if (number !== undefined) numbers.parts = Math.max(numbers.parts, Number(number))
    }
  }
}

/** What is written before the run goes on: that it was cut off, and what of it is taken back. */
export function resumption({ runId, turnId }: Run, cut: CutRun): EventDraft[] {
  const ids = { runId, turnId }
  const error = { code: 'withdrawn', message: 'The model is asked again, so this call was not run.' }
  const stepId = cut.openStep ?? cut.steps.at(-1)?.stepId
  return [
    { type: 'run.resumed', ...ids, ...(stepId !== undefined && { stepId }), reason: resumedAfterStop },
    ...cut.orphans.map(
      (actionId): EventDraft => ({ type: 'action.resolved', ...ids, actionId, outcome: 'cancelled', by: SYSTEM }),
    ),
    ...cut.withdrawn.map((toolCallId): EventDraft => ({ type: 'tool.failed', ...ids, toolCallId, error })),
    ...cut.retracted.map((part): EventDraft => ({ type: 'part.retracted', ...ids, ...part, reason: resumedAfterStop })),
    ...(cut.openStep === undefined
      ? []
      : [{ type: 'step.started', ...ids, stepId: cut.openStep } satisfies EventDraft]),
  ]
}
