import type { Agent } from '@vitrine/server'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ended, logOf, openWorkbench, send, type Workbench } from './harness.ts'

const hints = {
  intent: 'status',
  status: 'success',
  title: 'Streamed card',
  body: 'It grows while its arguments are written, and keeps what is there.',
  items: [{ key: 'order', label: 'Order', value: 'A-1042' }],
  actions: [{ label: 'Copy', action: { type: 'copy', content: 'A-1042' } }],
}

/** An agent that streams a `show_ui` call piece by piece. Its result comes when the test allows it. */
const streaming = (seen: Promise<void>): Agent => ({
  agentId: 'streaming',
  name: 'Streaming',
  description: 'Streams a card',
  scripted: true,
  async *run() {
    const toolCallId = 'call-1'
    yield { type: 'tool.started', partId: 'call-1', toolCallId, name: 'show_ui' }
    const text = JSON.stringify(hints)
    for (let at = 0; at < text.length; at += 16) {
      yield { type: 'tool.args', toolCallId, delta: text.slice(at, at + 16), done: false }
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    yield { type: 'tool.args', toolCallId, delta: '', done: true }
    await seen
    yield { type: 'tool.result', toolCallId, uiHints: hints }
  },
})

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ pace: 0 })
})
afterAll(() => workbench?.close())
afterEach(async () => {
  for (const context of workbench.browser.contexts()) await context.close()
  expect(workbench.errors()).toEqual([])
})

async function playground(example: string, options: Parameters<Workbench['page']>[0] & { rest?: string } = {}) {
  const { rest = '', ...page } = options
  const opened = await workbench.page(page)
  await opened.goto(new URL(`/playground#example=${example}${rest}`, workbench.url).href)
  await opened.locator('.w-play-card').locator('.v-ui, .v-not-shown').waitFor()
  return opened
}

const card = (page: Page) => page.locator('.w-play-card')

