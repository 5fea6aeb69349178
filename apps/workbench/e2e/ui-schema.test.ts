import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { Agent } from '@vitrine/server'
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ended, logOf, openWorkbench, send, type Workbench } from './harness.ts'

const hints: UiHintsPayload = {
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

/** Draws a document of the test itself in the playground. */
async function drawn(root: object, options: { more?: object; page?: Parameters<Workbench['page']>[0] } = {}) {
  const page = await playground('compile', options.page ?? {})
  await page.getByRole('textbox', { name: 'Hints or schema' }).fill(JSON.stringify({ root, ...options.more }))
  await page.getByRole('checkbox', { name: 'Result only' }).check()
  return page
}

const text = (content: string, more: object = {}) => ({ type: 'text', content, ...more })
const stack = (children: object[], more: object = {}) => ({ type: 'stack', children, ...more })
const styleOf = (locator: Locator, property: string) =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
/** How light a colour is, from 0 to 1, whatever notation the browser writes it in. */
const lightness = (locator: Locator, property: string) =>
  locator.evaluate((element, name) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
    canvas.fillStyle = getComputedStyle(element).getPropertyValue(name)
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 765
  }, property)

describe('what lines up', () => {
  const item = (title: string, more: object) => ({ title, subtitle: 'a moment ago', status: 'error', ...more })
  const actions = ['Restart', 'Copy name'].map(label => ({ label, action: { type: 'copy', content: label } }))
  const listItems = [
    item('First', { icon: { source: 'icon', value: 'check' } }),
    item('Second', { icon: { source: 'emoji', value: '📚' }, actions, description: 'With something to press' }),
    item('Third', { icon: { source: 'icon', value: 'x' }, status: 'pending' }),
  ]

  it('UH-261 icons, words and badges of a list stand below each other, and buttons below the words, at 900 and at 320 px', async () => {
    for (const width of [900, 320]) {
      const page = await playground('compile', { width })
      await page.getByRole('textbox', { name: 'Hints or schema' }).fill(JSON.stringify({ intent: 'list', listItems }))
      await page.getByRole('checkbox', { name: 'Result only' }).check()
      const boxes = async (all: Locator) =>
        all.evaluateAll(found => found.map(element => element.getBoundingClientRect().toJSON() as DOMRect))
      await card(page).getByText('Third').waitFor()
      const titles = await boxes(card(page).getByText(/^(First|Second|Third)$/))
      const badges = await boxes(card(page).locator('.v-ui-badge'))
      expect([titles.length, badges.length]).toEqual([3, 3])
      const near = (values: number[]) => Math.max(...values) - Math.min(...values)
      expect(near(titles.map(({ x }) => x)), `titles at ${width}`).toBeLessThan(1)
      expect(near(badges.map(({ right }) => right)), `badges at ${width}`).toBeLessThan(1)
      // The badge of an item stands beside its title, also where the item has more lines.
      for (const [at, badge] of badges.entries())
        expect(Math.abs(badge.y - titles[at]!.y), `badge ${at} at ${width}`).toBeLessThan(6)
      const [button] = await boxes(card(page).getByRole('button', { name: 'Restart' }))
      expect(Math.abs(button!.x - titles[1]!.x)).toBeLessThan(1)
      expect(button!.y).toBeGreaterThan(titles[1]!.bottom)
      await page.context().close()
    }
  })

  it('US-301 the name of a button and its reason are one sentence at 320 px, and words without a frame line up', async () => {
    const wrong = (label: string, path: string) => ({ type: 'button', label, action: { type: 'navigation', path } })
    const row = stack([wrong('No route', '/todo/:id'), wrong('Fine', '/todo/1')], { direction: 'horizontal' })
    const ghost = { type: 'button', label: 'Ghost', style: 'ghost', action: { type: 'copy', content: 'x' } }
    const page = await drawn(stack([text('Above'), row, ghost]), { page: { width: 320 } })
    const outcome = card(page).locator('.v-ui-outcome')
    await outcome.waitFor()
    // The reason begins on the line of the name, and has as many lines as it needs.
    const [all, reason] = await Promise.all([outcome.boundingBox(), outcome.locator('.v-ui-reason').boundingBox()])
    expect(reason!.x).toBeGreaterThan(all!.x + 20)
    expect(Math.abs(reason!.y - all!.y)).toBeLessThan(4)
    const left = await card(page).getByText('Above').boundingBox()
    const words = await card(page)
      .getByRole('button', { name: 'Ghost' })
      .evaluate(button => {
        const range = document.createRange()
        range.selectNodeContents(button)
        return range.getBoundingClientRect().x
      })
    expect(Math.abs(words - left!.x)).toBeLessThan(2)
    await page.context().close()
  })
})

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
    expect(await form.locator('.v-field-error').allTextContents()).toEqual(['Enter an e-mail address', 'At most 5'])
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

