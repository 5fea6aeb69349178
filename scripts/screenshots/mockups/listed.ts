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
  const listed = Object.keys(LISTED).find(beginning => said.startsWith(beginning))
  if (!listed && !said.startsWith('Listed: ')) return null
  return (async function* () {
    yield { type: 'text.delta', partId: 'answer', delta: LISTED[listed ?? ''] ?? 'Done.' }
    if (said.endsWith('(asks)')) await ask(context)
    if (said.endsWith('(runs)')) await sleep(600_000, undefined, { signal: context.signal }).catch(() => {})
    if (said.endsWith('(fails)')) throw new Error('The archive could not be read')
  })()
}

/** A session of the drawn list: its title, its agent, its folder, and what became of it. */
type Listed = [
  title: string,
  agentId: string,
  folder: string | null,
  end: 'asks' | 'runs' | 'fails' | 'read' | 'unread' | 'empty',
]

const LIST: readonly Listed[] = [
  ['Night watch, week 27', 'front-desk', null, 'read'],
  ['Draft reply to Lindqvist & Co.', 'scout', null, 'empty'],
  ['Warehouse shift plan, week 28', 'ledger', null, 'unread'],
  ['Release notes for 4.2', 'forge', null, 'empty'],
  ['Interview questions, support lead', 'scout', 'Hiring', 'empty'],
  ['Import the 2019 order archive', 'forge', null, 'fails'],
  ['Supplier shortlist for cork soles', 'scout', null, 'unread'],
  ['June forecast by region', 'ledger', null, 'runs'],
  ['Autumn lookbook, first pass', 'scout', 'Autumn catalogue', 'empty'],
  ['Why was the tax pool split?', 'scout', 'Checkout', 'read'],
  ['Gift cards: edge cases', 'forge', 'Checkout', 'unread'],
  ['Replay sale-day traffic', 'forge', 'Checkout', 'runs'],
  ['Allow 3 price changes', 'ledger', null, 'asks'],
  ['Refund policy: French wording', 'scout', null, 'asks'],
  ['Cut checkout latency below 300 ms', 'forge', 'Checkout', 'runs'],
]

let listMade = false

/** Makes the sessions and folders of the drawn list through the API, once. */
async function drawnList(page: Page): Promise<void> {
  if (listMade) return
  listMade = true
  const call = async (method: string, path: string, data?: object) => {
    const answer = await page.request.fetch(new URL(`/api${path}`, page.url()).href, { method, ...(data && { data }) })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()}`)
  }
  for (const folder of ['Checkout', 'Autumn catalogue', 'Hiring']) {
    await call('PUT', `/folders/${folder.replaceAll(' ', '-')}`, { name: folder })
  }
  for (const [index, [title, agentId, folder, end]] of LIST.entries()) {
    const sessionId = `drawn-${index}`
    await call('POST', '/sessions', { sessionId, agentId, title })
    if (folder) await call('PATCH', `/sessions/${sessionId}`, { folderId: folder.replaceAll(' ', '-') })
    const says = async (turnId: string, text: string) =>
      call('POST', `/sessions/${sessionId}/turns`, { turnId: `${turnId}-${index}`, text: `${saidIn(title)}${text}` })
    if (end !== 'empty') {
      await says('first', end === 'fails' ? ' (fails)' : '')
      await ended(page, 1, sessionId)
      if (end === 'asks' || end === 'runs') {
        await says('second', ` (${end})`)
        await page.waitForTimeout(300)
      }
    }
    if (end !== 'unread') await call('PUT', `/sessions/${sessionId}/read`, { seq: 1_000 })
  }
}

/** The text of a person that brings the answer of the drawn list. */
function saidIn(title: string): string {
  if (title.startsWith('Cut checkout'))
    return 'Cut checkout time: why 356 ms now? The latency budget for the page is 300.'
  return Object.keys(LISTED).some(beginning => title.startsWith(beginning)) ? title : `Listed: ${title}`
}

export const listScenes: Record<string, Scene> = {
  'f-sessions': {
    go: async page => {
      await drawnList(page)
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
      await page.locator('.v-hit').first().waitFor()
    },
  },
  'k5a-sessions-sheet': {
    go: async page => {
      await drawnList(page)
      await page.goto(new URL(`/s/drawn-${LIST.length - 1}`, page.url()).href)
      await page.getByRole('button', { name: 'Sessions', exact: true }).click()
      await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
    },
  },
}
