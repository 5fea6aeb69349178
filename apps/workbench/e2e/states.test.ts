import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, AgentContext, AgentOutput } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, openWorkbench, send, sessionOf, type Workbench } from './harness.ts'

const MIXED = `فقرة أولى فيها \`code\`.

A second paragraph.

1. بند

| اسم | Name |
|---|---|
| قيمة | value |

\`\`\`ts
const a = 1
\`\`\`
`

const spent = (amount: number): AgentOutput => ({
  type: 'metric.changed',
  scope: 'run',
  usage: { inputTokens: 10, outputTokens: 5, cost: { amount, currency: 'USD' } },
})
const untilStopped = ({ signal }: AgentContext) => sleep(600_000, undefined, { signal }).catch(() => {})

/** An agent that works, asks, fails and answers as the states need it. */
const worker = (agentId: string, name: string): Agent => ({
  agentId,
  name,
  description: 'Does what the test says',
  async *run({ text }, context): AsyncGenerator<AgentOutput> {
    if (text.startsWith('work')) {
      yield spent(0.31)
      yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'load', title: 'Run load test', summary: 'all' }
      yield { type: 'tool.progress', toolCallId: 'c', current: 1, total: 2 }
      if (text === 'work together') context.spawn('scout', 'ask early', 'Scout').catch(() => {})
      await untilStopped(context)
    } else if (text.startsWith('ask')) {
      if (text === 'ask elsewhere') yield spent(0.22)
      yield { type: 'text.delta', partId: 'p', delta: 'A question.' }
      await context.ask({ kind: 'choice', title: 'Which tone?', options: [{ value: 'a', label: 'Formal' }] })
    } else if (text === 'fail') {
      yield { type: 'text.delta', partId: 'p', delta: 'Half of it' }
      if (context.attempt === 1) throw new Error('The model stopped answering.')
    } else yield { type: 'text.delta', partId: 'p', delta: text === 'mixed' ? MIXED : 'Done.' }
  },
})

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [worker('forge', 'Forge'), worker('scout', 'Scout')] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const tree = (page: Page) => page.getByRole('dialog', { name: 'Tasks' }).getByRole('tree')
const row = (page: Page, words: string) => tree(page).getByRole('treeitem').filter({ hasText: words })

describe('tasks over sessions', () => {
  it('P-9350 P-9351 the tree has times, costs and reasons of this session and of others, and keys act in every session', async () => {
    const page = await workbench.page()
    const failed = await begin(page, 'fail')
    await ended(page)
    const other = await begin(page, 'ask elsewhere')
    await page.getByRole('heading', { name: 'Which tone?' }).waitFor()
    await begin(page, 'work together')
    await page.getByRole('radio', { name: 'New task' }).check({ force: true })
    await send(page, 'work apart')
    await page
      .getByRole('button', { name: /running/ })
      .first()
      .click()

    // The request stands in the row of the subagent that asks.
    await row(page, 'ask early').getByText('Waiting for you: Which tone?').waitFor()
    const own = tree(page).getByRole('treeitem').first()
    expect(await own.textContent()).toMatch(/Forge.*work together.*\$0\.31.*Stop/s)
    await row(page, 'work apart').getByText('$0.31').waitFor()
    await row(page, 'Run load test').getByRole('progressbar').waitFor()
    const elsewhere = row(page, 'ask elsewhere')
    await elsewhere.getByText('$0.22').waitFor()
    expect(await elsewhere.textContent()).toMatch(/Forge.*ask elsewhere.*Choose.*Waiting for you: Which tone\?/s)
    const broken = row(page, 'The model stopped answering.')
    // Nobody said what it cost, and that is not nothing.
    expect(await broken.textContent()).not.toMatch(/\$/)
    expect(await violations(page)).toEqual([])

    // R tries the run of the other session again, S stops the task, and Enter leads to what waits elsewhere.
    await broken.focus()
    await page.keyboard.press('r')
    await ended(page, 2, failed)
    await row(page, 'work apart').focus()
    await page.keyboard.press('s')
    await row(page, 'work apart').getByRole('img', { name: 'Stopped' }).waitFor()
    await elsewhere.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(other))
    await page.context().close()
  })
})