describe('in the built page', () => {
  it.each([
    ['dark', false],
    ['light', true],
  ] as const)('US-213 a document with the theme %s has its colours, whatever the page has', async (theme, dark) => {
    const card = stack(
      [text('Words', { role: 'title' }), { type: 'badge', label: 'ui.status.success', status: 'success' }],
      { appearance: 'card' },
    )
    const page = await drawn(card, { more: { theme }, page: { dark } })
    const document = page.locator('.w-play-card .v-ui')
    await document.getByText('Words').waitFor()
    const ground = await lightness(document.locator('.v-plate'), 'background-color')
    const words = await lightness(document.getByText('Words'), 'color')
    const badge = await lightness(document.locator('.v-badge'), 'color')
    if (theme === 'dark') expect([ground < 0.3, words > 0.7, badge > 0.5]).toEqual([true, true, true])
    else expect([ground > 0.8, words < 0.3, badge < 0.5]).toEqual([true, true, true])
    // The page around it keeps its own.
    const around = await lightness(page.locator('body'), 'color')
    expect(around > 0.5).toBe(dark)
  })

  it('US-214 maxLines cuts markdown and code like plain text, and each opens', async () => {
    const lines = Array.from({ length: 12 }, (_, line) => `line ${line}`)
    const page = await drawn(
      stack([
        text(lines.join('\n\n'), { format: 'markdown', maxLines: 3 }),
        text(lines.join('\n'), { role: 'code', maxLines: 3 }),
        text('short', { format: 'markdown', maxLines: 3 }),
        text('short', { role: 'code', maxLines: 3 }),
      ]),
    )
    const more = card(page).getByRole('button', { name: 'Show all' })
    await expect.poll(() => more.count()).toBe(2)
    const [markdown, code] = [card(page).locator('.v-ui-lines').nth(0), card(page).locator('.v-ui-lines').nth(1)]
    const height = async (locator: Locator) => (await locator.boundingBox())!.height
    const before = [await height(markdown), await height(code)] as const
    expect(before[0]).toBeLessThan(4 * Number.parseFloat(await styleOf(markdown, 'line-height')))
    await more.first().click()
    await expect.poll(() => height(markdown)).toBeGreaterThan(2 * before[0])
    await more.first().click()
    await expect.poll(() => height(code)).toBeGreaterThan(1.5 * before[1])
    expect(await card(page).getByRole('button', { name: 'Show less' }).count()).toBe(2)
  })

  it('US-208 a document that is hidden or empty draws nothing, in a session as well', async () => {
    const agent: Agent = {
      agentId: 'empty',
      name: 'Empty',
      description: 'Shows nothing',
      scripted: true,
      async *run() {
        for (const [toolCallId, root] of [
          ['hidden', stack([text('never')], { visible: false, appearance: 'card' })],
          ['none', stack([])],
        ] as const) {
          yield { type: 'tool.started', partId: toolCallId, toolCallId, name: toolCallId }
          yield { type: 'tool.result', toolCallId, ui: { root } as never }
        }
        yield { type: 'text.delta', partId: 'p', delta: 'That was all.' }
      },
    }
    const other = await openWorkbench({ agents: [agent] })
    try {
      const page = await other.page()
      await send(page, 'go')
      await page.getByText('That was all.').waitFor()
      await expect.poll(() => page.locator('.v-tool-ui').count()).toBe(2)
      for (const place of await page.locator('.v-tool-ui').all())
        expect((await place.boundingBox())?.height ?? 0).toBe(0)
      expect(await page.getByText('could not be shown').count()).toBe(0)
      expect(await page.locator('.v-tool[data-state="done"]').count()).toBe(2)
    } finally {
      await other.close()
    }
  })

  it('US-215 a grid and pairs have as many columns as the author says, and fold where there is no room', async () => {
    const grid = (columns: number, children: number) => ({
      type: 'grid',
      columns,
      children: Array.from({ length: children }, (_, cell) => text(`c${cell}`)),
    })
    const kv = {
      type: 'kv',
      columns: 3,
      items: [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
      ],
    }
    const root = stack([grid(4, 1), grid(6, 6), grid(12, 12), kv])
    const page = await drawn(root, { page: { width: 900 } })
    const columns = (at: number) =>
      card(page)
        .locator('.v-ui-grid, .v-ui-kv')
        .nth(at)
        .evaluate(element => getComputedStyle(element).gridTemplateColumns.split(' ').length)
    expect([await columns(0), await columns(1), await columns(2), await columns(3)]).toEqual([4, 6, 12, 3])
    await page.setViewportSize({ width: 320, height: 900 })
    expect(await columns(2)).toBeLessThan(12)
    expect(await columns(0)).toBeLessThan(4)
  })

  it('US-263 what became of a press stands below its line of buttons, and no other button moves', async () => {
    const button = (label: string, more: object = {}) => ({
      type: 'button',
      label,
      action: { type: 'navigation', path: '/no/such/page' },
      ...more,
    })
    const page = await drawn(
      stack([button('Look'), button('More'), button('Delete', { style: 'danger' })], { direction: 'horizontal' }),
    )
    const boxes = () =>
      card(page)
        .getByRole('button')
        .evaluateAll(all =>
          all.map(one => [one.textContent, one.getBoundingClientRect().x, one.getBoundingClientRect().y]),
        )
    const before = await boxes()
    expect(before).toHaveLength(3)
    await card(page).getByRole('button', { name: 'Look' }).click()
    const note = card(page).locator('.v-ui-outcome')
    await note.waitFor()
    expect((await boxes()).filter(([name]) => before.some(([one]) => one === name))).toEqual(before)
    const last = (await card(page).getByRole('button', { name: 'Delete' }).boundingBox())!
    expect((await note.boundingBox())!.y).toBeGreaterThanOrEqual(last.y + last.height)
  })

  it('US-216 a badge and an icon keep their size and their place in a stack, a row and a grid', async () => {
    const icon = { type: 'icon', source: 'icon', value: 'star', size: 32 }
    const badge = { type: 'badge', label: 'ui.status.success', status: 'success' }
    const tall = text('one\ntwo\nthree')
    const page = await drawn(
      stack([
        icon,
        badge,
        stack([icon, badge], { align: 'stretch' }),
        stack([tall, icon, badge], { direction: 'horizontal' }),
        { type: 'grid', columns: 2, children: [icon, badge] },
      ]),
    )
    await card(page).locator('.v-ui-icon svg').nth(3).waitFor()
    const boxes = (selector: string) =>
      card(page)
        .locator(selector)
        .evaluateAll(all => all.map(element => element.getBoundingClientRect()))
    for (const { width, height } of await boxes('.v-ui-icon')) expect([width, height]).toEqual([32, 32])
    const badges = await boxes('.v-badge')
    expect(new Set(badges.map(({ width, height }) => `${width} ${height}`)).size).toBe(1)
    const [first] = await boxes('.v-ui-icon')
    expect(first!.left).toBeCloseTo(badges[0]!.left, 0)
  })

  it.each(['plain', 'section', 'card'])('US-217 a status tints a layout that looks %s', async appearance => {
    const of = (status: string) => stack([text(status)], { appearance, status })
    const page = await drawn(stack([text('before'), of('info'), of('success'), of('error')]))
    const layouts = card(page).locator(`[data-root] > [data-appearance="${appearance}"]`)
    const border = (at: number) => styleOf(layouts.nth(at), 'border-inline-start')
    const [info, success, error] = [await border(0), await border(1), await border(2)]
    expect(success).not.toBe(info)
    expect(error).not.toBe(info)
    expect(error).not.toBe(success)
    expect(Number.parseFloat(success)).toBeGreaterThan(0)
  })

  it('US-218 a row that does not wrap keeps its words whole; what does not fit is reached by scrolling', async () => {
    const root = stack(
      [
        text('Unbreakable words'),
        { type: 'badge', label: 'Success', status: 'success' },
        { type: 'button', label: 'A button', action: { type: 'copy', content: 'x' } },
        stack([text('Donaudampfschifffahrtsgesellschaft')]),
      ],
      { direction: 'horizontal', wrap: false },
    )
    const page = await drawn(root, { page: { width: 320 } })
    const row = card(page).locator('.v-ui-row')
    await row.getByText('Unbreakable').waitFor()
    const linesOf = (words: string) =>
      row.getByText(words).evaluate(element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })
    expect(await linesOf('Donaudampfschifffahrtsgesellschaft')).toBe(1)
    expect(await linesOf('A button')).toBe(1)
    expect(await linesOf('Unbreakable words')).toBeLessThanOrEqual(2)
    expect(await row.evaluate(element => element.scrollWidth > element.clientWidth)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  it('C08 US-211 marks that turn the direction are seen in a question, in its buttons and in what is announced', async () => {
    const odd = 'Pay \u202e001'
    const page = await drawn(
      stack([
        {
          type: 'button',
          label: odd,
          style: 'danger',
          confirm: { title: odd, message: odd, label: odd },
          action: { type: 'tool', toolId: odd },
        },
        { type: 'button', label: 'Copy', action: { type: 'copy', content: 'x', successMessage: odd } },
        { type: 'field', name: 'f', label: odd, input: 'select', options: [{ value: 1, label: odd }] },
      ]),
    )
    await card(page).getByRole('button', { name: /Pay/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.evaluate(element => element.outerHTML)).not.toContain('\u202e')
    expect((await dialog.textContent())!.match(/U\+202E/g)!.length).toBeGreaterThanOrEqual(4)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await card(page).getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => card(page).getByRole('status').textContent()).toContain('U+202E')
    expect(await card(page).evaluate(element => element.outerHTML)).not.toContain('\u202e')
  })
})

describe('in a session', () => {
  it('US-210 a card says that it shows how it was before its button was used, and does not offer it again', async () => {
    const page = await workbench.page()
    await send(page, 'show a created card')
    const first = page.locator('.v-tool-ui', { hasText: 'Event created' }).first()
    const before = await styleOf(first.locator('.v-badge'), 'color')
    expect(await first.getByText('This shows how it was').count()).toBe(0)
    await first.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const told = async () => {
      await first.getByText('This shows how it was before “Delete” was done.').waitFor()
      expect(await first.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
      await first.getByText('This was done.').waitFor()
      expect(await styleOf(first.locator('.v-badge'), 'color')).not.toBe(before)
    }
    await told()
    await page.reload()
    await told()
  })

  it('US-207 a result whose hints are not legal has no check mark, and its details say why', async () => {
    const agent: Agent = {
      agentId: 'wrong',
      name: 'Wrong',
      description: 'Shows wrong hints',
      scripted: true,
      async *run() {
        yield { type: 'tool.started', partId: 'c', toolCallId: 'c', name: 'look' }
        yield { type: 'tool.result', toolCallId: 'c', uiHints: { intent: 'statsu', title: 'Kept', items: 5 } as never }
      },
    }
    const other = await openWorkbench({ agents: [agent] })
    try {
      const page = await other.page()
      await send(page, 'go')
      await page.locator('.v-tool-ui').getByText('Kept').waitFor()
      const row = page.locator('.v-tool', { hasText: 'look' })
      expect(await row.getAttribute('data-state')).toBe('flawed')
      await row.getByRole('img', { name: 'Done, but what it wants to show is not legal' }).waitFor()
      await row.locator('summary').click()
      const found = page.getByRole('group', { name: 'What could not be taken as it is' })
      await expect.poll(() => found.textContent()).toMatch(/\/intent: [\s\S]*\/items: /)
    } finally {
      await other.close()
    }
  })

  it("UH-203 a session that began in another language writes the viewer's from the next message on", async () => {
    const english = await workbench.page({ locale: 'en' })
    await send(english, 'show sections')
    await english.locator('.v-tool-ui').first().waitFor()
    const address = english.url()
    const chinese = await workbench.page({ locale: 'zh-CN', path: new URL(address).pathname })
    await send(chinese, 'show a list')
    await chinese.locator('.v-tool-ui', { hasText: 'Latest builds' }).waitFor()
    const events = await logOf(chinese)
    const documents = events.flatMap(event => (event.type === 'tool.result' && event.ui ? [event.ui.locale] : []))
    expect(documents).toEqual(['en', 'zh-CN'])
  })

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
