// The drawn list of sessions, with folders, marks and texts to be found.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentContext, AgentOutput } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { ended } from '../../../apps/workbench/e2e/harness.ts'
import type { Scene } from './scenes.ts'

/** What the sessions of the drawn list say, by how their first text begins. */
const LISTED: Record<string, string> = {
  'Replay sale-day': 'The load test ran with the report of latency and errors, and 72,000 orders.',
  'Why was the tax': 'Runbook: sale days, v6. “Tax runs on its own pool; load does not change its latency.”',
  'Night watch': 'Median latency 141 ms, no page above 300 ms since Sunday.',
  'Allow 3 price': 'There is no effect on page latency: prices are cached for five minutes at the edge.',
  'Import the 2019':
    'Writing in batches of 500 keeps write latency under 40 ms, but the archive has 11 million rows, and each needs its own check.',
  'Cut checkout':
    'Two calls wait for each other: the change that added gift cards put an await between them, and latency at the 95th percentile went up with it.',
}

/** What the agent of a listed session says, or null when the text is not one of the list. */
export function listedOf(
  said: string,
  context: AgentContext,
  ask: (context: AgentContext) => Promise<unknown>,
): AsyncGenerator<AgentOutput> | null {
  const title = LIST.find(([listed]) => [saidIn(listed), `${ASK}${listed}`, `${GO_ON}${listed}`].includes(said))?.[0]
  if (title === undefined) return null
  return (async function* () {
    const listed = Object.keys(LISTED).find(beginning => title.startsWith(beginning))
    yield { type: 'text.delta', partId: 'answer', delta: LISTED[listed ?? ''] ?? 'Done.' }
    if (said.startsWith(ASK)) await ask(context)
    if (said.startsWith(GO_ON)) await sleep(600_000, undefined, { signal: context.signal }).catch(() => {})
    if (endOf(title) === 'fails') throw new Error('The archive could not be read')
  })()
}

/** How the second text of a person begins, after which the agent asks or goes on until it is stopped. */
const ASK = 'Ask me about '
const GO_ON = 'Go on with '

/** A session of the drawn list: its title, its agent, its folder, and what became of it. */
type Listed = [
  title: string,
  agentId: string,
  folder: string | null,
  end: 'asks' | 'runs' | 'fails' | 'read' | 'unread' | 'empty',
]

const LIST: readonly Listed[] = [
  ['Night watch, week 27', 'front-desk-82', null, 'read'],
  ['Draft reply to Lindqvist & Co.', 'scout-73', null, 'empty'],
  ['Warehouse shift plan, week 28', 'ledger-13', null, 'unread'],
  ['Release notes for 4.2', 'forge-36', null, 'empty'],
  ['Interview questions, support lead', 'scout-73', 'Hiring', 'empty'],
  ['Import the 2019 order archive', 'forge-36', null, 'fails'],
  ['Supplier shortlist for cork soles', 'scout-73', null, 'unread'],
  ['June forecast by region', 'ledger-13', null, 'runs'],
  ['Autumn lookbook, first pass', 'scout-73', 'Autumn catalogue', 'empty'],
  ['Why was the tax pool split?', 'scout-73', 'Checkout', 'read'],
  ['Gift cards: edge cases', 'forge-36', 'Checkout', 'unread'],
  ['Replay sale-day traffic', 'forge-36', 'Checkout', 'runs'],
  ['Allow 3 price changes', 'ledger-13', null, 'asks'],
  ['Refund policy: French wording', 'scout-73', null, 'asks'],
  ['Cut checkout latency below 300 ms', 'forge-36', 'Checkout', 'runs'],
]

const endOf = (title: string) => LIST.find(([listed]) => listed === title)?.[3]
const idOf = (title: string) => `drawn-${LIST.findIndex(([listed]) => listed === title)}`
export const CHECKOUT = 'Cut checkout latency below 300 ms'

