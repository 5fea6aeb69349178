import type { ConnectionState, SessionPhase } from '@vitrine/client'
import type { RunStatus } from '@vitrine/protocol'
import type { MessageKey } from '../i18n/i18n.tsx'

/** What a person can do with a text while a run is active. */
export type BusyMode = 'queue' | 'steer' | 'new-task'
export type ComposerAction = 'send' | BusyMode

export interface ComposerFacts {
  phase: SessionPhase
  connection: ConnectionState
  /** Status of the run that owns the session, null when idle. */
  active: RunStatus | null
  /** What the person chose for busy times. */
  preferred: BusyMode
}

export interface ComposerPlan {
  /** What Enter will do. Known, and shown, before the key is pressed. */
  action: ComposerAction
  /** Why nothing can be sent now, or null. */
  blocked: MessageKey | null
  /** The choices to show; none while idle. */
  modes: readonly { mode: BusyMode; unavailable: MessageKey | null }[]
  hint: MessageKey
}

const hints: Record<ComposerAction, MessageKey> = {
  send: 'composer.hint.send',
  queue: 'composer.hint.queue',
  steer: 'composer.hint.steer',
  'new-task': 'composer.hint.newTask',
}

export function composerPlan({ phase, connection, active, preferred }: ComposerFacts): ComposerPlan {
  const blocked = blockedBecause(phase, connection)
  // A run that is being stopped takes no steer any more; the queue is what comes after it.
  const stopping = active === 'cancelling'
  const action = active === null ? 'send' : stopping && preferred === 'steer' ? 'queue' : preferred
  const modes =
    active === null
      ? []
      : (['queue', 'steer', 'new-task'] as const).map(mode => ({
          mode,
          unavailable: mode === 'steer' && stopping ? ('composer.stopping' as const) : null,
        }))
  return { action, blocked, modes, hint: blocked ?? hints[action] }
}

function blockedBecause(phase: SessionPhase, connection: ConnectionState): MessageKey | null {
  if (phase === 'loading') return 'composer.blocked.loading'
  if (phase === 'failed') return 'composer.blocked.failed'
  if (phase === 'gone') return 'composer.blocked.gone'
  if (connection === 'refused') return 'composer.blocked.refused'
  return null
}
