import { randomUUID } from 'node:crypto'
import type { Action, ActionOutcome, ActionRequest, Actor, Answer, Command, EventDraft, Json } from '@vitrine/protocol'
import { type DeclaredSecrets, maskJson, maskLike } from '../../masking/mask-secrets.ts'
import { Refusal } from '../../refusal.ts'
import { maskResponse, maskWords } from '../mask-response.ts'
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
  const run = session.runOf(runId)!
  const outcome = OUTCOMES[command.decision]
  const value = command.value ?? null
  const response =
    command.value === undefined ? {} : { response: maskGiven(request, command.value, run.declared(actionId)) }
  const words = command.text === undefined ? {} : { text: command.text }
  const shown = command.text === undefined ? {} : { text: maskWords(request.schema, outcome, command.text) }
  // The outcome comes first: a permission that is written must follow from a response that counts.
  const drafts: EventDraft[] = [{ type: 'action.resolved', runId, actionId, outcome, by, ...response, ...shown }]
  if (outcome === 'approved-for-scope' && request.scope) {
    const permissionId = `perm_${randomUUID()}`
    drafts.push({ type: 'permission.changed', permissionId, state: 'granted', scope: request.scope, actionId, by })
  }
  await session.log.write(drafts)
  run.respond(actionId, { outcome, value, by, ...words })
  return { actionId, outcome, first: true }
}

/** What a person responded, as facts have it. What they were shown as a mask stays one, whatever they made of it. */
const maskGiven = ({ schema, args }: ActionRequest, value: Json, declared: DeclaredSecrets): Json =>
  maskJson(maskLike(maskResponse(schema, value), args), declared)

/** Takes a permission back that a person had given for a scope. */
export async function revokePermission({ log, state }: SessionActor, permissionId: string, by: Actor): Promise<void> {
  const permission = state.permissions.byId.get(permissionId)
  if (!permission) throw new Refusal('permission_not_found', 'There is no such permission in this session.')
  if (permission.state === 'revoked') return
  await log.write([{ type: 'permission.changed', permissionId, state: 'revoked', by }])
}

/** The outcome that an action has already. Nothing while a person can still respond to it. */
function firstOutcome(
  session: SessionActor,
  { state, outcome, runId }: Pick<Action, 'state' | 'outcome' | 'runId'>,
): ActionOutcome | undefined {
  if (outcome === 'expired') {
    throw new Refusal('action_expired', 'The request expired and was denied.', { next: 'Ask the agent again.' })
  }
  if (state === 'resolved') return outcome!
  if (state === 'stale' || !session.runOf(runId)) {
    throw new Refusal('action_stale', 'The run that asked is over.', { next: 'Retry the run to be asked again.' })
  }
  return undefined
}

type Decision = Command<'respondToAction'>['decision']

const OUTCOMES = {
  approve: 'approved',
  'approve-for-scope': 'approved-for-scope',
  deny: 'denied',
  answer: 'answered',
} as const satisfies Record<Decision, ActionOutcome>

/** The decisions that belong to each kind of request. Only what can be approved can be consented to, and an approval only so. */
const DECISIONS: Record<ActionRequest['kind'], readonly Decision[]> = {
  approval: ['approve', 'approve-for-scope', 'deny'],
  plan: ['approve', 'approve-for-scope', 'answer', 'deny'],
  correction: ['approve', 'approve-for-scope', 'answer', 'deny'],
  choice: ['answer', 'deny'],
  form: ['answer', 'deny'],
  question: ['answer', 'deny'],
  'client-tool': ['answer', 'deny'],
}

/** What a person may answer in their own words, whatever options or steps there are. */
const IN_WORDS: ReadonlySet<ActionRequest['kind']> = new Set(['choice', 'question', 'plan'])

const refuse = (why: string, next = 'Correct the response and send it again.'): Refusal =>
  new Refusal('response_invalid', why, { next })

/** Refuses a response that the request does not allow. Nothing is written then, and the person can correct it. */
async function checkResponse(request: ActionRequest, command: Command<'respondToAction'>): Promise<void> {
  const { kind, schema } = request
  const { decision, value, text } = command
  checkDecision(request, decision)
  if (value !== undefined && JSON.stringify(value).length > MAX_RESPONSE) {
    throw new Refusal('too_large', 'The response is larger than what a session keeps of it.', { next: 'Send less.' })
  }
  if (text !== undefined && text.trim() === '')
    throw refuse('The text is blank.', 'Write something, or leave text out.')
  if (decision === 'deny') return
  if (text !== undefined) {
    if (decision !== 'answer') throw refuse('Words do not approve.', 'Approve without them, or deny with them.')
    if (!IN_WORDS.has(kind)) throw refuse(`A ${kind} is not answered in words.`, 'Send the answer as value.')
    if (value === undefined) return
  }
  if (decision === 'answer') checkAnswer(request, value)
  else if (kind === 'approval' && (value ?? null) !== null && request.args === undefined && !schema) {
    throw refuse('This request has no arguments that could be edited.', 'Approve without a value.')
  }
  if (!schema || value === undefined) return
  const problem = await responseProblem(schema, value)
  if (problem) throw refuse(problem)
}

function checkDecision({ kind, scope }: ActionRequest, decision: Decision): void {
  const allowed = DECISIONS[kind].filter(one => one !== 'approve-for-scope' || scope)
  if (allowed.includes(decision)) return
  const next = `Send one of these decisions: ${allowed.join(', ')}.`
  if (DECISIONS[kind].includes(decision)) throw refuse('This request has no scope to remember.', next)
  throw refuse(`The decision ${decision} does not belong to a request of kind ${kind}.`, next)
}

/** Each kind of request is answered with a value of its own. */
function checkAnswer(request: ActionRequest, value: Json | undefined): void {
  const { kind, schema } = request
  if (kind === 'plan') {
    throw refuse('A plan is answered in words alone.', 'Approve it with the steps as value, or answer with text.')
  }
  if (kind === 'choice' && !isChosen(request, value)) throw refuse('Choose one of the options.')
  const isText = typeof value === 'string' && value.trim() !== ''
  if (kind === 'question' && !schema && !isText && !isChosen(request, value)) throw refuse('Write an answer.')
  if (value !== undefined) return
  if (kind === 'form' || kind === 'question') throw refuse('Fill in the form.', 'Send its values as value.')
  if (kind === 'correction') throw refuse('The correction is missing.', 'Send the corrected content as value.')
}

function isChosen({ multiple, options = [] }: ActionRequest, value: Json | undefined): boolean {
  const chosen = multiple ? value : [value as Json]
  const allowed = new Set(options.map(option => option.value))
  return Array.isArray(chosen) && chosen.length > 0 && chosen.every(one => typeof one === 'string' && allowed.has(one))
}
