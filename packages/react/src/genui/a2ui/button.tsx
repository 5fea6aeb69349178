import { type MouseEvent, useId } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Button as KitButton } from '../../kit/button.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { useIsTrigger } from './modal.tsx'
import { A2uiChild } from './node.tsx'
import { frame, oneOf, text } from './props.ts'
import { Sent } from './sent.tsx'
import { type A2uiRendererProps, useA2uiView, useControlState } from './view.ts'

const looks = { default: 'plain', primary: 'primary', borderless: 'link' } as const

export function Button({ node }: A2uiRendererProps) {
  const { t } = useI18n()
  const id = useId()
  const { interactions, readOnly } = useA2uiView()
  const isTrigger = useIsTrigger()
  const interaction = useControlState(node.id)
  const label = text(node, 'text')
  const blocked = node.disabled || node.props.disabled === true
  const sending = interaction.state === 'sending'
  // What a check says goes with the mistake.
  const reasons =
    blocked && interaction.touched ? node.errors : interaction.state === 'refused' ? [interaction.problem?.title] : []
  // Before anybody has pressed it, it is no mistake, and whoever asks learns it all the same.
  const hint = blocked && reasons.length === 0 ? visibleText(node.errors.join(' ')) : ''
  const { className, style, ...attributes } = frame(node, 'v-a2-presses v-a2-button')
  const onClick = (event: MouseEvent) => {
    // No dialog opens by a press that does nothing.
    if (sending || blocked) event.preventDefault()
    if (sending || node.props.disabled === true) return
    interactions.act(node.id, 'click', undefined, isTrigger)
  }
  return (
    <div className={className} style={style}>
      <KitButton
        {...attributes}
        look={looks[oneOf(node.props.variant, 'default', 'primary', 'borderless')]}
        disabled={readOnly}
        // Not `disabled`: it keeps its focus, and a press says what is missing.
        aria-disabled={blocked || sending || undefined}
        aria-busy={sending || node.pending || undefined}
        aria-haspopup={isTrigger ? 'dialog' : undefined}
        title={hint || undefined}
        aria-describedby={reasons.length || hint ? id : undefined}
        onClick={onClick}
      >
        {node.props.child === undefined ? label : <A2uiChild id={node.props.child} />}
        {node.props.child === undefined && !label && !attributes['aria-label'] && (
          <span className="v-unseen">{visible(node.componentId)}</span>
        )}
      </KitButton>
      <span className="v-unseen" role="status">
        {sending && t('action.sending')}
      </span>
      {hint && (
        <span id={id} className="v-unseen">
          {hint}
        </span>
      )}
      {reasons.length > 0 && (
        <p id={id} className="v-field-error" role="alert">
          {visible(reasons.join(' '))}
        </p>
      )}
      <Sent interaction={interaction} />
    </div>
  )
}
