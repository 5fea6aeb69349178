import { useI18n } from '../../i18n/i18n.tsx'
import { reasonWords } from '../../i18n/reason-words.ts'
import { visible } from '../../visible.tsx'
import type { Interaction } from './interactions.ts'

/** What became of the person's action, beside the control it came from. */
export function Sent({ interaction }: { interaction: Interaction }) {
  const { t } = useI18n()
  const { state, problem, retry } = interaction
  if (state !== 'failed' || !problem) return null
  const { code = '', title, detail, next } = problem
  const words = reasonWords(t, { code, message: detail || title, next })
  return (
    <div className="v-a2-not-sent" role="alert">
      <p>
        <strong>{t('a2ui.notSent')}</strong> {visible(words)}
      </p>
      {retry && (
        <button type="button" className="v-button" onClick={retry}>
          {t('action.tryAgain')}
        </button>
      )}
    </div>
  )
}
