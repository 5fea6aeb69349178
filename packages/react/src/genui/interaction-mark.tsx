import type { SessionHandle } from '@vitrine/client'
import type { Interaction } from '@vitrine/protocol'
import MousePointerClick from 'lucide-react/icons/mouse-pointer-click'
import { Disclosure } from '../disclosure.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Json } from '../json-view.tsx'
import { visible } from '../visible.tsx'
import { isForm, labelOf, valuesOf } from './interaction.ts'

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
  const words = label
    ? t(form ? 'interaction.form' : 'interaction.button', { label })
    : t(form ? 'interaction.formOnly' : 'interaction.buttonOnly')
  const line = (
    <>
      <MousePointerClick className="v-row-icon" aria-hidden />
      <span dir="auto">{visible(words)}</span>
    </>
  )
  if (values === undefined) return <p className="v-interaction">{line}</p>
  return (
    <Disclosure id={`interaction:${id}`} className="v-interaction" summary={line}>
      {() => <Json value={values} label={t('interaction.values')} />}
    </Disclosure>
  )
}
