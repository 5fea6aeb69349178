import { imageUrlProblem } from '@vitrine/genui'
import {
  drawsSomething,
  localizeLabel,
  type ResolvedLayout,
  type ResolvedNode,
  type ResolvedUiNode,
  unsaidStatus,
} from '@vitrine/genui/schema'
import type { ReactElement } from 'react'
import { Boundary } from '../../boundary.tsx'
import { useI18n } from '../../i18n/i18n.tsx'
import { Badge as KitBadge } from '../../kit/badge.tsx'
import { Chart } from '../../kit/chart.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { Picture } from '../../kit/picture.tsx'
import { Progress as KitProgress } from '../../kit/progress.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { Button } from './button.tsx'
import { NodeField } from './field.tsx'
import { NodeIcon } from './icon.tsx'
import { statusIcons, statusTones } from './status.ts'
import { NodeTable } from './table.tsx'
import { Text } from './text.tsx'
import { useUi } from './ui-context.ts'
import { KeyValues } from './value.tsx'

/** Draws a node and what is in it. A node keeps its place by its id, so that a card that grows does not flicker. */
function drawNode(node: ResolvedUiNode, level: number): ReactElement | null {
  if (!drawsSomething(node)) return null
  switch (node.type) {
    case 'text':
      return <Text key={node.id} node={node} level={level} />
    case 'icon':
      return <NodeIcon key={node.id} icon={node} />
    case 'badge':
      return <Badge key={node.id} node={node} />
    case 'button':
      return <Button key={node.id} node={node} />
    case 'kv':
      return <KeyValues key={node.id} node={node} />
    case 'divider':
      return <hr key={node.id} className="v-rule v-ui-divider" style={{ marginInline: rem(node.inset ?? 0) }} />
    case 'stack':
    case 'grid':
      return <Layout key={node.id} node={node} level={level} />
    case 'table':
      return (
        <Boundary key={node.id} content={node} fallback={() => <NotShown type="table" path={node.id} />}>
          <NodeTable node={node} />
        </Boundary>
      )
    case 'field':
      return <NodeField key={node.id} node={node} />
    case 'progress':
      return <Progress key={node.id} node={node} />
    case 'image':
      return <Image key={node.id} node={node} />
    case 'chart':
      return (
        <Boundary key={node.id} content={node} fallback={() => <NotShown type="chart" path={node.id} />}>
          <NodeChart node={node} />
        </Boundary>
      )
    case 'unknown':
      return <NotShown key={node.id} type={node.given} path={node.path} reason={node.reason} />
  }
}

const rem = (pixels: number): string => `${pixels / 16}rem`

export function Layout({ node, level, root }: { node: ResolvedLayout; level: number; root?: boolean }) {
  const { words } = useUi()
  const across = node.type === 'stack' && node.direction === 'horizontal'
  const inner = !across && isTitled(node) ? Math.min(6, level + 1) : level
  const status = unsaidStatus(node)
  const children = [
    status && (
      <span key="status" className="v-unseen">
        {words.status[status]}
      </span>
    ),
    ...node.children.map(child => drawNode(child, isBlock(child) ? inner : level)),
  ]
  const shared = {
    'data-appearance': node.appearance,
    'data-tone': node.status && statusTones[node.status],
    'data-root': root || undefined,
  }
  const plate = node.appearance === 'card' ? ' v-plate' : ''
  if (node.type === 'grid') {
    return (
      <div
        className={`v-ui-grid${plate}`}
        style={{ '--v-ui-columns': node.columns, '--v-ui-gap': rem(node.gap ?? 12) } as object}
        {...shared}
      >
        {children}
      </div>
    )
  }
  return (
    <div
      className={`v-flow v-ui-stack${across ? ' v-ui-row' : ''}${plate}`}
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
    <KitBadge className="v-ui-badge" tone={statusTones[node.status]} icon={statusIcons[node.status]} dir="auto">
      {visible(localizeLabel(node.label, locale))}
    </KitBadge>
  )
}

function Progress({ node }: { node: ResolvedNode<'progress'> }) {
  const { t } = useI18n()
  const { locale } = useUi()
  const { value, max } = node
  const label = node.label ?? t('kit.progress')
  const share = value === undefined ? undefined : Math.min(value, max) / max
  return (
    <KitProgress
      className="v-ui-progress"
      label={visibleText(label)}
      caption={visible(label)}
      text={share !== undefined && new Intl.NumberFormat(locale, { style: 'percent' }).format(share)}
      value={share}
      {...(node.status && node.status !== 'info' && { tone: statusTones[node.status] })}
    />
  )
}

function NodeChart({ node }: { node: ResolvedNode<'chart'> }) {
  return <Chart chart={node} locale={useUi().locale} />
}

function Image({ node }: { node: ResolvedNode<'image'> }) {
  const { t } = useI18n()
  const { url, alt, caption, width, height } = node
  const failed = (
    <p className="v-note">
      {t('ui.imageFailed')} {visible(alt)}
    </p>
  )
  return (
    <figure className="v-ui-image">
      {imageUrlProblem(url) ? (
        failed
      ) : (
        <Picture src={url} alt={visibleText(alt)} width={width} height={height} fallback={failed} />
      )}
      {caption && <figcaption dir="auto">{visible(caption)}</figcaption>}
    </figure>
  )
}

/** Stands in the place of a node that cannot be drawn; the rest of the tree is. */
function NotShown({ type, path, reason }: { type: string; path: string; reason?: string }) {
  const { words } = useUi()
  return (
    <Diagnostic>
      {words.notShown}: <strong>{visible(type)}</strong>
      {reason && <> ({visible(reason)})</>} <code>{visible(path || '/')}</code>
    </Diagnostic>
  )
}
