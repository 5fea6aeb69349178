import type { RunStatus } from '@vitrine/protocol'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { ArrowUp, CornerDownRight, GitFork, ListEnd, Square } from '../kit/icons.ts'
import type { ComposerAction } from './outbox.ts'

export const actionLabels: Record<ComposerAction, MessageKey> = {
  send: 'composer.send',
  queue: 'composer.queue',
  steer: 'composer.steer',
  'new-task': 'composer.newTask',
  answer: 'composer.answer',
  refuse: 'composer.refuse',
}
const icons = {
  send: ArrowUp,
  queue: ListEnd,
  steer: CornerDownRight,
  'new-task': GitFork,
  answer: ArrowUp,
  refuse: ArrowUp,
}

/** The round button that sends. It is named by what it will do. */
export function SendButton({ action, disabled }: { action: ComposerAction; disabled: boolean }) {
  const { t } = useI18n()
  const label = t(actionLabels[action])
  return (
    <Button
      type="submit"
      look="primary"
      className="v-send"
      icon={icons[action]}
      aria-label={label}
      disabled={disabled}
    />
  )
}

interface StopProps {
  status: RunStatus
  stopping: boolean
  /** Something can be sent, so that the round place belongs to Send. */
  beside: boolean
  onStop: () => void
}

/** Stops the run: in the round place of Send while there is nothing to send, and beside it otherwise. */
export function StopButton({ status, stopping, beside, onStop }: StopProps) {
  const { t } = useI18n()
  const cancelling = status === 'cancelling'
  const label = t(cancelling ? 'run.cancelling' : 'composer.stop')
  const disabled = stopping || cancelling
  if (beside) {
    return (
      <Button look="quiet" className="v-stop" icon={Square} disabled={disabled} onClick={onStop}>
        {label}
      </Button>
    )
  }
  return (
    <Button
      look="primary"
      className="v-send v-stop"
      icon={Square}
      aria-label={label}
      disabled={disabled}
      onClick={onStop}
    />
  )
}
