import type { Agent } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { begin, composer, ended, openPanel, openWorkbench, sessionOf, type Workbench } from './harness.ts'

/** An agent that shows a card with a tool button and a form. It answers to both and does nothing else. */
const idler: Agent = {
  agentId: 'idler',
  name: 'Idler',
  description: 'Says that it is done and does nothing',
  scripted: true,
  async *run({ interaction }) {
    if (interaction) return yield { type: 'text.delta', partId: 'answer', delta: 'All done!' }
    yield { type: 'tool.started', partId: 'card', toolCallId: 'card', name: 'show' }
    yield {
      type: 'tool.result',
      toolCallId: 'card',
      ui: {
        version: '2.0',
        root: {
          type: 'stack',
          appearance: 'card',
          children: [
            { type: 'text', content: 'Clean up', role: 'title' },
            { type: 'field', name: 'code', label: 'Code', required: true },
            {
              type: 'stack',
              direction: 'horizontal',
              wrap: true,
              children: [
                { type: 'button', label: 'Remove all', style: 'danger', action: { type: 'tool', toolId: 'rm.rf' } },
                { type: 'button', label: 'Send', action: { type: 'payload', payload: { form: 'code' } } },
                { type: 'button', label: 'Sign out', action: { type: 'event', event: 'session.end' } },
              ],
            },
          ],
        },
      },
    }
  },
}

let workbench: Workbench
let idle: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ pace: 0.1 })
  idle = await openWorkbench({ agents: [idler] })
})
afterAll(() => Promise.all([workbench?.close(), idle?.close()]))
afterEach(() => expect([...workbench.errors(), ...idle.errors()]).toEqual([]))

const request = (page: Page) => page.getByRole('region', { name: 'Delete 2 backups for good?', exact: true })
const call = (page: Page, at = 0) => page.locator('.v-tool').nth(at)

/** Waits as long as a person would look, because a card that has just appeared ignores presses for a moment. */
const look = (page: Page) => page.waitForTimeout(1_500)

describe('what the details of a call tell', () => {
  it('P-282 AU-15 a call shows the arguments that ran, what was changed, who approved it, and its own time', async () => {
    const page = await workbench.page()
    await begin(page, '/approval')
    await request(page).getByRole('button', { name: 'Edit first' }).click()
    await request(page).getByRole('textbox', { name: 'Details (JSON)' }).fill('{ "files": ["backup-2023.tar.gz"] }')
    await request(page).getByLabel('Type “allow” to go on').fill('allow')
    await look(page)
    await request(page).getByRole('button', { name: 'Allow with changes' }).click()
    await ended(page)
    await call(page).getByText('Edited', { exact: true }).waitFor()
    // The person took more than a second, and the tool took less.
    expect(await call(page).locator('.v-tool-end').first().textContent()).toMatch(/^Edited(\d+.?ms|0\.\d.?s)?$/)
    await call(page).locator('summary').first().click()
    const detail = call(page).locator('.v-tool-detail')
    expect(await detail.getByRole('group', { name: 'What ran' }).textContent()).not.toContain('2024')
    expect(await detail.getByRole('group', { name: 'What the agent asked for' }).textContent()).toContain(
      'backup-2024.tar.gz',
    )
    const changed = detail.getByRole('list', { name: 'Changed before it ran' })
    expect(await changed.locator('del').allTextContents()).toEqual(['"backup-2024.tar.gz"'])
    expect(await changed.locator('ins').count()).toBe(0)
    expect(await detail.locator('.v-tool-facts').textContent()).toMatch(/Allowed with changes\s*by you/)
    await page.context().close()
  })

  it('P-282 AU-15 what a remembered permission approved is told so, with its name, also among the permissions', async () => {
    const page = await workbench.page()
    await begin(page, '/approval')
    await request(page).getByLabel('Type “allow” to go on').fill('allow')
    await look(page)
    await request(page).getByRole('button', { name: 'Always allow in this session' }).click()
    await ended(page)
    await page.getByText('Always allowed', { exact: true }).waitFor()
    await page.getByText('by permission: deleting old backups in this session').first().waitFor()
    await call(page, 1).locator('summary').first().click()
    const facts = call(page, 1).locator('.v-tool-facts')
    expect(await facts.textContent()).toContain('by permission: deleting old backups in this session')
    await page.getByRole('button', { name: /^Open .*(panel|dock)/i }).click()
    await openPanel(page, 'Permissions')
    const permission = page.getByRole('listitem').filter({ hasText: 'deleting old backups in this session' })
    expect(await permission.last().textContent()).toMatch(/Allowed by you · .*\d{2}:\d{2}/)
    await page.context().close()
  })
})

