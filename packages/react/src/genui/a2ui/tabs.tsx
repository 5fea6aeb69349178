import { isObject } from '@vitrine/protocol'
import { useId } from 'react'
import { TabList, TabPanel } from '../../kit/tabs.tsx'
import { A2uiChild } from './node.tsx'
import { frame, shown } from './props.ts'
import { type A2uiRendererProps, useA2uiViewState } from './view.ts'

export function Tabs({ node }: A2uiRendererProps) {
  const id = useId()
  const [chosen, choose] = useA2uiViewState(node.id, 0)
  const tabs = Array.isArray(node.props.tabs) ? node.props.tabs.filter(item => isObject(item)) : []
  const active = Math.min(chosen, tabs.length - 1)
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-bends v-a2-tabs')
  if (tabs.length === 0) return null
  return (
    <div {...attributes}>
      <TabList id={id} label={label} titles={tabs.map(({ title }) => shown(title))} active={active} onChoose={choose} />
      <TabPanel id={id} active={active}>
        <A2uiChild id={tabs[active]!.child} />
      </TabPanel>
    </div>
  )
}
