import { memo, use } from 'react'
import { Boundary } from '../../boundary.tsx'
import { useI18n } from '../../i18n/i18n.tsx'
import { visibleText } from '../../visible.tsx'
import { StreamingContext, useNode, useView } from './view.ts'

/** One component of a surface. It draws again when its own node changed, and takes only itself down. */
export const Node = memo(function Node({ id }: { id: string }) {
  const view = useView()
  const node = useNode(view, id)
  if (!node) return null
  if (node.missing) return <Missing id={node.componentId} />
  const Renderer = Object.hasOwn(view.renderers, node.type) ? view.renderers[node.type] : undefined
  if (!Renderer) return <Unknown type={node.type} />
  return (
    <Boundary content={node} fallback={error => <Failed type={node.type} error={error} />}>
      <Renderer node={node} />
    </Boundary>
  )
})

export function Nodes({ ids }: { ids: unknown }) {
  return Array.isArray(ids) ? ids.map(id => typeof id === 'string' && <Node key={id} id={id} />) : null
}

/** A single reference; anything else draws nothing. */
export function Child({ id }: { id: unknown }) {
  return typeof id === 'string' && id !== '' ? <Node id={id} /> : null
}

function Failed({ type, error }: { type: string; error: unknown }) {
  const { t } = useI18n()
  const detail = error instanceof Error ? error.message : String(error)
  return <Diagnostic text={t('a2ui.failed', { type })} detail={detail} />
}

function Unknown({ type }: { type: string }) {
  const { t } = useI18n()
  return <Diagnostic text={t('a2ui.unknown', { type })} />
}

function Missing({ id }: { id: string }) {
  const { t } = useI18n()
  return use(StreamingContext) ? (
    <span className="v-a2-placeholder" data-missing={id} />
  ) : (
    <Diagnostic text={t('a2ui.missing', { id })} />
  )
}

/** Small and visible: people see that something is not there, and what to tell whoever made it. */
export function Diagnostic({ text, detail }: { text: string; detail?: string | undefined }) {
  return (
    <span className="v-a2-diagnostic" role="note" title={detail === undefined ? undefined : visibleText(detail)}>
      {text}
    </span>
  )
}
