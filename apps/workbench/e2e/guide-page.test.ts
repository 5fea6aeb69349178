import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build, createServer, defaultClientConditions } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answers, launchBrowser, send } from './harness.ts'

const root = join(import.meta.dirname, '../../..')
const guides = join(root, 'docs/guides')

/** A guide with a page: its files, what the test writes there, and what the agent answers. */
interface GuidePage {
  readonly name: string
  readonly files: ReadonlyMap<string, string>
  readonly turn: string
  readonly says: string
}

/** A block that begins with `// main.tsx` is that file, and a block of HTML is `index.html`. */
function pagesOf(name: string): GuidePage[] {
  const text = readFileSync(join(guides, name), 'utf8')
  const page = /^```html page turn="([^"]+)" says="([^"]+)"\n([\s\S]*?)^```/m.exec(text)
  if (!page) return []
  const [, turn = '', says = '', html = ''] = page
  const files = new Map([['index.html', html]])
  for (const [, code = '', file = ''] of text.matchAll(/^```tsx?[^\n]*\n(\/\/ ([\w-]+\.tsx?)\n[\s\S]*?)^```/gm))
    files.set(file, code)
  return [{ name, files, turn, says }]
}

const pages = readdirSync(guides).flatMap(pagesOf)

it('R-39 the guides have a page', () => {
  expect(pages.map(({ name }) => name)).toContain('react.md')
})

it.each(pages)('R-39 the page of $name is built, served and used as the guide says', async ({ files, turn, says }) => {
  // Below the root, so that its programs find the packages as they would find installed ones.
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const [file, code] of files) writeFileSync(join(folder, file), code)

  const conditions = ['vitrine-source', ...defaultClientConditions]
  await build({ root: folder, configFile: false, logLevel: 'error', resolve: { conditions } })

  const args = ['--conditions=vitrine-source', '--disable-warning=ExperimentalWarning', 'server.ts']
  const server = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  })
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string]

  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('response', answer => {
    // The page has no icon, and browsers ask for one all the same.
    const { pathname } = new URL(answer.url())
    if (answer.status() >= 400 && pathname !== '/favicon.ico') errors.push(`${answer.status()} ${pathname}`)
  })
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) errors.push(message.text())
  })
  await page.goto(url)
  await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
  await send(page, turn)
  await answers(page).getByText(says).waitFor()
  // The composer stands at the lower edge of the window: the view fills the height of its parent.
  const deck = await page.locator('.v-deck').boundingBox()
  expect(Math.round(deck!.y + deck!.height)).toBe(page.viewportSize()!.height)
  await page.reload()
  await answers(page).getByText(says).waitFor()
  expect(errors).toEqual([])

  // The same page from the development server, whose proxy passes the API on as the guide writes it.
  if (!files.has('vite.config.ts')) return
  vi.stubEnv('PORT', new URL(url).port)
  onTestFinished(() => void vi.unstubAllEnvs())
  const dev = await createServer({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    cacheDir: join(folder, '.vite'),
    logLevel: 'error',
    server: { port: 0, fs: { allow: [root] } },
    resolve: { conditions },
  })
  onTestFinished(() => dev.close())
  await dev.listen()
  await page.goto(dev.resolvedUrls!.local[0]!)
  await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
  await send(page, turn)
  await answers(page).getByText(says).waitFor()
  expect(errors).toEqual([])
})