describe('playground', () => {
  it('US-76 shows hints, their schema and the result side by side, with tokens', async () => {
    const page = await playground('compile')
    const boxes = await Promise.all((await page.locator('.w-play-pane').all()).map(pane => pane.boundingBox()))
    expect(boxes).toHaveLength(3)
    expect(boxes[0]!.x).toBeLessThan(boxes[1]!.x)
    expect(boxes[1]!.x).toBeLessThan(boxes[2]!.x)
    await expect.poll(() => page.locator('.w-play-output').textContent()).toContain('"appearance": "card"')
    expect(await page.locator('.w-play-pane header').first().textContent()).toMatch(/about \d+ tokens/)
    await page.getByRole('tab', { name: 'Markdown' }).click()
    await expect.poll(() => page.locator('.w-play-output').textContent()).toContain('日程已创建')
    expect(await page.locator('.w-play-output').textContent()).not.toContain('"root"')
  })

  it('US-56 US-76 tells problems with line and column, in the text and in the JSON', async () => {
    const page = await playground('compile')
    const editor = page.getByRole('textbox', { name: 'Hints or schema' })
    await editor.fill('{\n  "title": "Wrong",\n  "intent": "statsu"\n}')
    const problems = page.locator('.w-play-problems')
    await expect.poll(() => problems.textContent()).toContain('Line 3, column 3')
    await problems.getByRole('button').first().click()
    const caret = await editor.evaluate(element => (element as HTMLTextAreaElement).selectionStart)
    expect(caret).toBe('{\n  "title": "Wrong",\n  '.length)
    await editor.fill('{\n  "title": \n}')
    await expect.poll(() => problems.textContent()).toContain('Line 3')
  })

  it('A2-260 A2-261 A2-263 a text that is no JSON keeps the last picture, examples take no edits away, and lines have numbers', async () => {
    const page = await playground('compile')
    const editor = page.getByRole('textbox', { name: 'Hints or schema' })
    await editor.fill('{\n  "title": "Still here"\n}')
    await card(page).getByText('Still here').waitFor()
    expect(await page.locator('.w-code-gutter pre').textContent()).toBe('1\n2\n3')
    await editor.fill('{\n  "title": "Still here"')
    await page.getByText('The last one that could be read').waitFor()
    await card(page).getByText('Still here').waitFor()
    const examples = page.getByRole('combobox', { name: 'Example' })
    await examples.selectOption({ label: 'Form' }).catch(() => examples.selectOption({ index: 1 }))
    await page.getByText('The last one that could be read').waitFor({ state: 'hidden' })
    await page.goto('about:blank')
    await page.goto(new URL('/playground#example=compile', workbench.url).href)
    await expect.poll(() => editor.inputValue()).toBe('{\n  "title": "Still here"')
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => editor.inputValue()).not.toContain('Still here')
  })

  it('A2-262 a link opens what was typed in the playground', async () => {
    const page = await playground('compile')
    await page.getByRole('textbox', { name: 'Hints or schema' }).fill('{"title": "Shared with you"}')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => page.url()).toContain('#text=')
    const other = await workbench.page({})
    await other.goto(page.url())
    await card(other).getByText('Shared with you').waitFor()
  })

  it('US-66 US-76 switches language, theme and width of the result', async () => {
    const page = await playground('error-status-panel')
    await page.getByRole('radio', { name: '简体中文' }).check({ force: true })
    await expect.poll(() => card(page).textContent()).toContain('错误')
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    expect(
      await card(page)
        .locator('.v-ui')
        .evaluate(element => getComputedStyle(element).colorScheme),
    ).toBe('dark')
    await page.getByRole('radio', { name: '390' }).check({ force: true })
    expect((await card(page).boundingBox())!.width).toBeLessThanOrEqual(390)
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  })

  it('US-67 a form filled wrong is checked, said to be wrong, corrected and sent once', async () => {
    const page = await playground('form', { rest: '&only' })
    const form = card(page)
    await form.getByRole('button', { name: 'Send' }).click()
    const name = form.getByRole('textbox', { name: 'Name' })
    await expect.poll(() => name.evaluate(element => element === document.activeElement)).toBe(true)
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    expect(await form.getByRole('status').textContent()).toBe('4 fields need another look.')
    expect(await form.locator('.v-field-error').count()).toBe(4)
    expect(await page.locator('.w-play-log code').count()).toBe(0)
    await name.fill('Ada')
    await form.getByRole('textbox', { name: 'Email' }).fill('ada')
    await form.getByRole('textbox', { name: /Rating/ }).fill('9')
    await form.getByRole('checkbox', { name: 'I agree' }).check()
    await form.getByRole('button', { name: 'Send' }).click()
    expect(await form.locator('.v-field-error').allTextContents()).toEqual(['An e-mail address, please', 'At most 5'])
    await form.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await form.getByRole('textbox', { name: /Rating/ }).fill('4')
    expect(await form.locator('.v-field-error').count()).toBe(0)
    await form.getByRole('combobox', { name: /Topic/ }).selectOption({ label: 'Speed' })
    await form.getByRole('checkbox', { name: 'Wed' }).check()
    await form.getByRole('radio', { name: 'By telephone' }).check()
    await form.getByRole('textbox', { name: /Rating/ }).press('Enter')
    await expect.poll(() => form.getByRole('status').textContent()).toBe('Sent to the agent.')
    const sent = await page.locator('.w-play-log code').allTextContents()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toContain('{"form":"feedback"}')
    expect(JSON.parse(sent[0]!.slice(sent[0]!.indexOf('} {') + 2))).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
      rating: 4,
      topic: 'speed',
      channel: 'phone',
      days: ['Wed'],
      size: 8,
      terms: true,
    })
  })

  it('US-70 a danger action asks with the safe choice focused; Escape and Cancel do nothing', async () => {
    const page = await playground('every-node', { rest: '&only' })
    const press = card(page).getByRole('button', { name: 'Cancel the order' })
    const dialog = page.getByRole('dialog', { name: 'Cancel the order?' })
    const log = page.locator('.w-play-log code')
    await press.click()
    expect(await dialog.textContent()).toContain('Asks the agent to run orders.cancel.')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await log.count()).toBe(0)
    await press.click()
    await dialog.getByRole('button', { name: 'Cancel the order' }).click()
    await expect.poll(() => log.allTextContents()).toEqual([expect.stringContaining('orders.cancel')])
  })

  it('US-69 US-63 navigation without a host route shows the path; copies confirm; a violated contract never navigates', async () => {
    const page = await playground('every-node', { rest: '&only' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const address = page.url()
    await card(page).getByRole('button', { name: 'Open' }).click()
    await expect.poll(() => card(page).locator('.v-ui-page code').textContent()).toBe('/orders/A-1042?tab=items')
    await card(page).getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => card(page).getByRole('status').textContent()).toBe('Link copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://example.com/o/A-1042')
    await card(page).getByRole('button', { name: 'Copy Order' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('A-1042')
    const broken = card(page).getByRole('button', { name: 'A broken link' })
    expect(await broken.isDisabled()).toBe(true)
    await broken.evaluate(element => {
      element.removeAttribute('disabled')
      ;(element as HTMLElement).click()
    })
    expect(page.url()).toBe(address)
    const link = card(page).getByRole('link', { name: /Track/ })
    expect(await link.evaluate(({ rel, target }: HTMLAnchorElement) => `${rel} ${target}`)).toBe(
      'noopener noreferrer _blank',
    )
  })

  it('US-69 navigation to a page of the workbench goes there', async () => {
    const page = await playground('compile')
    const home = {
      title: 'Go',
      actions: [{ label: 'Home', action: { type: 'navigation', path: '/', params: { from: 'card' } } }],
    }
    await page.getByRole('textbox', { name: 'Hints or schema' }).fill(JSON.stringify(home))
    await card(page).getByRole('button', { name: 'Home' }).click()
    await page.locator('.w-playground').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?from=card')
  })

  it('US-72 drawing 500 nodes takes at most a few times as long as React takes for 500 plain elements', {
    retry: 2,
  }, async () => {
    // The bench compares the time with its target of 16 ms. Here a
    // ratio is compared, because it also holds on a busy machine.
    const { measure, MOST } = await import(new URL('../../../bench/ui-schema/render.ts', import.meta.url).href)
    const { warm, plain } = (await measure()) as { warm: number; plain: number }
    expect(warm / plain).toBeLessThanOrEqual(MOST)
  })

  it('US-64 the grid has three columns in a wide place and folds in a narrow one', async () => {
    const columns = (page: Page) =>
      card(page)
        .locator('.v-ui-grid > *')
        .evaluateAll(cells => new Set(cells.map(cell => Math.round(cell.getBoundingClientRect().left))).size)
    expect(await columns(await playground('grid-layout', { rest: '&only' }))).toBe(3)
    expect(await columns(await playground('grid-layout', { rest: '&only', width: 390 }))).toBe(2)
    expect(await columns(await playground('grid-layout', { rest: '&only', width: 280 }))).toBe(1)
  })

  it('US-65 a long text is cut, opens and closes', async () => {
    const page = await playground('every-node', { rest: '&only', width: 700 })
    const lines = card(page).locator('.v-ui-lines')
    const height = async () => (await lines.boundingBox())!.height
    const cut = await height()
    await card(page).getByRole('button', { name: 'Show all' }).click()
    await expect.poll(height).toBeGreaterThan(cut * 1.5)
    await card(page).getByRole('button', { name: 'Show less' }).click()
    await expect.poll(height).toBe(cut)
  })

  it('US-68 US-46 charts show their numbers as a table, and tables sort', async () => {
    const page = await playground('table-and-charts', { rest: '&only' })
    expect(await card(page).locator('svg[role=img]').count()).toBe(4)
    await card(page).getByText('Show the numbers').first().click()
    const numbers = card(page).locator('.v-chart').first().getByRole('table')
    expect(await numbers.getByRole('row').nth(1).textContent()).toBe('Mon9690')
    const orders = card(page).getByRole('columnheader', { name: 'Orders' }).first()
    await orders.getByRole('button').click()
    expect(await orders.getAttribute('aria-sort')).toBe('ascending')
    expect(await card(page).getByRole('table').first().getByRole('row').nth(1).textContent()).toContain('Wed')
  })

  it.each([
    ['every-node', false],
    ['every-node', true],
    ['form', false],
    ['table-and-charts', true],
    ['error-status-panel', true],
    ['list', false],
    ['mistakes', true],
  ] as const)('US-61 %s has no accessibility defect (dark: %s)', async (example, dark) => {
    const page = await playground(example, { dark })
    await page.evaluate(axe.source)
    const found = await page.evaluate(
      async tags => {
        const { run } = (globalThis as unknown as { axe: typeof axe }).axe
        const { violations } = await run('.w-playground', { runOnly: tags, resultTypes: ['violations'] })
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
      },
      ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    )
    expect(found).toEqual([])
  })

  it.each(['every-node', 'form', 'table-and-charts', 'list'])(
    'US-61 %s does not break right to left',
    async example => {
      const page = await playground(example, { rest: '&only', width: 390 })
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl'
      })
      const wide = await card(page).evaluate(element => element.scrollWidth - element.clientWidth)
      expect(wide).toBeLessThanOrEqual(0)
    },
  )
})

