// Script time of drawing a UI Schema document of 500 nodes in Chromium, production build.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { expect, median, type Row } from '../row.ts'

const root = join(import.meta.dirname, '../..')

/** Cards as tools return them: a head with a badge, a text, pairs, and buttons. */
export function nodes500(): unknown {
  const card = (n: number) => ({
    type: 'stack',
    appearance: 'card',
    children: [
      {
        type: 'stack',
        direction: 'horizontal',
        justify: 'space-between',
        align: 'center',
        children: [
          { type: 'text', role: 'title', content: `Order ${n}` },
          { type: 'badge', label: 'ui.status.success', status: 'success' },
        ],
      },
      { type: 'text', content: `Placed on day ${n} and on its way to the customer.` },
      {
        type: 'kv',
        items: [
          { key: 'id', label: 'Number', value: `A-${n}`, copyable: true },
          { key: 'total', label: 'Total', value: n * 17 },
        ],
      },
      {
        type: 'stack',
        direction: 'horizontal',
        children: [
          { type: 'button', label: 'Open', style: 'primary', action: { type: 'navigation', path: `/orders/${n}` } },
          { type: 'button', label: 'Copy', action: { type: 'copy', content: `A-${n}` } },
        ],
      },
    ],
  })
  const cards = Array.from({ length: 55 }, (_, n) => card(n))
  const notes = Array.from({ length: 4 }, (_, n) => ({ type: 'text', role: 'caption', content: `Note ${n}` }))
  return {
    version: '2.0',
    locale: 'en',
    status: 'info',
    theme: 'default',
    root: { type: 'grid', columns: 3, children: [...cards, ...notes] },
  }
}

const entry = `
import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { UiSchema } from '${join(root, 'packages/react/src/genui/schema/ui-schema.tsx')}'

const onAction = async () => ({ ok: true, value: null })
let host, root, schema
// Parsed anew each time, as a document that arrives is.
globalThis.prepare = text => {
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  schema = JSON.parse(text)
}
const show = element => flushSync(() => root.render(element))
globalThis.draw = () => show(createElement(UiSchema, { schema, onAction }))
const plain = n =>
  createElement('div', { key: n, className: 'v-plain' }, createElement('h3', { dir: 'auto' }, 'Order ' + n), createElement('p', { dir: 'auto' }, 'Number A-' + n))
globalThis.drawPlain = () => show(createElement('div', null, Array.from({ length: 500 }, (_, n) => plain(n))))
globalThis.clear = () => {
  const drawn = host.querySelectorAll('.v-plain, .v-ui-stack, .v-ui-grid, .v-ui-text, .v-ui-badge, .v-ui-kv, .v-ui-action').length
  root.unmount()
  host.remove()
  return drawn
}
`

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: join(root, 'packages/react/src'), loader: 'tsx' },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    minify: true,
    conditions: ['vitrine-source', 'module', 'browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]!.text
}

interface Measured {
  /** Milliseconds of the first time in a page, and of those after it. */
  readonly first: number
  readonly warm: number
  /** What React itself takes, in turns with ours, for 500 nodes of three elements that nobody had to read or style. */
  readonly plain: number
}

export async function measure(): Promise<Measured> {
  const script = await bundle()
  const executablePath = process.env.CHROMIUM_PATH ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    await page.setContent('<!doctype html><title>bench</title>')
    await page.addScriptTag({ content: script })
    // The time that the page's thread worked on scripts; what else the machine does is not in it.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const scriptTime = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN)
    }
    const text = JSON.stringify(nodes500())
    const times = { draw: [] as number[], drawPlain: [] as number[] }
    for (let round = 0; round < 60; round++) {
      for (const work of ['draw', 'drawPlain'] as const) {
        await page.evaluate(`prepare(${JSON.stringify(text)})`)
        const before = await scriptTime()
        // Called by a timer, because what is evaluated from outside is not counted as a script of the page.
        await page.evaluate(`new Promise(done => setTimeout(() => done(${work}())))`)
        times[work].push((await scriptTime()) - before)
        const drawn = await page.evaluate('clear()')
        expect(drawn === 500, `${drawn} of 500 nodes were drawn`)
      }
    }
    const { draw, drawPlain } = times
    return { first: draw[0]!, warm: median(draw.slice(10)), plain: median(drawPlain.slice(10)) }
  } finally {
    await browser.close()
  }
}

/** How many times the plain nodes' time a card may take: where they take 4 ms, that is less than 16 ms. */
export const MOST = 3.5

export async function run(): Promise<Row[]> {
  const { first, warm, plain } = await measure()
  const rounded = (value: number) => Math.round(value * 10) / 10
  return [
    {
      name: 'UI Schema: draw 500 nodes, script time',
      ours: rounded(warm),
      unit: 'ms',
      target: '≤ 16',
      ok: warm <= 16,
    },
    {
      name: 'UI Schema: draw 500 nodes, beside 500 plain nodes of React',
      ours: rounded(warm),
      peer: rounded(plain),
      unit: 'ms',
      ratio: warm / plain,
      target: `ratio ≤ ${MOST}`,
      ok: warm / plain <= MOST,
    },
    {
      name: 'UI Schema: the first 500 nodes of a page, code not yet compiled',
      ours: rounded(first),
      unit: 'ms',
      target: 'for the record',
      ok: true,
    },
  ]
}

if (import.meta.main) console.table(await run())
