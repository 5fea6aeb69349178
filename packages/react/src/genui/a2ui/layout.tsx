import { Child, Node, Nodes } from './node.tsx'
import { frame, group, oneOf } from './props.ts'
import type { RendererProps } from './view.ts'

const JUSTIFY = ['center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly', 'stretch'] as const
const ALIGN = ['stretch', 'start', 'center', 'end', 'baseline'] as const

function Flex({ node, kind }: RendererProps & { kind: 'row' | 'column' | 'stack' }) {
  const justify = oneOf(node.props.justify, 'start', ...JUSTIFY)
  const align = oneOf(node.props.align, kind === 'row' ? 'center' : 'stretch', ...ALIGN)
  return (
    <div {...group(node, `v-a2-flex v-a2-${kind}`)} data-justify={justify} data-align={align}>
      <Slots node={node} />
    </div>
  )
}

const Slots = ({ node }: RendererProps) => (
  <>
    <Child id={node.props.child} />
    <Nodes ids={node.props.children} />
  </>
)

export const Row = ({ node }: RendererProps) => <Flex node={node} kind="row" />
export const Column = ({ node }: RendererProps) => <Flex node={node} kind="column" />
export const Stack = ({ node }: RendererProps) => <Flex node={node} kind="stack" />

export function List({ node }: RendererProps) {
  const { ordered, direction, align, children } = node.props
  const Tag = ordered === true ? 'ol' : 'ul'
  const horizontal = direction === 'horizontal'
  const items = Array.isArray(children) ? children : node.children
  return (
    <Tag
      {...frame(node, 'v-a2-list')}
      data-direction={horizontal ? 'horizontal' : 'vertical'}
      data-align={oneOf(align, 'stretch', ...ALIGN)}
      // A row that scrolls must be reachable by keyboard.
      tabIndex={horizontal ? 0 : undefined}
    >
      {items.map(
        id =>
          typeof id === 'string' && (
            <li key={id}>
              <Node id={id} />
            </li>
          ),
      )}
    </Tag>
  )
}

export function Card({ node }: RendererProps) {
  return (
    <div {...group(node, 'v-a2-card')}>
      <Slots node={node} />
    </div>
  )
}

export function Divider({ node }: RendererProps) {
  const { 'aria-label': _, ...attributes } = frame(node, 'v-a2-divider')
  const vertical = node.props.axis === 'vertical'
  return <hr {...attributes} data-axis={vertical ? 'vertical' : 'horizontal'} />
}

export function Spacer({ node }: RendererProps) {
  const { size } = node.props
  const fixed = typeof size === 'number' && size >= 0 ? { flex: `0 0 ${Math.min(size, 400)}px` } : undefined
  return <div className="v-a2-spacer" style={fixed} aria-hidden />
}
