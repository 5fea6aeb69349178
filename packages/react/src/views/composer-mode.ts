import type { ConnectionState, SessionPhase } from '@vitrine/client'
import type { Action, ActionRequest, RunStatus } from '@vitrine/protocol'
import type { MessageKey } from '../i18n/i18n.tsx'
import type { ComposerAction } from './outbox.ts'

/** What a person can do with a text while a run is active, besides answering it. */
export type BusyMode = 'queue' | 'steer' | 'new-task'
export type ComposerMode = Exclude<ComposerAction, 'send'>

export interface ComposerFacts {
  phase: SessionPhase
  connection: ConnectionState
  /** Status of the run that owns the session, null when idle. */
  active: RunStatus | null
  /** What words do to the request that waits: they answer it, or refuse it. Null when none waits that takes words. */
  asked: 'answer' | 'refuse' | null
  /** What kind of request waits: the one that words go to, or else a form. Null when neither waits. */
  waits: ActionRequest['kind'] | null
  /** Whether this text goes to the request that waits. */
  answers: boolean
  /** A text that was sent before is not a fact yet. */
  onItsWay: boolean
  /** What the person chose for busy times. */
  preferred: BusyMode
}

export interface ComposerPlan {
  /** What Enter will do. Known, and shown, before the key is pressed. */
  action: ComposerAction
  /** Why nothing can be sent now, or null. */
  blocked: MessageKey | null
  /** The choices to show; none while idle. */
  modes: readonly { mode: ComposerMode; unavailable: MessageKey | null }[]
  hint: MessageKey
  /** What kind of hint it is, see the composer's box. */
  hintKind: 'keys' | 'warning' | undefined
}

const hints: Record<ComposerAction, MessageKey> = {
  send: 'composer.hint.send',
  queue: 'composer.hint.queue',
  steer: 'composer.hint.steer',
  'new-task': 'composer.hint.newTask',
  answer: 'composer.hint.answer',
  refuse: 'composer.hint.refuse',
}

export function composerPlan(facts: ComposerFacts): ComposerPlan {
  const { phase, connection, active, asked, waits, answers, onItsWay, preferred } = facts
  const blocked = blockedBecause(phase, connection)
  if (active === null) {
    // Behind a text that is on its way a second one would meet the run that the first one begins.
    const action = onItsWay || phase === 'loading' ? 'queue' : 'send'
    const hint = blocked ?? (onItsWay ? 'composer.hint.after' : hints.send)
    return { action, blocked, modes: [], hint, hintKind: kindOf(hint) }
  }
  // A run that is being stopped takes no steer any more; the queue is what comes after it.
  const stopping = active === 'cancelling'
  const busy = stopping && preferred === 'steer' ? 'queue' : preferred
  const action = asked && answers ? asked : busy
  const modes = [...(asked ? [asked] : []), 'queue' as const, 'steer' as const, 'new-task' as const].map(mode => ({
    mode,
    unavailable: mode === 'steer' && stopping ? ('composer.stopping' as const) : null,
  }))
  const hint = blocked ?? busyHint(action, waits)
  return { action, blocked, modes, hint, hintKind: kindOf(hint) }
}

const kindOf = (hint: MessageKey): ComposerPlan['hintKind'] =>
  hint === hints.refuse ? 'warning' : hint === hints.send ? 'keys' : undefined

function busyHint(action: ComposerAction, waits: ComposerFacts['waits']): MessageKey {
  if (action === 'answer' && waits === 'plan') return 'composer.hint.plan'
  // A run that waits for a form does not end before it has it, so neither does the wait of what is queued.
  if (action === 'queue' && isForm(waits)) return 'composer.hint.form'
  return hints[action]
}

function blockedBecause(phase: SessionPhase, connection: ConnectionState): MessageKey | null {
  if (phase === 'failed') return 'composer.blocked.failed'
  if (phase === 'gone') return 'composer.blocked.gone'
  if (connection === 'refused') return 'composer.blocked.refused'
  return null
}

/** What words do to a request. To an approval they are a refusal with instructions, never consent. */
export function wordsTo({ request }: Action): ComposerFacts['asked'] {
  if (request.kind === 'approval') return 'refuse'
  return request.kind === 'question' || request.kind === 'choice' || request.kind === 'plan' ? 'answer' : null
}

/** Whether a request takes values in fields of its own, and no words. */
export const isForm = (kind: ComposerFacts['waits']): boolean => kind === 'form' || kind === 'correction'

/** A question takes words as its value, unless it wants one of its options or data of a shape. */
export const takesWordsAsValue = ({ request }: Action): boolean =>
  request.kind === 'question' && !request.options?.length && request.schema === undefined

/** For which request the person has decided whether the text goes to it. */
export interface AnswerChoice {
  readonly actionId: string
  readonly on: boolean
}

/**
 * Whether a text goes to the request that waits. What Enter does changes by itself only while nothing is written: a
 * request that comes while somebody types does not turn their message into its answer.
 */
export function answersRequest(actionId: string | undefined, choice: AnswerChoice | null, empty: boolean): boolean {
  if (actionId === undefined) return false
  return choice?.actionId === actionId ? choice.on : empty
}