describe('what a card tells', () => {
  it('P-280 a tool that nobody called is not said to have run', async () => {
    const page = await idle.page()
    await begin(page, 'go')
    const card = page.locator('.v-tool-ui')
    await card.getByRole('button', { name: 'Remove all' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove all' })
    expect(await dialog.textContent()).toContain('Asks the agent to run rm.rf.')
    await dialog.getByRole('button', { name: 'Remove all' }).click()
    const line = page.getByRole('list', { name: 'What came of it' })
    await line.getByText('The agent answered, and the log shows no call of rm.rf.').waitFor()
    expect(await line.textContent()).not.toMatch(/Completed|Runs the tool/)
    expect(await line.locator('.v-dot-good').count()).toBe(0)
    await page.context().close()
  })

  it('P-281 what the server finds wrong is marked at its field, and an event that nothing handles is said so', async () => {
    const page = await idle.page()
    await begin(page, 'go')
    const card = page.locator('.v-tool-ui')
    expect(await card.getByRole('button', { name: 'Sign out' }).isDisabled()).toBe(true)
    await card.getByText('Nothing here handles “session.end”.').waitFor()
    const keys: string[] = []
    await page.route('**/ui-actions', async route => {
      keys.push((route.request().postDataJSON() as { key: string }).key)
      if (keys.length > 1) return route.continue()
      const errors = [{ path: '/values/code', detail: 'This code is used up.' }]
      const body = { code: 'values_invalid', detail: 'no', path: '/values/code', errors }
      await route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(body) })
    })
    await card.getByRole('textbox', { name: 'Code' }).fill('X1')
    await card.getByRole('button', { name: 'Send' }).click()
    await card.getByText('This code is used up.').waitFor()
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('X1')
    await card.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('list', { name: 'What came of it' }).getByText('The agent answered.').waitFor()
    // The same action is sent again.
    expect(new Set(keys).size).toBe(1)
    await page.context().close()
  })
})

describe('deleting', () => {
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })
  const isFocused = (element: Element) => element === document.activeElement
  const link = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(title) })

  it('P-815 a session that was deleted comes back with one press of a key, open as it was', async () => {
    const page = await idle.page()
    const sessionId = await begin(page, 'Keep me')
    await ended(page)
    await link(page, 'Keep me').hover()
    await page.getByRole('button', { name: /Keep me/ }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    await page.waitForURL(url => url.pathname === '/')
    await link(page, 'Keep me').waitFor({ state: 'detached' })
    await page.getByText('Deleted “Keep me”').waitFor()
    // On the first screen the composer has the focus, and the notice comes soon after it in the order of Tab, however
    // many sessions the list before it has.
    await expect.poll(() => composer(page).evaluate(isFocused)).toBe(true)
    for (let tabs = 0; tabs < 8 && !(await undo(page).evaluate(isFocused)); tabs++) await page.keyboard.press('Tab')
    expect(await undo(page).evaluate(isFocused)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/s\//)
    expect(sessionOf(page)).toBe(sessionId)
    await link(page, 'Keep me').waitFor()
    await page.locator('.v-tool-ui').waitFor()
    await page.context().close()
  })

  it('P-815 P-8693 after deleting a session, the focus is on the row beside it, Space undoes nothing, and Undo gives it on', async () => {
    const page = await idle.page()
    await begin(page, 'Stays open')
    await ended(page)
    await begin(page, 'Goes away')
    await ended(page)
    await link(page, 'Stays open').click()
    await page.getByRole('button', { name: /Goes away/ }).press('Enter')
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    await undo(page).waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.matches('.v-sessions .v-session-link')))
      .toBe(true)
    await page.keyboard.press('Space')
    expect(await link(page, 'Goes away').count()).toBe(0)
    await undo(page).press('Enter')
    await link(page, 'Goes away').waitFor()
    expect(await composer(page).evaluate(isFocused)).toBe(true)
    await page.context().close()
  })

  it('P-815 it is found among the deleted ones, restored, and deleted for good after a question', async () => {
    const page = await idle.page()
    for (const title of ['First one', 'Second one']) {
      await begin(page, title)
      await ended(page)
      await page.getByRole('button', { name: new RegExp(title) }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.waitForURL(url => url.pathname === '/')
    }
    await page.getByRole('button', { name: 'Recently deleted' }).click()
    const dialog = page.getByRole('dialog', { name: 'Recently deleted' })
    await dialog
      .getByText(/Can be restored until/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Restore “First one”' }).click()
    await dialog.getByText('First one').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Delete “Second one” for good' }).click()
    const question = page.getByRole('dialog', { name: 'Delete “Second one” for good?' })
    expect(await question.textContent()).toContain('It cannot be undone.')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Delete “Second one” for good' }).click()
    await question.getByRole('button', { name: 'Delete for good' }).click()
    await dialog.getByText('Nothing was deleted that could be brought back.').waitFor()
    await page.keyboard.press('Escape')
    await link(page, 'First one').waitFor()
    expect(await link(page, 'Second one').count()).toBe(0)
    await page.context().close()
  })
})

describe('a request that a restart has cancelled', () => {
  it('P-9606 is still counted in the title of a tab that looks elsewhere, until somebody looks', async () => {
    const page = await workbench.page()
    await begin(page, '/approval')
    await request(page).waitFor()
    const title = await page.locator('.v-session[data-open] .v-session-title').first().textContent()
    await page.getByRole('button', { name: 'New session' }).first().click()
    await page.waitForURL(url => url.pathname === '/')
    const count = async () => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0)
    await expect.poll(count).toBeGreaterThan(0)
    const before = await count()
    await workbench.restart()
    await page.getByRole('img', { name: 'Interrupted' }).first().waitFor()
    await expect.poll(count).toBe(before)
    expect(await page.getByRole('img', { name: 'Needs your input' }).count()).toBe(0)
    expect(title).not.toBe('')
    await page.close()
  })
})