async function call(page: Page, method: string, path: string, data?: object): Promise<void> {
  const answer = await page.request.fetch(new URL(`/api${path}`, page.url()).href, { method, ...(data && { data }) })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()}`)
}

/** Sessions that stay when their picture is taken; the others would stand in the lists of the next pictures. */
const staying = new Set<string>()

/** Makes the sessions of the drawn list through the API, once. The one about checkout is made by the screens. */
export async function drawnList(page: Page): Promise<void> {
  if (staying.size > 0) return
  for (const [title, agentId, , end] of LIST) if (title !== CHECKOUT) await listed(page, title, agentId, end)
  await call(page, 'PATCH', `/sessions/${idOf('Night watch, week 27')}`, { pinned: true })
  await call(page, 'PUT', `/sessions/${idOf('Night watch, week 27')}/read`, { seq: 1_000 })
}

async function listed(page: Page, title: string, agentId: string, end: Listed[3]): Promise<void> {
  const sessionId = idOf(title)
  staying.add(sessionId)
  await call(page, 'POST', '/sessions', { sessionId, agentId, title })
  const says = async (turn: string, text: string) =>
    call(page, 'POST', `/sessions/${sessionId}/turns`, {
      turnId: `${turn}-${sessionId}`,
      text,
    })
  if (end !== 'empty') {
    await says('first', saidIn(title))
    await ended(page, 1, sessionId)
    if (end === 'asks' || end === 'runs') {
      await says('second', `${end === 'asks' ? ASK : GO_ON}${title}`)
      await page.waitForTimeout(300)
    }
  }
  if (end !== 'unread') await call(page, 'PUT', `/sessions/${sessionId}/read`, { seq: 1_000 })
}

const sessionsOf = async (page: Page): Promise<string[]> => {
  const answer = await page.request.get(new URL('/api/sessions', page.url()).href)
  // Who is signed out has none.
  if (!answer.ok()) return []
  const { sessions } = (await answer.json()) as { sessions: { sessionId: string }[] }
  return sessions.map(({ sessionId }) => sessionId)
}

/** Keeps what was made so far, with the sessions of its tasks: later screens show it too. */
export async function keep(page: Page): Promise<void> {
  for (const sessionId of await sessionsOf(page)) staying.add(sessionId)
}

/** Deletes what a screen made. */
export async function clear(page: Page): Promise<void> {
  for (const sessionId of await sessionsOf(page)) {
    if (!staying.has(sessionId)) await call(page, 'DELETE', `/sessions/${sessionId}`)
  }
}

let foldersMade = false

/** Puts the list into the drawn folders, once, and makes its session about checkout the only one. */
async function withFolders(page: Page): Promise<void> {
  if (foldersMade) return
  foldersMade = true
  for (const sessionId of staying) if (!sessionId.startsWith('drawn-')) staying.delete(sessionId)
  await clear(page)
  await call(page, 'PATCH', `/sessions/${idOf('Night watch, week 27')}`, { pinned: false })
  const [title, agentId, , end] = LIST.find(([listed]) => listed === CHECKOUT)!
  await listed(page, title, agentId, end)
  for (const folder of ['Checkout', 'Autumn catalogue', 'Hiring']) {
    await call(page, 'PUT', `/folders/${folder.replaceAll(' ', '-')}`, { name: folder })
  }
  for (const [title, , folder] of LIST) {
    if (folder) await call(page, 'PATCH', `/sessions/${idOf(title)}`, { folderId: folder.replaceAll(' ', '-') })
    if (endOf(title) !== 'unread') await call(page, 'PUT', `/sessions/${idOf(title)}/read`, { seq: 1_000 })
  }
}

/** The text of a person that brings the answer of the drawn list. */
function saidIn(title: string): string {
  if (title.startsWith('Cut checkout'))
    return 'Cut checkout time: why 356 ms now? The latency budget for the page is 300.'
  return title
}

export const listScenes: Record<string, Scene> = {
  'f-sessions': {
    go: async page => {
      await withFolders(page)
      if (page.viewportSize()!.width < 720) {
        await page.goto(new URL('/search?q=latency', page.url()).href)
        return page.locator('.v-hit').first().waitFor()
      }
      await page.getByRole('button', { name: /^Checkout/ }).click()
      for (const title of ['Cut checkout', 'Refund policy']) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill(title)
        await page.getByRole('option', { name: title }).first().waitFor()
        await page.keyboard.press('Control+Enter')
        await page.waitForURL(/\/s\//)
      }
      await page.getByRole('button', { name: 'Search sessions and messages' }).click()
      await page.locator('[data-search-field]').fill('latency')
      await page.keyboard.press('Enter')
      return page.locator('.v-hit').first().waitFor()
    },
  },
  'k5a-sessions-sheet': {
    only: 'narrow',
    go: async page => {
      await withFolders(page)
      await page.goto(new URL(`/s/${idOf(CHECKOUT)}`, page.url()).href)
      await page.getByRole('button', { name: 'Sessions', exact: true }).click()
      await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
    },
  },
}
