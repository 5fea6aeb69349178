import { type Action, type Actor, isObject, type Json } from '@vitrine/protocol'
import type { I18n, MessageKey } from '../i18n/i18n.tsx'

const outcomeKeys: Record<NonNullable<Action['outcome']>, MessageKey> = {
  approved: 'request.approved',
  'approved-for-scope': 'request.approvedForScope',
  denied: 'request.denied',
  answered: 'request.answered',
  expired: 'request.expired',
  cancelled: 'request.cancelled',
}

/** What came of it, said so that it does not claim more than was decided, nor less. */
export function outcomeKey({ state, outcome, by, response, request }: Action): MessageKey {
  if (state === 'stale' || !outcome) return 'request.stale'
  if (outcome !== 'approved') return outcomeKeys[outcome]
  if (by?.kind === 'policy') return 'request.approvedByPolicy'
  return request.kind === 'approval' && response !== null ? 'request.approvedEdited' : 'request.approved'
}

/** Who decided. A permission is named, so that it can be found and revoked. */
export function byWords(t: I18n['t'], { kind, name }: Actor): string {
  if (kind === 'system') return t('request.by.system')
  if (kind === 'policy') return name ? t('request.by.named', { name }) : t('request.by.policy')
  return t('request.by.person', { name: name || t('request.by.you') })
}

/** What has let a call run: a person, a permission that a person gave, a choice for the session, or a policy. */
export function allowedWords(t: I18n['t'], { kind, id, name }: Actor): string {
  if (kind !== 'policy') return name || t('request.by.you')
  if (id.startsWith('session:')) return t('tool.allowedBy.session')
  if (id.startsWith('agent:')) return t('tool.allowedBy.agent')
  if (id === 'mode:all') return t('tool.allowedBy.all')
  if (id === 'mode:reads' || id === 'mode:ask' || id === 'default') return t('tool.allowedBy.reads')
  return t('tool.allowedBy.permission', { name })
}

/** What became of a request as a sentence of two pieces: what was done, and with what. */
export interface AnsweredWords {
  readonly done: string
  readonly what: string
  /** The question, when the sentence has only the answer. */
  readonly asked?: string
}

/** The title of a request inside a sentence. */
const inSentence = (title: string): string => title.replace(/\s*[?？]\s*$/, '')

/** The sentence of an answered request, such as "You chose The mountains". */
export function answeredWords({ t, duration }: Pick<I18n, 't' | 'duration'>, action: Action): AnsweredWords {
  const { request, outcome, state, by, response, text, at, resolvedAt } = action
  const what = inSentence(request.title)
  const who = by && by.kind !== 'policy' && by.kind !== 'system' ? by.name : ''
  // Languages differ in more than the name: a sentence about you is another one than a sentence about somebody.
  const say = (key: AnsweredKey, rest: string): AnsweredWords => ({
    done: who ? t(`answered.they.${key}`, { name: who }) : t(`answered.you.${key}`),
    what: rest,
  })
  const sayAnswer = (key: AnsweredKey, answer: string): AnsweredWords => ({ ...say(key, answer), asked: request.title })
  if (state === 'stale' || !outcome) return { done: t('request.stale'), what }
  if (outcome === 'expired') {
    const waited = t('answered.noAnswer', { title: request.title, duration: duration((resolvedAt ?? at) - at) })
    return { done: t('answered.expired'), what: waited }
  }
  if (outcome === 'cancelled') return { done: t('answered.cancelled'), what }
  if (by?.kind === 'policy') return { done: t('request.approvedByPolicy'), what }
  if (outcome === 'denied') {
    const key = request.kind === 'approval' ? 'denied' : request.kind === 'plan' ? 'planDenied' : 'skipped'
    return say(key, text === null ? what : t('answered.with', { what, text }))
  }
  if (outcome === 'approved-for-scope') return say('always', t('answered.always', { what }))
  if (request.kind === 'plan') {
    if (text !== null) return sayAnswer('answered', text)
    const count = planChanges(action)
    return say('planStarted', count ? t('answered.changes', { count }) : what)
  }
  if (request.kind === 'approval') {
    return response === null ? say('allowed', t('answered.once', { what })) : say('allowedEdited', what)
  }
  if (request.kind === 'correction') return say('corrected', what)
  if (text !== null) return sayAnswer('answered', text)
  const chosen = chosenLabels(action)
  if (chosen.length > 0) return sayAnswer('chose', chosen.join(', '))
  if (typeof response === 'string') return sayAnswer('answered', response)
  const count = isObject(response) ? Object.keys(response).length : 0
  return say('filled', count ? t('answered.fields', { what, count }) : what)
}

type AnsweredKey =
  | 'denied'
  | 'planDenied'
  | 'skipped'
  | 'always'
  | 'planStarted'
  | 'allowed'
  | 'allowedEdited'
  | 'corrected'
  | 'answered'
  | 'chose'
  | 'filled'

/** The labels of the options that were chosen. */
function chosenLabels({ request: { options }, response }: Action): string[] {
  if (!options?.length) return []
  const values = Array.isArray(response) ? response : [response]
  return options.filter(({ value }) => values.includes(value)).map(({ label }) => label)
}

export interface AnsweredStep {
  readonly id: string
  readonly title: string
  readonly detail?: string | undefined
  readonly change: 'none' | 'edited' | 'added' | 'removed'
}

const idOf = (step: Json): string | undefined =>
  typeof step === 'string' ? step : isObject(step) && typeof step.id === 'string' ? step.id : undefined

/** The steps of a plan as the person left them, those that were taken out at the end. */
export function answeredSteps({ request: { plan = [] }, response }: Action): AnsweredStep[] {
  const given = isObject(response) && Array.isArray(response.steps) ? response.steps : null
  if (!given) return plan.map(({ id, title, detail }) => ({ id, title, detail, change: 'none' }))
  const kept = given.flatMap((step): AnsweredStep[] => {
    const id = idOf(step)
    const before = plan.find(one => one.id === id)
    const title = isObject(step) && typeof step.title === 'string' ? step.title : before?.title
    if (id === undefined || title === undefined) return []
    const change = !before ? 'added' : before.title === title ? 'none' : 'edited'
    return [{ id, title, detail: before?.detail, change }]
  })
  const removed = plan.filter(({ id }) => !kept.some(step => step.id === id))
  return [...kept, ...removed.map(({ id, title }): AnsweredStep => ({ id, title, change: 'removed' }))]
}

/** How many changes a person made to a plan: steps edited, added or taken out, and another order as one more. */
function planChanges(action: Action): number {
  const steps = answeredSteps(action)
  const changed = steps.filter(({ change }) => change !== 'none').length
  return changed + (isReordered(action.request.plan ?? [], steps) ? 1 : 0)
}

/** Whether the steps that stayed stand in another order than before. */
export function isReordered(
  before: readonly { id: string }[],
  after: readonly { id: string; change: AnsweredStep['change'] }[],
): boolean {
  const stayed = after.filter(({ change }) => change === 'none' || change === 'edited').map(({ id }) => id)
  const was = before.map(({ id }) => id).filter(id => stayed.includes(id))
  return stayed.some((id, at) => id !== was[at])
}
