// Script time in Chromium of drawing a surface and of keeping it up to date, production builds on both sides.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, median, type Row } from '../row.ts'

const here = join(import.meta.dirname, '..')
const repository = join(here, '..')

const MOUNTED = 1000
const BOUND = 2000
const OUR_LEAVES = 30_000
/** The peer takes half a minute for as many: it gets fewer, and the figure is per second. */
const PEER_LEAVES = 2_000

/** What both pages offer: a surface of `count` bound texts, mounted; and leaf writes until all of them are drawn. */
interface Side {
  mount(count: number): number
  leaves(count: number, writes: number): Promise<number>
}
declare const side: Side

const shared = `
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
const range = (count, make) => Array.from({ length: count }, (_, i) => make(i))
const holder = () => document.body.appendChild(document.createElement('div'))
const show = (root, element) => { const since = performance.now(); flushSync(() => root.render(element)); return performance.now() - since }
const settled = async holds => {
  while (!holds()) await new Promise(done => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0) })
}
/** One message a microtask, as a stream hands them over; done when the page shows the last one. */
async function pour(place, count, writes, write) {
  const texts = [...place.querySelectorAll('*')].filter(e => e.childElementCount === 0 && /^v\\d+$/.test(e.textContent))
  if (texts.length !== count) throw new Error(texts.length + ' of ' + count + ' texts are drawn')
  const last = writes - 1
  const since = performance.now()
  for (let k = 0; k < writes; k++) { write(k % count, 'w' + k); await null }
  await settled(() => place.textContent.includes('w' + last))
  return performance.now() - since
}
`

const ours = `${shared}
import { SurfaceModel } from '@vitrine/genui/a2ui'
import { A2uiSurface } from '@vitrine/react/a2ui'
const make = count => new SurfaceModel({ surfaceId: 's' }, [
  { op: 'create', root: 'root' },
  { op: 'upsert', id: 'root', component: { type: 'Column', children: range(count, i => 't' + i) } },
  ...range(count, i => ({ op: 'upsert', id: 't' + i, component: { type: 'Text', text: { path: '/items/' + i + '/v' } } })),
  { op: 'set', path: '/items', value: range(count, i => ({ v: 'v' + i })) },
])
globalThis.side = {
  mount(count) {
    const place = holder(), root = createRoot(place), model = make(count)
    const ms = show(root, createElement(A2uiSurface, { model }))
    if (place.querySelectorAll('p').length !== count) throw new Error('not all texts are drawn')
    root.unmount(); place.remove()
    return ms
  },
  async leaves(count, writes) {
    const place = holder(), root = createRoot(place), model = make(count)
    show(root, createElement(A2uiSurface, { model }))
    const ms = await pour(place, count, writes, (i, value) => model.apply([{ op: 'set', path: '/items/' + i + '/v', value }]))
    root.unmount(); place.remove()
    return ms
  },
}
`

const peer = `${shared}
import { MessageProcessor } from '@a2ui/web_core/v0_9'
import { A2uiSurface, basicCatalog } from '@a2ui/react/v0_9'
const make = count => {
  const processor = new MessageProcessor([basicCatalog])
  const send = body => processor.processMessages([{ version: 'v0.9', ...body }])
  send({ createSurface: { surfaceId: 's', catalogId: basicCatalog.id } })
  send({ updateDataModel: { surfaceId: 's', path: '/items', value: range(count, i => ({ v: 'v' + i })) } })
  send({ updateComponents: { surfaceId: 's', components: [
    { id: 'root', component: 'Column', children: range(count, i => 't' + i) },
    ...range(count, i => ({ id: 't' + i, component: 'Text', text: { path: '/items/' + i + '/v' } })),
  ] } })
  return { surface: processor.model.getSurface('s'), send }
}
globalThis.side = {
  mount(count) {
    const place = holder(), root = createRoot(place), { surface } = make(count)
    const ms = show(root, createElement(A2uiSurface, { surface }))
    const drawn = place.textContent.match(/v\\d+/g)?.length ?? 0
    if (drawn !== count) throw new Error(drawn + ' of ' + count + ' texts are drawn')
    root.unmount(); place.remove()
    return ms
  },
  async leaves(count, writes) {
    const place = holder(), root = createRoot(place), { surface, send } = make(count)
    show(root, createElement(A2uiSurface, { surface }))
    const ms = await pour(place, count, writes, (i, value) => send({ updateDataModel: { surfaceId: 's', path: '/items/' + i + '/v', value } }))
    root.unmount(); place.remove()
    return ms
  },
}
`

async function open(browser: Browser, source: string, resolveDir: string): Promise<Page> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    conditions: ['vitrine-source', 'module'],
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.url': '"https://page.test/"' },
    logLevel: 'error',
  })
  const page = await browser.newPage()
  await page.setContent('<!doctype html><body></body>')
  await page.addScriptTag({ content: outputFiles[0]!.text })
  return page
}

const mount = (page: Page, count: number): Promise<number> => page.evaluate(n => side.mount(n), count)
const leaves = (page: Page, writes: number): Promise<number> =>
  page.evaluate(([count, n]) => side.leaves(count, n), [BOUND, writes] as const)

export async function run(): Promise<Row[]> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  try {
    const mine = await open(browser, ours, join(repository, 'apps/workbench'))
    const installed = existsSync(join(here, 'node_modules/@a2ui/react'))
    const theirs = installed ? await open(browser, peer, here) : undefined
    const mounts = { ours: [] as number[], peer: [] as number[] }
    // The first ones compile; then they take turns, so that what else the machine does meets both.
    for (let turn = -5; turn < 15; turn++) {
      const ms = await mount(mine, MOUNTED)
      const other = theirs && (await mount(theirs, MOUNTED))
      if (turn < 0) continue
      mounts.ours.push(ms)
      if (other !== undefined) mounts.peer.push(other)
    }
    const rates = { ours: [] as number[], peer: [] as number[] }
    for (let turn = -1; turn < 5; turn++) {
      const perSecond = (OUR_LEAVES / (await leaves(mine, OUR_LEAVES))) * 1000
      const other = theirs && (PEER_LEAVES / (await leaves(theirs, PEER_LEAVES))) * 1000
      if (turn < 0) continue
      rates.ours.push(perSecond)
      if (other !== undefined) rates.peer.push(other)
    }
    expect(mounts.ours.every(Number.isFinite) && rates.ours.every(Number.isFinite), 'a figure is missing')
    const ms = median(mounts.ours)
    const rate = median(rates.ours)
    return [
      {
        name: `React in Chromium, mount of ${MOUNTED}`,
        ours: ms,
        unit: 'ms',
        target: '≤ 30',
        ok: ms <= 30,
        ...(theirs && { peer: median(mounts.peer), ratio: median(mounts.peer) / ms }),
      },
      {
        name: `React in Chromium, leaf update at ${BOUND}`,
        ours: rate,
        unit: 'messages/s',
        target: '≥ 30,000',
        ok: rate >= 30_000,
        ...(theirs && { peer: median(rates.peer), ratio: rate / median(rates.peer) }),
      },
    ]
  } finally {
    await browser.close()
  }
}
