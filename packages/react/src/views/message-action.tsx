import type { SessionHandle } from '@vitrine/client'
import { useVitrine } from '../context.tsx'
import { useEntityValue, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon, type IconData } from '../kit/icon.tsx'

interface ActionProps {
  icon: IconData
  label: string
  /** The letter that presses it while the focus is in the message. */
  letter?: string
  /** Why it cannot be pressed now. */
  why?: string | null
  pressed?: boolean
  busy?: boolean
  onClick: () => void
}

/** One of the buttons below a message. One that cannot act now stays in its place and says why. */
export function Action({ icon, label, letter, why, pressed, busy, onClick }: ActionProps) {
  const { announce } = useVitrine()
  const name = why ? `${label}. ${why}` : label
  return (
    <button
      type="button"
      className="v-button v-quiet v-icon-button"
      aria-label={name}
      aria-disabled={why || busy ? true : undefined}
      aria-pressed={pressed}
      aria-keyshortcuts={letter}
      data-key={letter}
      onClick={() => {
        if (why) announce(name)
        else if (!busy) onClick()
      }}
    >
      <Icon of={icon} />
    </button>
  )
}

/** Why a message cannot be edited or answered again at the moment; null when it can. */
export function useWhyNot(handle: SessionHandle): string | null {
  const { t } = useI18n()
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId !== null)
  const waits = useEntityValue(handle, 'queue', state => state.queue.turns.length > 0)
  const live = useReadable(handle.live)
  if (active) return t('history.running')
  if (waits) return t('history.queued')
  return live ? null : t('history.offline')
}
