import type { Json } from '@vitrine/protocol'
import { A2uiChild, A2uiNode, A2uiNodes } from './node.tsx'
import { frame, group, oneOf } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

const JUSTIFY = ['start', 'center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly', 'stretch'] as const
const ALIGN = ['stretch', 'start', 'center', 'end', 'baseline'] as const

/** What the author says. Without a word the catalog's default holds: packed at the start, stretched across. */
const said = (value: Json | undefined, words: readonly string[]) => oneOf(value, '', ...words) || undefined

function Flex({ node, kind }: A2uiRendererProps & { kind: 'row' | 'column' | 'stack' }) {
  const { justify, align } = node.props
  return (
    <div
      {...group(node, `v-flow v-a2-bends v-a2-${kind}`)}
      data-justify={said(justify, JUSTIFY)}
      data-align={said(align, ALIGN)}
    >
      <Slots node={node} />
    </div>
  )
}

const Slots = ({ node }: A2uiRendererProps) => (
  <>
    <A2uiChild id={node.props.child} />
    <A2uiNodes ids={node.props.children} />
  </>
)

export const Row = ({ node }: A2uiRendererProps) => <Flex node={node} kind="row" />
export const Column = ({ node }: A2uiRendererProps) => <Flex node={node} kind="column" />
export const Stack = ({ node }: A2uiRendererProps) => <Flex node={node} kind="stack" />

export function List({ node }: A2uiRendererProps) {
  const { ordered, direction, align, children } = node.props
  const Tag = ordered === true ? 'ol' : 'ul'
  const horizontal = direction === 'horizontal'
  const items = Array.isArray(children) ? children : node.children
  return (
    <Tag
      {...frame(node, 'v-flow v-a2-bends v-a2-list')}
      data-direction={horizontal ? 'horizontal' : 'vertical'}
      data-align={said(align, ALIGN)}
      data-marked={(!horizontal && typeof ordered === 'boolean') || undefined}
      // A row that scrolls must be reachable by keyboard.
      tabIndex={horizontal ? 0 : undefined}
    >
      {items.map(
        id =>
          typeof id === 'string' && (
            <li key={id}>
              <A2uiNode id={id} />
            </li>
          ),
      )}
    </Tag>
  )
}

export function Card({ node }: A2uiRendererProps) {
  return (
    <div {...group(node, 'v-plate v-a2-bends v-a2-card')}>
      <Slots node={node} />
    </div>
  )
}

export function Divider({ node }: A2uiRendererProps) {
  const { 'aria-label': _, ...attributes } = frame(node, 'v-rule')
  const vertical = node.props.axis === 'vertical'
  return <hr {...attributes} data-axis={vertical ? 'vertical' : 'horizontal'} />
}

export function Spacer({ node }: A2uiRendererProps) {
  const { size } = node.props
  const fixed = typeof size === 'number' && size >= 0 ? { flex: `0 0 ${Math.min(size, 400)}px` } : undefined
  return <div className="v-a2-spacer" style={fixed} aria-hidden />
}
