import { type NodeSnapshot, surfaceCatalog } from '@vitrine/genui/a2ui'
import { type CatalogInfo, own } from '@vitrine/protocol'
import type { ReactNode } from 'react'
import { type MessageKey, useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { readAnswer } from '../../read-answer.ts'
import { visibleText } from '../../visible.tsx'
import type { CatalogSource, DrawnCatalog } from '../drawn-catalogs.ts'
import type { A2uiCatalogView } from './view.ts'

/** Loads a module of JavaScript from our own server. */
const loadModule = (url: string): Promise<{ default?: unknown }> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ url)

const lists = new WeakMap<CatalogSource, Promise<readonly CatalogInfo[] | null>>()

/**
 * What the surfaces of a catalog beside the basic one are drawn with. The server's list of catalogs is asked for once, and
 * the module of a catalog is loaded with its first surface. This is never rejected: what could not be loaded is told where
 * it would be drawn, and `again` says that another try may find more.
 */
export async function loadCatalog(
  source: CatalogSource,
  catalogId: string,
  load: typeof loadModule = loadModule,
): Promise<{ found: DrawnCatalog; again?: true }> {
  const { client, views } = source
  const asked =
    lists.get(source) ?? readAnswer<'CatalogList'>(client, '/catalogs').then(answer => answer?.catalogs ?? null)
  lists.set(source, asked)
  const list = await asked
  if (!list) {
    lists.delete(source)
    return { found: { fallbacks: fallbacksOf('catalogs.unlisted') }, again: true }
  }
  const info = list.find(({ ids }) => ids.includes(catalogId))
  // The server takes the basic catalog for one that it does not know, and has told the agent.
  if (!info) return { found: {} }
  const view = info.ids.map(id => own(views, id)).find(given => given !== undefined)
  if (view) return { found: drawnBy(info, view, 'catalogs.noComponent') }
  if (info.module === null) return { found: drawnBy(info, {}, 'catalogs.noModule') }
  try {
    const url = new URL(info.module, new URL(client.api.baseUrl, location.href)).href
    const [module, { moduleTools }] = await Promise.all([load(url), import('./module-tools.tsx')])
    return { found: drawnBy(info, await viewOf(module.default, moduleTools), 'catalogs.noComponent') }
  } catch (error) {
    // The next try takes the address of today.
    lists.delete(source)
    const detail = error instanceof Error ? error.message : String(error)
    return { found: drawnBy(info, {}, 'catalogs.badModule', detail), again: true }
  }
}

async function viewOf(draws: unknown, tools: object): Promise<A2uiCatalogView> {
  if (typeof draws !== 'function') throw new TypeError('Its default export is no function.')
  const view: unknown = await draws(tools)
  if (typeof view !== 'object' || view === null) throw new TypeError('Its function gives no object.')
  return view
}

/** A catalog with what is there to draw it; `reason` says why a type of it has no component. */
function drawnBy(info: CatalogInfo, view: A2uiCatalogView, reason: MessageKey, detail = ''): DrawnCatalog {
  const { components = {}, functions = {} } = view
  return {
    catalog: surfaceCatalog(info, functions),
    renderers: components,
    fallbacks: fallbacksOf(reason, detail),
  }
}

const fallbacksOf = (reason: MessageKey, detail = ''): NonNullable<DrawnCatalog['fallbacks']> => ({
  undrawn: type => <Undrawn type={type} reason={reason} detail={detail} />,
  notes: node => <Notes node={node} />,
})

function Undrawn({ type, reason, detail }: { type: string; reason: MessageKey; detail: string }) {
  const { t } = useI18n()
  return <Diagnostic>{`${t('a2ui.failed', { type })} ${t(reason, { detail: visibleText(detail) })}`}</Diagnostic>
}

const COMPUTING: readonly string[] = ['function_failed', 'unknown_function', 'expression_too_costly']

/**
 * What went wrong in a component. A value that could not be computed is empty, and nobody could tell that from one that is
 * empty on purpose; what a person does with something that takes no input is lost.
 */
function Notes({ node }: { node: NodeSnapshot }): ReactNode {
  const { t } = useI18n()
  if (node.diagnostics.some(({ code }) => code === 'not_an_input'))
    return <Diagnostic>{t('catalogs.notAnInput', { type: node.type })}</Diagnostic>
  const failed = node.diagnostics.find(({ code }) => COMPUTING.includes(code))
  if (!failed) return null
  return <Diagnostic>{t('catalogs.notComputed', { type: node.type, detail: visibleText(failed.message) })}</Diagnostic>
}
