import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, createGuide, createScout, startServer } from '@vitrine/server'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Workbench {
  readonly url: string
  readonly browser: Browser
  /** A page of the owner, as opened from the printed URL. Errors of the page fail the test that calls `errors`. */
  page(options?: PageOptions): Promise<Page>
  /** What the pages complained about so far. */
  errors(): string[]
  /** Stops the server and starts it again on the same port and data. */
  restart(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export interface PageOptions {
  width?: number
  height?: number
  dark?: boolean
  locale?: string
  path?: string
  context?: BrowserContext
}

/** The real server with the scripted guide, the built workbench, and real Chromium. */
export async function openWorkbench(options: { pace?: number; agents?: Agent[] } = {}): Promise<Workbench> {
  const staticFolder = join(import.meta.dirname, '../dist')
  if (!existsSync(join(staticFolder, 'index.html'))) throw new Error('Build the workbench first: npm run build')
  const dataFolder = await mkdtemp(join(tmpdir(), 'vitrine-e2e-'))
  const agents = options.agents ?? [createGuide({ pace: options.pace ?? 0.1 }), createScout({ pace: 0 })]
  const serve = (port: number) => startServer({ dataFolder, host: '127.0.0.1', port, staticFolder, agents })
  let server = await serve(0)
  const { url } = server
  const port = Number(new URL(url).port)
  const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true, args: FLAGS })
  const problems: string[] = []
  return {
    url,
    browser,
    errors: () => problems.splice(0),
    async page({ width = 1280, height = 860, dark = false, locale = 'en-GB', path = '/', context } = {}) {
      const colorScheme = dark ? 'dark' : 'light'
      const owner =
        context ??
        (await browser.newContext({ viewport: { width, height }, colorScheme, locale, reducedMotion: 'reduce' }))
      const page = await owner.newPage()
      page.setDefaultTimeout(15_000)
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', message => {
        // A server that is down is part of some tests; the browser reports each failed request.
        const expected = /Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE/.test(message.text())
        if (message.type() === 'error' && !expected) problems.push(message.text())
      })
      const start = new URL(url)
      start.pathname = path
      await page.goto(start.href)
      return page
    },
    async restart() {
      await server.close()
      server = await serve(port)
    },
    stop: () => server.close(),
    async start() {
      server = await serve(port)
    },
    async close() {
      await browser.close()
      await server.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

export function chromiumPath(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  for (const name of names) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim()
    } catch {
      // Not this one.
    }
  }
  throw new Error('No Chromium on the PATH: apt-get install chromium, or set CHROMIUM_PATH.')
}

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: /message|write/i }).last()

/** Types into the composer and sends, as a person does. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}