describe('states of a session', () => {
  it('P-9352 a session on its way has its shape after 200 ms and words after two seconds', async () => {
    const page = await workbench.page()
    const session = await begin(page, 'hello')
    await ended(page)
    await page.route(/\/api\/sessions\/[^/]+\?messages/, () => {})
    await page.goto(new URL(`/s/${session}`, page.url()).href)
    const opacity = (selector: string) =>
      page.locator(selector).evaluate(element => Number(getComputedStyle(element).opacity))
    await expect.poll(() => opacity('.v-skeleton-mine')).toBe(1)
    expect(await opacity('.v-skeleton > p')).toBe(0)
    await expect.poll(() => opacity('.v-skeleton > p'), { timeout: 4000 }).toBe(1)
    expect(await page.locator('.v-skeleton').textContent()).toContain('Loading the session…')
    await page.context().close()
  })

  it('P-9354 P-9355 a failed run says what happened and what is kept, and offers one way on', async () => {
    const page = await workbench.page()
    await begin(page, 'fail')
    const plate = page.getByRole('region', { name: 'Failed' })
    await plate.getByText('The model stopped answering', { exact: true }).waitFor()
    await plate.getByText(/This run failed.*The text so far is kept\./).waitFor()
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Try again|another answer/i })
        .count(),
    ).toBe(1)
    await plate.getByRole('button', { name: 'Try again' }).click()
    await ended(page, 2)
    await page.context().close()
  })

  it('P-9357 blocks of an answer have the direction of their own text', async () => {
    const page = await workbench.page()
    await begin(page, 'mixed')
    await ended(page)
    const sides = () =>
      page.locator('.v-answer').evaluate(answer =>
        ['p', 'p ~ p', 'ol', 'ol > li', 'table', 'td', 'td + td', 'pre'].map(selector => {
          const element = answer.querySelector(selector)
          return element ? getComputedStyle(element).direction : selector
        }),
      )
    await expect.poll(sides).toEqual(['rtl', 'ltr', 'rtl', 'rtl', 'rtl', 'rtl', 'ltr', 'ltr'])
    await page.context().close()
  })

  it('P-9360 a phone has the ways to send in one line, and a low window only one line of the composer', async () => {
    const page = await workbench.page({ width: 390, height: 844 })
    await begin(page, 'work')
    await page.getByText('Run load test').waitFor()
    await send(page, 'later')
    const steer = page.locator('.v-check').filter({ hasText: 'Steer' })
    const middle = async (box: { y: number; height: number } | null) =>
      Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2)
    const stop = page.getByRole('button', { name: 'Stop', exact: true })
    await stop.waitFor()
    expect(Math.abs((await middle(await steer.boundingBox())) - (await middle(await stop.boundingBox())))).toBeLessThan(
      4,
    )
    await page.setViewportSize({ width: 360, height: 225 })
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const deck = () => page.locator('.v-deck').evaluate(element => element.getBoundingClientRect().height)
    await expect.poll(deck).toBeLessThan(90)
    await page.setViewportSize({ width: 390, height: 844 })
    await stop.click()
    await ended(page)
    await page.context().close()
  })

  it('P-9353 without a connection a working call says that there is no news, and is itself again afterwards', async () => {
    const page = await workbench.page()
    await begin(page, 'work')
    await page.getByText('Run load test').waitFor()
    await workbench.stop()
    await page.getByText(/no news since \d\d:\d\d/).waitFor()
    await page.getByText('Unknown', { exact: true }).waitFor()
    await page.getByText(/Trying again in/).waitFor()
    await composer(page).fill('Written offline')
    await composer(page).press('Enter')
    await page.getByText('Written offline').waitFor()
    expect(await violations(page)).toEqual([])
    await workbench.start()
    // The page may be back by itself before the button is pressed.
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 3000 })
      .catch(() => {})
    await expect.poll(() => page.getByText(/no news since/).count()).toBe(0)
    expect(sessionOf(page)).not.toBe('')
    await page.context().close()
  })
})
