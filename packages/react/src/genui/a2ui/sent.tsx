import { useI18n } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { ProblemNote } from '../../problem-note.tsx'
import type { ControlState } from './interactions.ts'

/** What became of the person's action, beside the control it came from. */
export function Sent({ interaction }: { interaction: ControlState }) {
  const { t } = useI18n()
  const { state, problem, retry } = interaction
  if (state === 'sent') return <p className="v-note">{t('ui.sent')}</p>
  if (state !== 'failed' || !problem) return null
  return (
    <ProblemNote title={t('a2ui.notSent')} problem={problem}>
      {retry && <Button onClick={retry}>{t('action.tryAgain')}</Button>}
    </ProblemNote>
  )
}
