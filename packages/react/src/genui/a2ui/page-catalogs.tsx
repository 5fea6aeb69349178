import { type NodeSnapshot, surfaceCatalog } from '@vitrine/genui/a2ui'
import { type CatalogInfo, own } from '@vitrine/protocol'
import type { ReactNode } from 'react'
import { type MessageKey, useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { readAnswer } from '../../read-answer.ts'
import { visibleText } from '../../visible.tsx'
import type { PageCatalog } from '../catalogs-context.ts'
import type { CatalogSource } from '../find-catalogs.ts'
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
): Promise<{ found: PageCatalog; again?: true }> {
  const { client, views } = source
  const asked =
    lists.get(source) ?? readAnswer<'CatalogList'>(client, '/catalogs').then(answer => answer?.catalogs ?? null)
  lists.set(source, asked)
  const list = await asked
  if (!list) {
    lists.delete(source)
    return { found: { host: hostOf(undefined, 'catalogs.unlisted') }, again: true }
  }
  const info = list.find(({ ids }) => ids.includes(catalogId))
  // The server takes the basic catalog for one that it does not know, and has told the agent.
  if (!info) return { found: {} }
  const view = info.ids.map(id => own(views, id)).find(given => given !== undefined)
  if (view) return { found: drawnBy(info, view, 'catalogs.noComponent') }
  if (info.page === null) return { found: drawnBy(info, {}, 'catalogs.noModule') }
  try {
    const url = new URL(info.page, new URL(client.api.baseUrl, location.href)).href
    const [module, { pageTools }] = await Promise.all([load(url), import('./page-tools.tsx')])
    return { found: drawnBy(info, await viewOf(module.default, pageTools), 'catalogs.noComponent') }
  } catch (error) {
    // The next try takes the address of today.
    lists.delete(source)
    const detail = error instanceof Error ? error.message : String(error)
    return { found: drawnBy(info, {}, 'catalogs.badModule', detail), again: true }
  }
}

async function viewOf(page: unknown, tools: object): Promise<A2uiCatalogView> {
  if (typeof page !== 'function') throw new TypeError('Its default export is no function.')
  const view: unknown = await page(tools)
  if (typeof view !== 'object' || view === null) throw new TypeError('Its function gives no object.')
  return view
}

/** A catalog with what is there to draw it; `reason` says why a type of it has no component. */
function drawnBy(info: CatalogInfo, view: A2uiCatalogView, reason: MessageKey, detail = ''): PageCatalog {
  const { components = {}, functions = {} } = view
  return { catalog: surfaceCatalog(info, functions), renderers: components, host: hostOf(info, reason, detail) }
}

/** A type that the catalog has not is unknown as in every catalog. */
const hostOf = (info: CatalogInfo | undefined, reason: MessageKey, detail = ''): NonNullable<PageCatalog['host']> => ({
  undrawn: type =>
    (!info || Object.hasOwn(info.components, type)) && <Undrawn type={type} reason={reason} detail={detail} />,
  notes: node => <NotComputed node={node} />,
})

function Undrawn({ type, reason, detail }: { type: string; reason: MessageKey; detail: string }) {
  const { t } = useI18n()
  return <Diagnostic>{`${t('a2ui.failed', { type })} ${t(reason, { detail: visibleText(detail) })}`}</Diagnostic>
}

const COMPUTING: readonly string[] = ['function_failed', 'unknown_function', 'expression_too_costly']

/** A value that could not be computed is empty, and nobody could tell that from one that is empty on purpose. */
function NotComputed({ node }: { node: NodeSnapshot }): ReactNode {
  const { t } = useI18n()
  const failed = node.diagnostics.find(({ code }) => COMPUTING.includes(code))
  if (!failed) return null
  return <Diagnostic>{t('catalogs.notComputed', { type: node.type, detail: visibleText(failed.message) })}</Diagnostic>
}