describe('in a session', () => {
  it('UH-40 US-67 US-75 a form from hints fails validation, is corrected, sent, and the agent answers with the values', async () => {
    const page = await workbench.page()
    await send(page, 'show a form from hints')
    const form = page.locator('.v-tool-ui')
    await form.getByRole('textbox', { name: 'Name' }).waitFor()
    await form.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => form.locator('.v-field-error').count()).toBe(3)
    await form.getByRole('textbox', { name: 'Name' }).fill('Ada')
    await form.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await form.getByRole('textbox', { name: /Rating/ }).fill('9')
    await form.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => form.locator('.v-field-error').allTextContents()).toEqual(['At most 5'])
    await form.getByRole('textbox', { name: /Rating/ }).fill('4')
    await form.getByRole('button', { name: 'Send' }).click()
    const answer = page.locator('.v-tool-ui', { hasText: 'Received' })
    await answer.waitFor()
    expect(await answer.locator('dl').textContent()).toContain('Ada')
    await expect.poll(() => page.locator('.v-message-assistant').last().textContent()).toContain('ada@example.com')
    await expect.poll(() => page.locator('.v-ui-run').textContent()).toContain('The agent answered.')
    await page.getByText('You clicked Send').click()
    await expect.poll(() => page.getByRole('group', { name: 'What was sent' }).textContent()).toContain('"name": "Ada"')
  })

  it('L7 US-67 US-70 a failure keeps what was entered and offers to try again', async () => {
    const page = await workbench.page()
    await send(page, 'show a form from hints')
    const form = page.locator('.v-tool-ui').first()
    await form.getByRole('textbox', { name: 'Name' }).fill('Ada')
    await form.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await form.getByRole('textbox', { name: /Rating/ }).fill('5')
    const keys = new Set<unknown>()
    page.on('request', request => request.url().endsWith('/ui-actions') && keys.add(request.postDataJSON().key))
    await page.route('**/ui-actions', route => route.abort())
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('That did not work. What you entered is kept.').first().waitFor()
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ada')
    await page.unroute('**/ui-actions')
    await form.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.v-tool-ui', { hasText: 'Received' }).waitFor()
    expect(keys.size).toBe(1)
  })

  it('L7 US-70 US-75 an action whose answer was lost acts once, and is not called a failure', async () => {
    const page = await workbench.page()
    await send(page, 'show a created card')
    await page.getByText('Event created').first().waitFor()
    const keys: unknown[] = []
    // The server gets the request, but its answer never reaches the page.
    await page.route('**/ui-actions', async route => {
      keys.push(route.request().postDataJSON().key)
      await route.fetch()
      await ended(page, 2)
      await route.abort()
    })
    await page.locator('.v-tool-ui').first().getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('list', { name: 'What came of it' }).getByText('Event deleted').waitFor()
    await page.getByText('Sent to the agent.').first().waitFor()
    expect(await page.locator('.v-tool-ui').getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
    const calls = (await logOf(page)).filter(event => event.type === 'tool.started' && event.name === 'calendar.delete')
    expect(calls).toHaveLength(1)
  })

  it('UH-41 US-70 US-75 a danger tool action asks, runs and shows its result in place, also after a reload', async () => {
    const page = await workbench.page()
    await send(page, 'show a created card')
    const first = page.locator('.v-tool-ui', { hasText: 'Event created' })
    await first.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete' })
    expect(await dialog.textContent()).toContain('It cannot be undone.')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    const place = page.getByRole('list', { name: 'What came of it' })
    const inPlace = async () => {
      await place.locator('.v-tool-ui', { hasText: 'Event deleted' }).waitFor()
      expect(await place.locator('.v-tool-row', { hasText: 'Delete the event' }).count()).toBe(1)
      // In the conversation the row stays at its place and points to the card. The result itself is shown once.
      await page.getByText('The result is shown at the card you used').waitFor()
      expect(await page.locator('.v-tool-ui', { hasText: 'Event deleted' }).count()).toBe(1)
      const card = (await first.boundingBox())!
      const row = (await place.boundingBox())!
      const said = (await page.getByText('You clicked Delete').boundingBox())!
      expect(row.y).toBeGreaterThanOrEqual(card.y + card.height - 1)
      expect(said.y).toBeGreaterThan(row.y + row.height - 1)
      expect(await page.locator('.v-conversation').textContent()).not.toContain('[ui.action]')
    }
    await inPlace()
    await page.reload()
    await inPlace()
    await page.getByText('You clicked Delete').click()
    await expect.poll(() => page.getByRole('group', { name: 'What was sent' }).textContent()).toContain('eventId')
    await page.getByText('The result is shown at the card you used').click()
    await expect.poll(() => page.locator('.v-tool-ui', { hasText: 'Event deleted' }).count()).toBe(2)
  })

  it('US-70 a result in place has actions of its own, and theirs are shown beneath it', async () => {
    const page = await workbench.page()
    await send(page, 'show a created card')
    await page.locator('.v-tool-ui').first().getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click()
    const place = page.getByRole('list', { name: 'What came of it' })
    await place.getByRole('button', { name: 'Put it back' }).click()
    await place.locator('.v-ui-runs .v-tool-ui', { hasText: 'Event created' }).waitFor()
    const left = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(element => element.getBoundingClientRect().left)
    // Results inside of results are not indented further and further, so they stay within the page.
    expect(await left('.v-ui-runs .v-ui-runs .v-tool-ui')).toBe(await left('.v-ui-runs .v-tool-ui'))
  })

  it('UH-37 UH-39 US-74 the card is the same after a reload, and its hints are in the detail view', async () => {
    const page = await workbench.page()
    await send(page, 'show sections')
    const shown = page.locator('.v-tool-ui').first()
    await shown.getByText('ada@example.com').waitFor()
    const before = await shown.textContent()
    await page.reload()
    await shown.getByText('ada@example.com').waitFor()
    expect(await shown.textContent()).toBe(before)
    await page.locator('.v-tool-row summary').first().click()
    await expect.poll(() => page.getByRole('group', { name: 'Hints' }).textContent()).toContain('"intent": "mixed"')
    expect(await page.getByRole('group', { name: 'UI Schema' }).textContent()).toContain('"appearance": "card"')
  })

  it('UH-26 US-74 UH-36 a card grows while its hints stream and keeps its nodes when the result comes', async () => {
    const seen = Promise.withResolvers<void>()
    const other = await openWorkbench({ agents: [streaming(seen.promise)] })
    try {
      const page = await other.page()
      await send(page, 'go')
      const shown = page.locator('.v-tool-ui')
      await shown.getByText('Streamed card').waitFor()
      expect(await shown.getAttribute('aria-busy')).toBe('true')
      await shown.getByRole('heading').evaluate(element => Object.assign(element, { mark: 1 }))
      await shown.getByRole('button', { name: 'Copy' }).waitFor()
      expect(await shown.getByRole('button', { name: 'Copy' }).isDisabled()).toBe(true)
      seen.resolve()
      await expect.poll(() => shown.getAttribute('aria-busy')).toBe('false')
      expect(await shown.getByRole('button', { name: 'Copy' }).isEnabled()).toBe(true)
      expect(await shown.getByRole('heading').evaluate(element => (element as unknown as { mark?: number }).mark)).toBe(
        1,
      )
      expect(other.errors()).toEqual([])
    } finally {
      seen.resolve()
      await other.close()
    }
  })
})
