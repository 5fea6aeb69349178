import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SessionSnapshot } from '@vitrine/protocol'
import { chromium, type Page } from 'playwright-core'
import { startChild } from '../child.ts'
import { api } from '../server.ts'
import { type InPage, install } from './in-page.ts'
import type { Task } from './server.child.ts'

declare global {
  interface Window {
    bench: InPage
  }
}

const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

export type Stage = Awaited<ReturnType<typeof openStage>>

/** A real server in a process of its own, the built page, and Chromium: what a measurement of the page needs. */
export async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  const built = fileURLToPath(new URL('../../apps/workbench/dist', import.meta.url))
  await cp(built, join(folder, 'static'), { recursive: true })
  const program = './workbench/server.child.ts'
  const { child, said } = await startChild<{ url: string }>(program, join(folder, 'data'), join(folder, 'static'))
  const { send, get } = api(said.url)
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH!, args: FLAGS.split(' ') })

  const start = (sessionId: string, task: Task) =>
    send('POST', `/sessions/${sessionId}/turns`, { turnId: crypto.randomUUID(), text: JSON.stringify(task) })
  async function idle(sessionId: string): Promise<void> {
    for (;;) {
      const { entities } = (await get(`/sessions/${sessionId}?messages=1`)) as SessionSnapshot
      if (entities.session.activeRunId === null) return
      await sleep(20)
    }
  }
  return {
    browser,
    get,
    start,
    idle,
    async page(): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
      const page = await context.newPage()
      await page.addInitScript(install)
      await page.goto(said.url)
      return page
    },
    async made(title: string): Promise<string> {
      const sessionId = crypto.randomUUID()
      await send('POST', '/sessions', { sessionId, agentId: 'bench', title })
      return sessionId
    },
    /** Has a turn carried out to its end. */
    async run(sessionId: string, task: Task): Promise<void> {
      await start(sessionId, task)
      await idle(sessionId)
    },
    addressOf: (sessionId: string) => new URL(pathOf(sessionId), said.url).href,
    async close(): Promise<void> {
      await browser.close()
      child.send('close')
      const stuck = setTimeout(() => child.kill('SIGKILL'), 10_000)
      if (child.exitCode === null) await once(child, 'exit')
      clearTimeout(stuck)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const pathOf = (sessionId: string): string => `/s/${encodeURIComponent(sessionId)}`

/** The row of a session in the list. */
export const linkTo = (page: Page, sessionId: string) => page.locator(`a[href$="${pathOf(sessionId)}"]`).first()

/** How fast the machine is right now, five times. */
export async function calibrated(page: Page): Promise<number[]> {
  const values: number[] = []
  for (let turn = 0; turn < 5; turn++) values.push(await page.evaluate(() => window.bench.calibrate()))
  return values
}
