import { randomUUID } from 'node:crypto'
import type { Action, ActionOutcome, ActionRequest, Actor, Answer, Command, EventDraft, Json } from '@vitrine/protocol'
import { Refusal } from '../../refusal.ts'
import { withoutSecrets } from '../secrets.ts'
import type { SessionActor } from '../session-actor.ts'
import { responseProblem } from './response-schema.ts'

/** Characters of a response: with the rest of its event it fits into one. */
const MAX_RESPONSE = 48 * 1024

/** Gives the response of a person to the agent that asked. The first outcome of an action counts. */
export async function respondToAction(
  session: SessionActor,
  actionId: string,
  command: Command<'respondToAction'>,
  by: Actor,
): Promise<Answer<'ActionResolved'>> {
  const action = await session.accepted.action(actionId)
  if (!action) throw new Refusal('action_not_found', 'There is no such request in this session.')
  const before = firstOutcome(session, action)
  if (before) return { actionId, outcome: before, first: false }
  const { request, runId } = action
  await checkResponse(request, command)
  // Checking takes its time: the action may have expired meanwhile, or its run may have ended.
  const meanwhile = firstOutcome(session, action)
  if (meanwhile) return { actionId, outcome: meanwhile, first: false }
  const run = session.run!
  const outcome = OUTCOMES[command.decision]
  const value = command.value ?? null
  const response = command.value === undefined ? {} : { response: withoutSecrets(request.schema, command.value) }
  // The outcome comes first: a permission that is written must follow from a response that counts.
  const drafts: EventDraft[] = [{ type: 'action.resolved', runId, actionId, outcome, by, ...response }]
  if (outcome === 'approved-for-scope' && request.scope) {
    const permissionId = `perm_${randomUUID()}`
    drafts.push({ type: 'permission.changed', permissionId, state: 'granted', scope: request.scope, actionId, by })
  }
  await session.log.write(drafts)
  run.respond(actionId, { outcome, value, by })
  return { actionId, outcome, first: true }
}

/** Takes a permission back that a person had given for a scope. */
export async function revokePermission({ log, state }: SessionActor, permissionId: string, by: Actor): Promise<void> {
  const permission = state.permissions.byId.get(permissionId)
  if (!permission) throw new Refusal('permission_not_found', 'There is no such permission in this session.')
  if (permission.state === 'revoked') return
  await log.write([{ type: 'permission.changed', permissionId, state: 'revoked', by }])
}

/** The outcome that an action has already. Nothing while a person can still respond to it. */
function firstOutcome(
  { run }: SessionActor,
  { state, outcome }: Pick<Action, 'state' | 'outcome'>,
): ActionOutcome | undefined {
  if (outcome === 'expired') {
    throw new Refusal('action_expired', 'The request expired and was denied.', { next: 'Ask the agent again.' })
  }
  if (state === 'resolved') return outcome!
  if (state === 'stale' || !run) {
    throw new Refusal('action_stale', 'The run that asked is over.', { next: 'Retry the run to be asked again.' })
  }
  return undefined
}

const OUTCOMES = {
  approve: 'approved',
  'approve-for-scope': 'approved-for-scope',
  deny: 'denied',
  answer: 'answered',
} as const satisfies Record<Command<'respondToAction'>['decision'], ActionOutcome>

/** Refuses a response that the request does not allow. Nothing is written then, and the person can correct it. */
async function checkResponse(request: ActionRequest, command: Command<'respondToAction'>): Promise<void> {
  const { decision, value } = command
  if (decision === 'deny') return
  const refuse = (why: string): Refusal =>
    new Refusal('response_invalid', why, { next: 'Correct the response and send it again.' })
  const decides = request.kind === 'approval' || request.kind === 'plan' || request.kind === 'correction'
  if (!decides && decision !== 'answer') throw refuse(`A ${request.kind} is answered, not approved.`)
  if (decision === 'approve-for-scope' && !request.scope) throw refuse('This request has no scope to remember.')
  if (request.kind === 'choice') {
    const chosen = request.multiple ? value : [value as Json]
    const allowed = new Set(request.options?.map(option => option.value))
    const fits =
      Array.isArray(chosen) && chosen.length > 0 && chosen.every(one => typeof one === 'string' && allowed.has(one))
    if (!fits) throw refuse('Choose one of the options.')
  }
  if (request.kind === 'question' && (typeof value !== 'string' || value.trim() === ''))
    throw refuse('Write an answer.')
  if (!request.schema || value === undefined) {
    if (request.kind === 'form' && value === undefined) throw refuse('Fill in the form.')
    return
  }
  if (JSON.stringify(value).length > MAX_RESPONSE) {
    throw new Refusal('too_large', 'The response is larger than what a session keeps of it.', { next: 'Send less.' })
  }
  const problem = await responseProblem(request.schema, value)
  if (problem) throw refuse(problem)
}
