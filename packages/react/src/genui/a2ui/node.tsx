import { memo, use } from 'react'
import { Boundary } from '../../boundary.tsx'
import { useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { StreamingContext, useA2uiView, useNode } from './view.ts'

/**
 * Draws one component of a surface. It is drawn again when its own node changed, and an error in it takes down nothing
 * else.
 */
export const A2uiNode = memo(function A2uiNode({ id }: { id: string }) {
  const view = useA2uiView()
  const node = useNode(view, id)
  if (!node) return null
  if (node.missing) return <Missing id={node.componentId} />
  if (node.unknown) return <Unknown type={node.type} />
  const Renderer = Object.hasOwn(view.renderers, node.type) ? view.renderers[node.type] : undefined
  if (!Renderer) return view.fallbacks?.undrawn(node.type) ?? <Unknown type={node.type} />
  return (
    <>
      <Boundary content={node} fallback={error => <Failed type={node.type} error={error} />}>
        <Renderer node={node} />
      </Boundary>
      {node.diagnostics.length > 0 && view.fallbacks?.notes(node)}
    </>
  )
})

/** The components that a list of references names. */
export function A2uiNodes({ ids }: { ids: unknown }) {
  return Array.isArray(ids) ? ids.map(id => typeof id === 'string' && <A2uiNode key={id} id={id} />) : null
}

/** Draws the component that a property such as `child` names. Anything but one reference draws nothing. */
export function A2uiChild({ id }: { id: unknown }) {
  return typeof id === 'string' && id !== '' ? <A2uiNode id={id} /> : null
}

function Failed({ type, error }: { type: string; error: unknown }) {
  const { t } = useI18n()
  const detail = error instanceof Error ? error.message : String(error)
  return <Diagnostic detail={detail}>{t('a2ui.failed', { type })}</Diagnostic>
}

function Unknown({ type }: { type: string }) {
  const { t } = useI18n()
  return <Diagnostic>{t('a2ui.unknown', { type })}</Diagnostic>
}

function Missing({ id }: { id: string }) {
  const { t } = useI18n()
  return use(StreamingContext) ? (
    <span className="v-a2-placeholder" data-missing={id} />
  ) : (
    <Diagnostic>{t('a2ui.missing', { id })}</Diagnostic>
  )
}
