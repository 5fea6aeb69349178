import type { AgentInfo } from '@vitrine/protocol'
import { type ComponentType, createContext, type ReactNode, Suspense, use, useId, useRef, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { ChevronDown } from '../kit/icons.ts'
import { visible, visibleText } from '../visible.tsx'

/** What the list of models is given. */
export interface ModelPickerProps {
  agent: AgentInfo
  /** It has another height. */
  onDrawn: () => void
  onClose: () => void
}

const Picker = createContext<ComponentType<ModelPickerProps> | null>(null)

/**
 * Gives the views below it the list of models, `ModelPicker` of the entry `/settings`, which may be fetched later. Without
 * it they say what an agent thinks with, and nobody can change it there.
 */
export function ModelPickerProvider(props: { picker: ComponentType<ModelPickerProps>; children: ReactNode }) {
  return <Picker value={props.picker}>{props.children}</Picker>
}

/** What the agent thinks with, in the composer. Where a person has made the agent, it opens the list of models. */
export function ModelButton({ agent }: { agent: AgentInfo | null | undefined }) {
  const { t } = useI18n()
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const ModelPicker = use(Picker)
  if (!agent?.model) return null
  const { model } = agent
  const words = (
    <>
      <span>{visible(model.name ?? model.modelId)}</span>
      {model.effort && <span className="v-model-effort">{visible(model.effort)}</span>}
    </>
  )
  if (!agent.editable || !ModelPicker) return <span className="v-model-word">{words}</span>
  /** It opens above the composer, where there is room. */
  const place = () => {
    const box = button.current?.getBoundingClientRect()
    const float = popover.current
    if (!box || !float) return
    float.style.insetBlockEnd = `${innerHeight - box.top + 8}px`
    float.style.left = `${Math.max(8, Math.min(box.left, innerWidth - float.offsetWidth - 8))}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="v-button v-quiet v-model-button"
        popoverTarget={id}
        aria-label={t('models.choose', { name: visibleText(model.name ?? model.modelId) })}
      >
        {words}
        <Icon of={ChevronDown} />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="v-model-picker"
        onToggle={event => {
          setOpen(event.newState === 'open')
          place()
        }}
      >
        {open && (
          <Suspense fallback={null}>
            <ModelPicker agent={agent} onDrawn={place} onClose={() => popover.current?.hidePopover()} />
          </Suspense>
        )}
      </div>
    </>
  )
}
