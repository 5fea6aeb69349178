import type { SessionHandle } from '@vitrine/client'
import type { Interaction } from '@vitrine/protocol'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { MousePointerClick } from '../kit/icons.ts'
import { JsonText } from '../kit/plain-text.tsx'
import { KeptDisclosure } from '../views/kept-disclosure.tsx'
import { visible } from '../visible.tsx'
import { changeOf, isForm, labelOf, valuesOf } from './interaction.ts'

interface Props {
  handle: SessionHandle
  /** Of the turn or steer, for what is kept open. */
  id: string
  interaction: Interaction
}

/** A quiet line in the place of a message: the person used an interface, they did not type. */
export function InteractionMark({ handle, id, interaction }: Props) {
  const { t } = useI18n()
  const label = labelOf(handle.state, interaction)
  const values = valuesOf(interaction)
  const form = isForm(interaction)
  const change = changeOf(handle.state, interaction)
  const words = change
    ? t(`interaction.${change.kind}`, { label: label ?? t('interaction.field'), value: change.value })
    : label
      ? t(form ? 'interaction.form' : 'interaction.button', { label })
      : t(form ? 'interaction.formOnly' : 'interaction.buttonOnly')
  const line = (
    <>
      <Icon of={MousePointerClick} />
      <span className="v-said-text" dir="auto">
        {visible(words)}
      </span>
    </>
  )
  if (values === undefined) return <p className="v-interaction v-said">{line}</p>
  return (
    <KeptDisclosure id={`interaction:${id}`} className="v-interaction v-said-more" summary={line}>
      {() => <JsonText value={values} label={t('interaction.values')} />}
    </KeptDisclosure>
  )
}
