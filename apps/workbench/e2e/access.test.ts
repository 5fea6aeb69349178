import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { answers, begin, composer, ended, logOf, openPanel, openWorkbench, send, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ pace: 0 })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

/** A card ignores presses for a moment after it appeared, and a busy machine takes its time to show it. */
const PATIENT = { timeout: 10_000 }

describe('accessibility', () => {
  it('L8 P-808 the empty start says what to do first, and axe finds nothing in it', async () => {
    const page = await workbench.page()
    await page.getByText('No sessions yet.').waitFor()
    await page.getByRole('list', { name: 'Suggestions' }).getByRole('button').first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Sessions' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('P-808 axe finds nothing in a conversation with every kind of part, wide, narrow, with dock and request', async () => {
    const page = await workbench.page({ height: 6000 })
    const turns = ['/reasoning', '/retried-tool', '/tools', '/subagent', '/artifact', '/compaction', '/long-answer']
    const others = ['/booking-form', '/dashboard', '/state', '/failing-run']
    await begin(page, 'hello')
    for (const [n, turn] of [...turns, ...others].entries()) {
      await ended(page, n + 1)
      await composer(page).fill(turn)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
    }
    await ended(page, turns.length + others.length + 1)
    await page.getByRole('region', { name: 'Failed' }).waitFor()
    for (const row of [/^Thought/, 'Read the access log', 'Forecast, second try', /^Withdrawn/]) {
      await page.getByText(row).first().click()
    }
    expect(await violations(page)).toEqual([])

    const latest = page.getByRole('button', { name: /Latest/ })
    if (await latest.isVisible()) await latest.click()
    await send(page, '/plan')
    await page.getByRole('button', { name: 'Ask for another' }).waitFor()
    // Words would be an answer to the plan.
    await page.getByRole('radio', { name: 'Queue' }).check({ force: true })
    await send(page, 'hello, later')
    await page.getByRole('region', { name: 'Queue' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.getByRole('button', { name: 'Open the side panel' }).click()
    for (const tab of ['Plan', 'Tasks', 'State', 'Tools', 'Permissions', 'Diagnostics']) {
      await openPanel(page, tab)
      expect([tab, ...(await violations(page))]).toEqual([tab])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await violations(page)).toEqual([])
    // Nothing is wider than the screen, because wide content scrolls inside its own box.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: 'Open the side panel' }).click()
    await page.getByRole('dialog', { name: 'Side panel' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sessions' }).click()
    await page.getByRole('dialog', { name: 'Sessions' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('P-808 axe finds nothing in an approval, a form, the palette, the keys and the settings', async () => {
    const page = await workbench.page()
    await begin(page, '/approval')
    const approval = page.getByRole('region', { name: 'Delete 2 backups for good?' })
    await approval.waitFor()
    // The focus stays where the person writes. A key leads to the request, where the safe choice has it.
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-composer'))).toBe(true)
    await page.keyboard.press('F8')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Don’t allow')
    expect(await violations(page)).toEqual([])
    await expect
      .poll(async () => {
        if (await approval.count()) await page.keyboard.press('Enter')
        return approval.count()
      }, PATIENT)
      .toBe(0)
    await ended(page)
    await send(page, '/form')
    const form = page.getByRole('region', { name: 'Reserve a table' })
    await expect
      .poll(async () => {
        await form.getByRole('button', { name: 'Send answers' }).click()
        return form.getByText('Required', { exact: true }).count()
      }, PATIENT)
      .toBeGreaterThan(0)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })
})

describe('keys', () => {
  it('P-809 the palette runs a command, ? lists the keys, J and K walk the messages', async () => {
    const page = await workbench.page({ height: 1200 })
    await begin(page, 'hello')
    await ended(page)
    await send(page, '/reasoning')
    await ended(page, 2)
    await answers(page).nth(1).getByRole('button', { name: 'Copy the answer' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()
    await page.keyboard.type('diagnos')
    await page.getByRole('option', { name: 'Diagnostics' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('tabpanel', { name: 'Diagnostics' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('no command is called this')
    await page.getByRole('option', { name: /no command is called this/ }).waitFor()
    // The first press clears what was typed, the second one closes.
    await page.keyboard.press('Escape')
    await page.getByRole('option', { name: 'Diagnostics' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('main').getByRole('region', { name: 'Conversation' }).focus()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const line of ['Stop', 'Edit last queued turn', 'Commands', 'Next, previous message']) {
      await keys.getByText(line, { exact: true }).waitFor()
    }
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })

    // The walk begins at the message in view, goes to the last message, and comes back.
    const messages = page.getByRole('article')
    const focused = () => messages.evaluateAll(all => all.indexOf(document.activeElement as HTMLElement))
    await page.getByRole('main').getByRole('region', { name: 'Conversation' }).focus()
    await page.keyboard.press('j')
    await expect.poll(focused).toBeGreaterThanOrEqual(0)
    for (let at = await focused(); at < 3; at++) {
      await page.keyboard.press('j')
      await expect.poll(focused).toBe(at + 1)
    }
    for (const at of [2, 1, 0]) {
      await page.keyboard.press('k')
      await expect.poll(focused).toBe(at)
    }
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(1)
    // No message has the focus yet, so K begins with the last message in view and J with the first.
    const forget = () => page.getByRole('main').getByRole('region', { name: 'Conversation' }).focus()
    await forget()
    await page.keyboard.press('k')
    await expect.poll(focused).toBe(3)
    await forget()
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(0)
    // In the composer J and K are plain letters.
    await composer(page).press('j')
    expect(await composer(page).inputValue()).toBe('j')
    await page.context().close()
  })

  it('P-813 at 390 px a queued turn is one line with its actions in a menu, and the tabs of the dock are whole', async () => {
    const page = await workbench.page({ width: 390, height: 844 })
    await begin(page, '/slow-work 600')
    const queue = page.getByRole('region', { name: 'Queue' })
    for (const text of ['hello, and a good many words more than fit into one line', 'hello two']) {
      await send(page, text)
      await queue.getByText(text).waitFor()
    }
    const heights = await queue.getByRole('listitem').evaluateAll(all => all.map(row => row.clientHeight))
    expect(Math.max(...heights)).toBeLessThan(48)
    await page.getByRole('button', { name: 'More for message 2' }).click()
    await page.getByRole('button', { name: 'Move up' }).click()
    await expect.poll(() => queue.getByRole('listitem').first().textContent()).toContain('hello two')

    await page.getByRole('button', { name: 'Open the side panel' }).click()
    const close = (await page.getByRole('button', { name: 'Close the side panel' }).boundingBox())!
    for (const tab of await page.getByRole('tab').all()) {
      const box = (await tab.boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(close.x)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await ended(page)
    await page.context().close()
  })

  it('P-296 P-9341 a menu opens by key with the focus on its first item, arrow keys walk it, and Escape gives the focus back', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    const button = page.getByRole('button', { name: /^More for/ }).first()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await button.focus()
    await page.keyboard.press('Enter')
    const items = page.locator('.v-menu:popover-open button')
    await items.first().waitFor()
    const words = await items.allTextContents()
    expect(words.length).toBeGreaterThan(2)
    await expect.poll(focused).toBe(words[0])
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(words[1])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe(words.at(-1))
    await page.keyboard.press('Home')
    expect(await focused()).toBe(words[0])
    await page.keyboard.press('d')
    expect(await focused()).toBe('Delete')
    await page.keyboard.press('Escape')
    await items.first().waitFor({ state: 'hidden' })
    expect(await button.evaluate(element => element === document.activeElement)).toBe(true)
    await page.context().close()
  })

  it('P-809 Alt+Up opens the last queued turn, Esc leaves it as it was, and focus is never lost', async () => {
    const page = await workbench.page()
    await begin(page, '/slow-work 600')
    for (const text of ['hello one', 'hello two']) {
      await send(page, text)
      await page.getByRole('region', { name: 'Queue' }).getByText(text).waitFor()
    }
    await composer(page).press('Alt+ArrowUp')
    const editor = page.getByRole('textbox', { name: 'Waiting message' })
    expect(await editor.inputValue()).toBe('hello two')
    expect(await editor.evaluate(element => element === document.activeElement)).toBe(true)
    await editor.press('Escape')
    await editor.waitFor({ state: 'detached' })
    const events = await logOf(page)
    expect(events.filter(event => event.type === 'queue.changed' && event.change === 'edited')).toEqual([])
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await ended(page)
    await page.context().close()
  })

  it.each([
    ['/approval', 'Edit first', 'Details (JSON)', 'Back'],
    ['/plan', 'Ask for another', 'What should be different?', 'Cancel'],
  ])(
    'P-250 P-251 in the request of %s the focus goes into the editor that opens, and back to its button',
    async (turn, open, editor, close) => {
      const page = await workbench.page()
      await begin(page, turn)
      const card = page.getByRole('region', { name: /^(Delete 2 backups for good|Start with these 4 steps)/ })
      const hasFocus = (role: 'button' | 'textbox', name: string) =>
        card.getByRole(role, { name }).evaluate(element => element === document.activeElement)
      await card.getByRole('button', { name: open }).click()
      expect(await hasFocus('textbox', editor)).toBe(true)
      await card.getByRole('button', { name: close }).click()
      expect(await hasFocus('button', open)).toBe(true)
      await page.context().close()
    },
  )
})
