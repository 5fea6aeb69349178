// Takes pictures of every example of the UI Schema playground, in both themes and languages, wide and narrow:
// npm run screenshots -- ui-schema [--url <printed URL of a running server>] [example…]
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { findChromium } from '../lib/chromium.mjs'
import { cache, root } from '../lib/run.mjs'
import { cli, fromSource } from '../lib/server.mjs'
import { buildWorkbench } from '../lib/workbench.mjs'
import { setUp } from '../setup.mjs'

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const { values, positionals } = parseArgs({ options: { url: { type: 'string' } }, allowPositionals: true })
const examples: { id: string }[] = JSON.parse(
  readFileSync(join(root, 'apps/workbench/src/pages/playground-examples.json'), 'utf8'),
)
const chosen = examples.map(({ id }) => id).filter(id => positionals.length === 0 || positionals.includes(id))
const out = join(cache, 'screenshots/ui-schema')
mkdirSync(out, { recursive: true })

const data = mkdtempSync(join(tmpdir(), 'vitrine-screenshots-'))
const server = values.url === undefined ? await start() : undefined
const url = values.url ?? server?.url ?? ''
const [, executablePath] = await findChromium(() => {})
const browser = await chromium.launch({ executablePath, args: flags })
let count = 0
try {
  for (const theme of ['light', 'dark'] as const)
    for (const locale of ['en', 'zh-CN'])
      for (const width of [1280, 390]) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, locale })
        const page = await context.newPage()
        await page.goto(url)
        for (const id of chosen) {
          const address = new URL('/playground', url)
          address.hash = new URLSearchParams({ example: id, locale, only: '' }).toString()
          // Changing only the hash would not load the page again.
          await page.goto('about:blank')
          await page.goto(address.href)
          const card = page.locator('.w-play-card')
          await card.locator('.v-ui, .v-ui-not-shown').waitFor()
          // The icons are loaded later, in a chunk of their own.
          await page.waitForFunction(() => document.querySelector('.v-ui-icon:empty') === null)
          // The page scrolls inside of an element, so a picture of all of it needs a tall window.
          const { height = 0 } = (await card.boundingBox()) ?? {}
          await page.setViewportSize({ width, height: Math.max(900, Math.ceil(height) + 500) })
          await card.screenshot({ path: join(out, `${id}-${theme}-${locale}-${width}.png`), animations: 'disabled' })
          count++
        }
        await context.close()
      }
  console.log(`${count} pictures in ${out}`)
} finally {
  await browser.close()
  server?.child.kill('SIGTERM')
  rmSync(data, { recursive: true, force: true })
}

async function start(): Promise<{ url: string; child: ChildProcess }> {
  const tools = await setUp()
  await buildWorkbench(tools, doing => console.log(doing))
  const args = [...fromSource, cli, 'start', '--port', '0', '--data', data]
  const child = spawn(tools.node, args, { cwd: root, env: tools.env, stdio: ['ignore', 'pipe', 'inherit'] })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let printed = ''
  child.stdout?.on('data', chunk => {
    printed += chunk
    const found = /https?:\/\/\S+/.exec(printed)
    if (found) resolve(found[0])
  })
  child.on('exit', code => reject(new Error(`The server ended with code ${code}.`)))
  return { url: await promise, child }
}
