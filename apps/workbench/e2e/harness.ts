import { execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent } from '@vitrine/protocol'
import { type Agent, createGuide, createScout, type StartServerOptions, startServer } from '@vitrine/server'
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

/**
 * What Chromium shall not do. The two popups of the address bar are pages in every window, and each window took three times
 * the processor time for them. Chromium heeds only the last list that it gets, so this one also has what Playwright turns
 * off.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

export interface Workbench {
  readonly url: string
  readonly browser: Browser
  /** Opens a page for the owner, from the printed URL. `errors` gives what went wrong in it. */
  page(options?: PageOptions): Promise<Page>
  /** The errors of all pages so far. */
  errors(): string[]
  /** How many browser streams the server holds open, all tabs together. */
  streams(): number
  /** Cuts the open streams in the middle, as a broken network does. */
  cut(): void
  /** Stops the server and starts it again on the same port and data. */
  restart(): Promise<void>
  stop(): Promise<void>
  /** Does nothing when the server runs. */
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
export async function openWorkbench(
  options: Pick<StartServerOptions, 'basePath' | 'catalogModules' | 'catalogs' | 'media' | 'models' | 'tools'> & {
    pace?: number
    agents?: Agent[]
    /** Changes the built files before they are served. */
    prepare?: (staticFolder: string) => Promise<void>
  } = {},
): Promise<Workbench> {
  const built = join(import.meta.dirname, '../dist')
  if (!existsSync(join(built, 'index.html'))) throw new Error('Build the workbench first: npm run build')
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-e2e-'))
  const dataFolder = join(folder, 'data')
  // The files are copied, because a build meanwhile would remove files that open pages still need.
  const staticFolder = join(folder, 'static')
  await cp(built, staticFolder, { recursive: true })
  await options.prepare?.(staticFolder)
  const agents = options.agents ?? [createGuide({ pace: options.pace ?? 0.1 }), createScout({ pace: 0 })]
  const { basePath = '', media = {}, catalogs = [], catalogModules = {}, models, tools = [] } = options
  const content = { media, catalogs, catalogModules, models, tools, staticFolder }
  const serve = (port: number) => startServer({ dataFolder, host: '127.0.0.1', port, agents, basePath, ...content })
  let server = await serve(0)
  const { url } = server
  const port = Number(new URL(url).port)
  const browser = await launchBrowser()
  let running = true
  const stop = async () => {
    running = false
    await server.close()
  }
  const start = async () => {
    if (!running) server = await serve(port)
    running = true
  }
  const problems: string[] = []
  const streams = countStreams()
  return {
    url,
    browser,
    streams: streams.open,
    cut: streams.cut,
    errors: () => problems.splice(0),
    async page({ width = 1280, height = 860, dark = false, locale = 'en-GB', path = '/', context } = {}) {
      const colorScheme = dark ? 'dark' : 'light'
      const owner =
        context ??
        (await browser.newContext({ viewport: { width, height }, colorScheme, locale, reducedMotion: 'reduce' }))
      const page = await owner.newPage()
      page.setDefaultTimeout(30_000)
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', message => {
        // Some tests stop the server, and then the browser reports each failed request. These reports are no errors.
        const expected = /Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE/.test(message.text())
        if (message.type() === 'error' && !expected) problems.push(message.text())
      })
      const start = new URL(url)
      start.pathname = basePath + path
      await page.goto(start.href)
      return page
    },
    stop,
    start,
    async restart() {
      await stop()
      await start()
    },
    async close() {
      streams.stop()
      await browser.close()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The server runs in this process, so Node reports each request, also those of a worker of the browser. */
function countStreams() {
  const open = new Set<ServerResponse>()
  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (!request.url?.includes('/api/stream')) return
    open.add(response)
    response.once('close', () => open.delete(response))
  }
  subscribe('http.server.request.start', onRequest)
  return {
    open: () => open.size,
    cut: () => {
      for (const response of open) response.socket?.destroy()
    },
    stop: () => void unsubscribe('http.server.request.start', onRequest),
  }
}

