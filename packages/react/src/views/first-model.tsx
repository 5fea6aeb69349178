import type { AgentInfo } from '@vitrine/protocol'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { KeyRound } from '../kit/icons.ts'
import { useSetting } from '../stored.ts'

interface Props {
  agents: readonly AgentInfo[]
  onConnect: () => void
}

/** Offers to connect a model while every agent is scripted. Whoever goes on with the guide is not asked again. */
export function FirstModel({ agents, onConnect }: Props) {
  const { t } = useI18n()
  const [dismissed, dismiss] = useSetting('vitrine.first-model', false)
  if (dismissed || agents.some(({ scripted }) => !scripted)) return null
  return (
    <section className="v-first-model" aria-label={t('models.first')}>
      <div>
        <h3>{t('models.first')}</h3>
        <p className="v-first-model-about">{t('models.firstAbout')}</p>
      </div>
      <Button look="quiet" onClick={() => dismiss(true)}>
        {t('models.guide')}
      </Button>
      <Button icon={KeyRound} onClick={onConnect}>
        {t('models.connect')}
      </Button>
    </section>
  )
}
