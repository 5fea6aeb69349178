import { type KeyboardEvent, useId, useRef } from 'react'
import { Child } from './node.tsx'
import { frame, shown } from './props.ts'
import { type RendererProps, useViewState } from './view.ts'

export function Tabs({ node }: RendererProps) {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const tabs = (Array.isArray(node.props.tabs) ? node.props.tabs : []).flatMap(tab =>
    typeof tab === 'object' && tab !== null && !Array.isArray(tab)
      ? [{ title: shown(tab.title), child: tab.child }]
      : [],
  )
  const [chosen, choose] = useViewState(node.id, 0)
  const active = Math.min(chosen, tabs.length - 1)
  const move = (to: number) => {
    const next = (to + tabs.length) % tabs.length
    choose(next)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    const to = { [forward]: active + 1, [back]: active - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(to)
  }
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-tabs')
  if (tabs.length === 0) return null
  return (
    <div {...attributes}>
      <div ref={list} role="tablist" className="v-a2-tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ title }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: tabs have no name of their own
            key={index}
            type="button"
            role="tab"
            id={`${prefix}-tab-${index}`}
            aria-selected={index === active}
            aria-controls={`${prefix}-panel`}
            tabIndex={index === active ? 0 : -1}
            onClick={() => choose(index)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${prefix}-panel`}
        className="v-a2-panel"
        aria-labelledby={`${prefix}-tab-${active}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the tabs pattern asks for it where the panel starts with text
        tabIndex={0}
      >
        <Child id={tabs[active]!.child} />
      </div>
    </div>
  )
}
