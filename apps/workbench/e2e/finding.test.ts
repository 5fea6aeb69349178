import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, ended, openWorkbench, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench()
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const call = (page: Page, method: string, path: string, body?: object): Promise<number> =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return answer.status
    },
    [method, path, body] as const,
  )

const listOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Sessions' })
/** The rows of the list as a person reads them, headings included. */
const rowsOf = (page: Page): Promise<string[]> =>
  listOf(page).locator('.v-sessions-heading, .v-session-title').allTextContents()
const openMenu = async (page: Page, title: string, item: string) => {
  const row = listOf(page).locator('.v-session', { hasText: title }).first()
  await row.hover()
  await row.getByRole('button', { name: `More for “${title}”` }).click()
  await page.locator('.v-menu:popover-open').getByRole('button', { name: item, exact: true }).click()
}

describe('searching', () => {
  it('P-9230 finds words in messages while typing, and arrows and Enter lead to the message, far back too', {
    timeout: 180_000,
  }, async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'Remember the purple walrus 创建会议')
    await ended(page)
    for (let n = 0; n < 40; n++) {
      await call(page, 'POST', `/sessions/${sessionId}/queue`, { turnId: `t${n}`, text: `Filler number ${n}` })
    }
    await ended(page, 41, sessionId)
    await page.goto(workbench.url)
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
    await page.getByRole('button', { name: 'Search sessions and messages' }).click()
    const list = listOf(page)
    await list.getByRole('searchbox').fill('purple wal')
    const found = list.locator('.v-found').last()
    await found.waitFor()
    expect(await found.locator('mark').allTextContents()).toEqual(['purple', 'wal'])
    expect(await violations(page)).toEqual([])
    await list.getByRole('searchbox').fill('创建')
    await expect.poll(() => list.locator('.v-found mark').last().textContent()).toBe('创建')
    await list.getByRole('searchbox').fill('purple walrus')
    await expect.poll(() => list.locator('.v-found mark').last().textContent()).toBe('walrus')

    await list.getByRole('searchbox').press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('v-session-link')
    const links = await list.locator('.v-session-link').count()
    for (let n = 1; n < links; n++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/s\//)
    const message = page.getByRole('article', { name: 'Your message' }).filter({ hasText: 'purple walrus' })
    await message.waitFor()
    const marked = page.locator('[data-found]', { hasText: 'purple walrus' })
    await marked.waitFor()
    expect(await marked.evaluate(element => element.contains(document.activeElement))).toBe(true)
    const box = (await message.boundingBox())!
    expect(box.y).toBeGreaterThan(0)
    expect(box.y).toBeLessThan(600)
    await page.context().close()
  })

  it('P-9231 the palette finds messages, and Enter opens the session at the message', async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'The narwhal has a tooth')
    await ended(page)
    await page.goto(workbench.url)
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('narwhal tooth')
    const option = page.getByRole('group', { name: 'In messages' }).getByRole('option').last()
    await option.waitFor()
    expect(await option.locator('b').allTextContents()).toEqual(['narwhal', 'tooth'])
    expect(await option.textContent()).toContain('The narwhal has a tooth')
    for (let n = 0; (await option.getAttribute('aria-selected')) !== 'true' && n < 30; n++) {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/s/${sessionId}`)
    await expect.poll(() => page.locator('[data-found]').count()).toBe(1)
    await page.context().close()
  })
})

describe('arranging sessions', () => {
  it('P-9232 archives at once, undoes it, finds what is archived, and brings it back; another tab sees it', async () => {
    const page = await workbench.page()
    const other = await workbench.page({ context: page.context() })
    await call(page, 'POST', '/sessions', { sessionId: 'put-away', title: 'Kept for later' })
    const row = (where: Page) => listOf(where).locator('a[href="/s/put-away"]')
    await row(page).waitFor()
    await row(other).waitFor()
    await openMenu(page, 'Kept for later', 'Archive')
    await row(page).waitFor({ state: 'detached' })
    await row(other).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page).waitFor()
    await row(other).waitFor()

    await openMenu(page, 'Kept for later', 'Archive')
    await row(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Search sessions and messages' }).click()
    await listOf(page).getByRole('searchbox').fill('kept for')
    await row(page).getByText('Archived').waitFor()
    await listOf(page).getByRole('searchbox').press('Escape')
    await listOf(page).getByRole('button', { name: 'Archived' }).click()
    const dialog = page.getByRole('dialog', { name: 'Archived' })
    await dialog.getByRole('button', { name: 'Bring “Kept for later” back' }).click()
    await row(page).waitFor()
    await dialog.getByText('Nothing is archived').waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('P-9233 folders are made, filled by drag, menu and key, renamed, and deleted without their sessions', async () => {
    const page = await workbench.page()
    for (const name of ['Alpha', 'Beta', 'Gamma']) {
      await call(page, 'POST', '/sessions', { sessionId: name.toLowerCase(), title: `${name} session` })
    }
    const list = listOf(page)
    await list.locator('a[href="/s/gamma"]').waitFor()
    await list.getByRole('button', { name: 'New folder' }).click()
    await list.getByRole('textbox', { name: 'Rename folder' }).fill('Projects')
    await page.keyboard.press('Enter')
    const folder = list.getByRole('button', { name: /^Projects/ })
    await folder.waitFor()

    await list.locator('.v-session', { hasText: 'Alpha session' }).dragTo(folder)
    await expect.poll(() => folder.textContent()).toContain('1')
    await list.locator('a[href="/s/beta"]').focus()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move “Beta session”' })
    await dialog.waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => folder.textContent()).toContain('2')
    await openMenu(page, 'Gamma session', 'Move to a folder…')
    await page.getByRole('textbox', { name: 'New folder' }).fill('Later')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: /^Later/ }).waitFor()

    await folder.focus()
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(() => rowsOf(page))
      .toEqual(expect.arrayContaining(['Folders', 'Later', 'Projects', 'Beta session', 'Alpha session']))
    // Another browser of the same person sees the folders without a reload.
    const other = await workbench.page()
    await listOf(other)
      .getByRole('button', { name: /^Projects/ })
      .waitFor()
    await openMenu(page, 'Projects', 'Rename folder')
    await list.getByRole('textbox', { name: 'Rename folder' }).fill('Things')
    await page.keyboard.press('Enter')
    await listOf(other)
      .getByRole('button', { name: /^Things/ })
      .waitFor()
    await openMenu(page, 'Things', 'Delete folder')
    await listOf(other)
      .getByRole('button', { name: /^Things/ })
      .waitFor({ state: 'detached' })
    await list.locator('a[href="/s/alpha"]').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await list.getByRole('button', { name: /^Things/ }).waitFor()
    await expect.poll(() => list.getByRole('button', { name: /^Things/ }).textContent()).toContain('2')
    await other.context().close()
    await page.context().close()
  })

  it('P-9234 what needs the person comes first and stands in its place too, and 300 sessions stay few elements', async () => {
    const page = await workbench.page()
    const waiting = await begin(page, 'approval')
    await listOf(page).getByRole('img', { name: 'Needs your input' }).first().waitFor()
    expect((await rowsOf(page))[0]).toBe('Needs you')
    expect(await listOf(page).locator(`a[href="/s/${waiting}"]`).count()).toBe(2)
    await page.evaluate(async () => {
      for (let n = 0; n < 300; n++) {
        const body = JSON.stringify({ sessionId: `many${n}`, title: `Many ${n}` })
        await fetch('/api/sessions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      }
    })
    await listOf(page).locator('a[href="/s/many299"]').waitFor()
    const rows = listOf(page).locator('.v-session')
    expect(await rows.count()).toBeLessThan(80)
    const heights = await rows.evaluateAll(all => all.map(row => Math.round(row.getBoundingClientRect().height)))
    expect(new Set(heights)).toEqual(new Set([32]))
    await page.context().close()
  })
})