export function launchBrowser(): Promise<Browser> {
  const args = [...FLAGS, `--disable-features=${DISABLED_FEATURES.join(',')}`]
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args })
}

/**
 * The processor time in ms of the longest task on the main thread of any page while `act` runs. What other programs take
 * from the machine meanwhile does not count, unlike in the durations that a page measures itself.
 */
export async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel'] })
  let trace: Buffer
  try {
    await act()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const threads = new Set(pages.map(threadOf))
  const tasks = traceEvents.filter(event => event.tdur !== undefined && threads.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('Chromium told of no task')
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0)
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  args: { name?: string }
  /** The processor time in microseconds. */
  tdur?: number
}

function chromiumPath(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  for (const name of names) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim()
    } catch {
      // This name is not on the PATH.
    }
  }
  throw new Error('No Chromium on the PATH: apt-get install chromium, or set CHROMIUM_PATH.')
}

/** Where a person writes. While it offers something to complete it is a combobox, and a text box otherwise. */
export const composer = (page: Page): Locator => page.locator('[data-composer]')

/** Types into the composer and sends, as a person does. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Shows a panel of the open dock. Those for people who build agents are in its menu. */
export async function openPanel(page: Page, name: string): Promise<void> {
  if (name === 'Permissions') {
    await openPanel(page, 'Tools')
    await page.locator('.v-subbar').getByRole('radio', { name }).check({ force: true })
    return
  }
  const tab = page.getByRole('tab', { name })
  if ((await tab.count()) === 0) {
    await page.getByRole('button', { name: 'More panels' }).click()
    await page.locator('.v-menu:popover-open').getByRole('button', { name }).click()
  }
  await tab.click()
}

export const answers = (page: Page): Locator => page.getByRole('article', { name: 'Answer', exact: true })

/** The rows of a message that show its parts, without its head and its footer. */
export const partRows = (message: Locator): Locator => message.locator('[data-row]:not(:has(> footer, > .v-speaker))')

/** Begins a session with a text, as a person does on the first screen. Returns the session's id. */
export async function begin(page: Page, text: string): Promise<string> {
  if (new URL(page.url()).pathname !== '/') await page.goto(new URL('/', page.url()).href)
  await page.locator('.v-home-title').waitFor()
  await send(page, text)
  await page.waitForURL(/\/s\//)
  // Before the session is drawn, the first screen would go on with its first text and lead here again (decision 32).
  await page.locator('.v-conversation:not(.v-conversation-begun)').waitFor()
  return sessionOf(page)
}

export const sessionOf = (page: Page): string => decodeURIComponent(new URL(page.url()).pathname.split('/')[2] ?? '')

/** The log of the open session, as the server has it. */
export async function logOf(page: Page, sessionId = sessionOf(page)): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for (let after: number | null = 0; after !== null; ) {
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?after=${after}`
    const headers = { accept: 'application/json' }
    const answer = await page.request.get(new URL(path, page.url()).href, { headers })
    const body = (await answer.json()) as { events: SessionEvent[]; next: number | null }
    events.push(...body.events)
    after = body.next
  }
  return events
}

/** Waits until the server knows of `count` ended runs of the session and of none that is active. */
export async function ended(page: Page, count = 1, sessionId = sessionOf(page)): Promise<SessionEvent[]> {
  for (let tries = 0; ; tries++) {
    const events = await logOf(page, sessionId)
    const runs = events.filter(event => event.type === 'run.started' && event.parentRunId === undefined)
    const ends = new Set(events.flatMap(event => (/^run\.(finished|failed)$/.test(event.type) ? [event.runId] : [])))
    const over = runs.filter(event => ends.has(event.runId)).length
    if (over >= count && over === runs.length) return events
    if (tries > 300) throw new Error(`${over} of ${count} runs have ended`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** The answer text of a run, as the log has it. */
export function saidIn(events: readonly SessionEvent[], runId?: string): string {
  const parts = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'text.delta' && (!runId || event.runId === runId)) {
      parts.set(event.partId, (parts.get(event.partId) ?? '') + event.delta)
    } else if (event.type === 'part.retracted') parts.delete(event.partId)
  }
  return [...parts.values()].join('\n\n')
}
