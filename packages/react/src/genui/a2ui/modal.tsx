import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { X } from '../../kit/icons.ts'
import { A2uiChild } from './node.tsx'
import { accessibilityOf, text } from './props.ts'
import { type A2uiRendererProps, useA2uiView, useNode } from './view.ts'

const TriggerContext = createContext(false)

/** Whether a click on the component opens a dialog, unless the default of the click is prevented. */
export const useIsTrigger = () => use(TriggerContext)

export function Modal({ node }: A2uiRendererProps) {
  const { t } = useI18n()
  const view = useA2uiView()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<Element>(null)
  const show = useCallback(() => {
    opener.current = document.activeElement
    setOpen(true)
  }, [])
  const hide = () => setOpen(false)
  // The focus goes back to where it came from, also when the dialog's element is gone before it could do that itself.
  useEffect(() => {
    if (!isOpen && opener.current instanceof HTMLElement) opener.current.focus()
  }, [isOpen])
  const triggerId = typeof node.props.trigger === 'string' ? node.props.trigger : ''
  const trigger = useNode(view, triggerId)
  const named = useNode(view, typeof trigger?.props.child === 'string' ? trigger.props.child : '')
  const label =
    accessibilityOf(node).label ??
    ((trigger && (text(trigger, 'text') || text(trigger, 'description'))) ||
      (named && text(named, 'text')) ||
      t('a2ui.dialog'))
  const onClick = (event: MouseEvent) => event.defaultPrevented || trigger?.disabled || show()
  // What nobody can press by itself becomes a button.
  const press = {
    role: 'button',
    tabIndex: 0,
    'aria-haspopup': 'dialog' as const,
    onClick,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return
      event.preventDefault()
      show()
    },
  }
  return (
    <div className="v-a2-presses v-a2-modal">
      <div
        className="v-a2-trigger"
        {...(!view.readOnly && trigger && (view.model.isPressed(triggerId) ? { onClick } : press))}
      >
        <TriggerContext value={true}>
          <A2uiChild id={triggerId} />
        </TriggerContext>
      </div>
      {isOpen && (
        <Dialog label={label} className="v-a2-dialog" onClose={hide}>
          <IconButton className="v-dialog-close" icon={X} label={t('action.close')} onClick={hide} />
          <TriggerContext value={false}>
            <A2uiChild id={node.props.content} />
          </TriggerContext>
        </Dialog>
      )}
    </div>
  )
}
