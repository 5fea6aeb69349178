import type { Agent, SourceTool, ToolSource } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ended, logOf, openWorkbench, send, type Workbench } from './harness.ts'

const button = (label: string, toolId: string) => ({
  type: 'button',
  label,
  action: { type: 'tool', toolId, params: { order: 'A-1042' } },
})

/** Shows a card with a button for each tool of the test, and for one that nobody offers. */
const agent: Agent = {
  agentId: 'cards',
  name: 'Cards',
  scripted: true,
  async *run({ interaction }) {
    if (interaction) {
      yield { type: 'text.delta', partId: 'a', delta: 'The agent was asked.' }
      return
    }
    yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'orders' }
    const buttons = [
      button('Look', 'shop:look'),
      button('Refund', 'shop:refund'),
      button('Break', 'shop:break'),
      button('Other', 'nobody.knows'),
    ]
    const root = { type: 'stack', children: [{ type: 'text', content: 'Order A-1042' }, ...buttons] }
    yield { type: 'tool.result', toolCallId: 'c', ui: { version: '2.0', root } as never }
    yield { type: 'text.delta', partId: 'a', delta: 'Here is your order.' }
  },
}

const tool = (name: string, given: Partial<SourceTool>): SourceTool => ({
  toolId: `shop:${name}`,
  name,
  title: `The ${name}`,
  description: name,
  inputSchema: { type: 'object' },
  effects: 'reads',
  execute: async () => ({}),
  ...given,
})

const shop: ToolSource = {
  sourceId: 'shop',
  name: 'Shop',
  kind: 'host',
  tools: async () => [
    tool('look', { execute: async ({ order }) => ({ text: `${order} is on its way` }) }),
    tool('refund', { effects: 'writes', execute: async ({ order }) => ({ text: `${order} refunded` }) }),
    tool('break', {
      execute: async () => {
        throw new Error('The shop is closed')
      },
    }),
  ],
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [agent], tools: [shop] })
})
afterAll(() => workbench?.close())
afterEach(async () => {
  for (const context of workbench.browser.contexts()) await context.close()
  expect(workbench.errors()).toEqual([])
})

async function shown(options?: Parameters<Workbench['page']>[0]): Promise<Page> {
  const page = await workbench.page(options)
  await send(page, 'My order')
  await page.getByText('Order A-1042').waitFor()
  await page.getByText('Here is your order.').waitFor()
  await ended(page)
  return page
}

const runs = (page: Page) => page.locator('.v-ui-runs')
const press = (page: Page, name: string) => page.locator('.v-tool-ui').getByRole('button', { name }).click()
/** What the page says that a button does. */
const does = (page: Page, name: string) =>
  page.locator('.v-tool-ui').getByRole('button', { name }).getAttribute('title')

it('TO-52 TO-50 a button says what it does, runs its tool and shows the result at the card; others ask the agent', async () => {
  const page = await shown()
  await expect.poll(() => does(page, 'Look')).toBe('Runs shop:look itself, without the agent.')
  expect(await does(page, 'Refund')).toBe('Runs shop:refund itself, without the agent. You are asked before.')
  expect(await does(page, 'Other')).toBe('Asks the agent to run nobody.knows. The agent decides what it does.')
  await press(page, 'Look')
  await runs(page).getByText('A-1042 is on its way').first().waitFor()
  await press(page, 'Break')
  await runs(page).getByText('The shop is closed').first().waitFor()
  const started = (await logOf(page)).filter(event => event.type === 'run.started')
  expect(started.map(({ kind }) => kind ?? 'turn')).toEqual(['turn', 'call', 'call'])
  await press(page, 'Other')
  await page.getByText('The agent was asked.').waitFor()
  // After a reload the card shows the same.
  await page.reload()
  await runs(page).getByText('A-1042 is on its way').first().waitFor()
  await runs(page).getByText('The shop is closed').first().waitFor()
})

it('TO-52 TO-53 a tool that asks waits for a person, runs when allowed, and its detail says who allowed it', async () => {
  const page = await shown()
  await expect.poll(() => does(page, 'Refund')).toContain('You are asked before.')
  await press(page, 'Refund')
  await runs(page).locator('.v-tool[data-state="waiting"]').waitFor()
  // A card that has just appeared takes no answer for a moment: pressed until it does.
  await expect
    .poll(async () => {
      await page
        .getByRole('button', { name: 'Allow once' })
        .first()
        .click({ timeout: 500 })
        .catch(() => {})
      return (await logOf(page)).some(({ type }) => type === 'action.resolved')
    })
    .toBe(true)
  await runs(page).getByText('A-1042 refunded').first().waitFor()
  await press(page, 'Look')
  await runs(page).getByText('A-1042 is on its way').first().waitFor()
  await runs(page).locator('.v-tool-row summary', { hasText: 'The look' }).click()
  await runs(page).getByText('Policy: what only reads is allowed').waitFor()
})

it('TO-52 TO-53 the same words are there in Chinese', async () => {
  const page = await shown({ locale: 'zh-CN' })
  await expect.poll(() => does(page, 'Look')).toBe('直接运行 shop:look，不经智能体。')
  await press(page, 'Look')
  await runs(page).getByText('A-1042 is on its way').first().waitFor()
  await runs(page).locator('.v-tool-row summary', { hasText: 'The look' }).click()
  await runs(page).getByText('策略：只读操作允许运行').waitFor()
})
