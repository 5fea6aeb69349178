import {
  localizeLabel,
  mediaProblem,
  type ResolvedLayout,
  type ResolvedNode,
  type ResolvedUiNode,
} from '@vitrine/genui/schema'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactElement, useState } from 'react'
import { Boundary } from '../../boundary.tsx'
import { useI18n } from '../../i18n/i18n.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { Button } from './button.tsx'
import { Chart } from './chart.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { statusShape } from './status.tsx'
import { Table } from './table.tsx'
import { Text } from './text.tsx'
import { useUi } from './ui-context.ts'
import { columnsStyle, KeyValues } from './value.tsx'

/** Draws a node and what is in it. A node keeps its place by its id, so that a card that grows does not flicker. */
export function drawNode(node: ResolvedUiNode, level: number): ReactElement | null {
  if (node.visible === false) return null
  switch (node.type) {
    case 'text':
      return <Text key={node.id} node={node} level={level} />
    case 'icon':
      return <Icon key={node.id} icon={node} />
    case 'badge':
      return <Badge key={node.id} node={node} />
    case 'button':
      return <Button key={node.id} node={node} />
    case 'kv':
      return <KeyValues key={node.id} node={node} />
    case 'divider':
      return <hr key={node.id} className="v-ui-divider" style={{ marginInline: rem(node.inset ?? 0) }} />
    case 'stack':
    case 'grid':
      return <Layout key={node.id} node={node} level={level} />
    case 'table':
      return (
        <Boundary key={node.id} content={node} fallback={() => <NotShown type="table" path={node.id} />}>
          <Table columns={node.columns} rows={node.rows} caption={node.caption} />
        </Boundary>
      )
    case 'field':
      return <Field key={node.id} node={node} />
    case 'progress':
      return <Progress key={node.id} node={node} />
    case 'image':
      return <Image key={node.id} node={node} />
    case 'chart':
      return (
        <Boundary key={node.id} content={node} fallback={() => <NotShown type="chart" path={node.id} />}>
          <Chart node={node} />
        </Boundary>
      )
    case 'unknown':
      return <NotShown key={node.id} type={node.given} path={node.path} reason={node.reason} />
  }
}

const rem = (pixels: number): string => `${pixels / 16}rem`

export function Layout({ node, level, root }: { node: ResolvedLayout; level: number; root?: boolean }) {
  const across = node.type === 'stack' && node.direction === 'horizontal'
  const inner = !across && isTitled(node) ? Math.min(6, level + 1) : level
  const children = node.children.map(child => drawNode(child, isBlock(child) ? inner : level))
  const shared = {
    'data-appearance': node.appearance,
    'data-status': node.status,
    'data-root': root || undefined,
  }
  if (node.type === 'grid') {
    const columns = Math.min(node.columns, Math.max(1, node.children.length))
    return (
      <div
        className="v-ui-grid"
        style={{ ...columnsStyle(columns), '--v-ui-gap': rem(node.gap ?? 12) } as object}
        {...shared}
      >
        {children}
      </div>
    )
  }
  return (
    <div
      className={across ? 'v-ui-stack v-ui-row' : 'v-ui-stack'}
      style={node.gap === undefined ? undefined : { gap: rem(node.gap) }}
      data-align={node.align}
      data-justify={node.justify}
      data-wrap={node.wrap === false ? 'no' : undefined}
      {...shared}
    >
      {children}
    </div>
  )
}

/** A row belongs to the layout it stands in; a card, a section or a grid begins something of its own. */
const isBlock = (node: ResolvedUiNode): boolean =>
  node.type === 'grid' || (node.type === 'stack' && node.direction === 'vertical')

/** Whether the layout has a title of its own, also in its first row. */
function isTitled(node: ResolvedLayout): boolean {
  const first = node.children.find(child => child.visible !== false)
  if (!first) return false
  if (first.type === 'stack' && first.direction === 'horizontal') return isTitled(first)
  return node.children.some(child => child.type === 'text' && child.role === 'title')
}

function Badge({ node }: { node: ResolvedNode<'badge'> }) {
  const { locale } = useUi()
  return (
    <span className="v-badge v-ui-badge" data-status={node.status} dir="auto">
      {statusShape(node.status)}
      {visible(localizeLabel(node.label, locale))}
    </span>
  )
}

function Progress({ node }: { node: ResolvedNode<'progress'> }) {
  const { t } = useI18n()
  const { locale } = useUi()
  const { value, max } = node
  const label = node.label ?? t('ui.progress')
  const share = value === undefined ? undefined : Math.min(value, max) / max
  const percent = share !== undefined && new Intl.NumberFormat(locale, { style: 'percent' }).format(share)
  return (
    <div className="v-ui-progress" data-status={node.status}>
      <span className="v-ui-progress-label" dir="auto">
        {visible(label)}
      </span>
      {percent && <span className="v-ui-progress-share">{percent}</span>}
      <progress aria-label={visibleText(label)} {...(share !== undefined && { value: share, max: 1 })} />
    </div>
  )
}

function Image({ node }: { node: ResolvedNode<'image'> }) {
  const { t } = useI18n()
  const [failed, setFailed] = useState<string>()
  const { url, alt, caption, width, height } = node
  const refused = failed === url || mediaProblem(url) !== undefined
  return (
    <figure className="v-ui-image">
      {refused ? (
        <p className="v-ui-note">
          {t('ui.imageFailed')} {visible(alt)}
        </p>
      ) : (
        <img
          src={url}
          alt={visibleText(alt)}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(url)}
        />
      )}
      {caption && <figcaption dir="auto">{visible(caption)}</figcaption>}
    </figure>
  )
}

/** Stands in the place of a node that cannot be drawn; the rest of the tree is. */
function NotShown({ type, path, reason }: { type: string; path: string; reason?: string }) {
  const { words } = useUi()
  return (
    <p className="v-ui-unknown" role="note">
      <TriangleAlert aria-hidden />
      <span>
        {words.notShown}: <strong>{visible(type)}</strong>
        {reason && <> ({visible(reason)})</>} <code>{visible(path || '/')}</code>
      </span>
    </p>
  )
}
