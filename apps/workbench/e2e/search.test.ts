import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { composer, ended, openWorkbench, type PageOptions, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench()
  const page = await workbench.page()
  for (let n = 1; n <= 12; n++) {
    const sessionId = `many-${n}`
    await call(page, 'POST', '/sessions', {
      sessionId,
      agentId: n === 5 ? 'scout' : 'guide',
      turn: { turnId: `turn-${n}`, text: `Item ${n}: watch the latency` },
    })
  }
  await call(page, 'PUT', '/folders/checkout', { name: 'Checkout' })
  await call(page, 'PATCH', '/sessions/many-12', { folderId: 'checkout', title: 'Cut latency' })
  await call(page, 'PATCH', '/sessions/many-11', { archived: true })
  for (let n = 1; n <= 12; n++) await ended(page, 1, `many-${n}`)
  await page.context().close()
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

async function call(page: Page, method: string, path: string, data: object): Promise<void> {
  const answer = await page.request.fetch(new URL(`/api${path}`, page.url()).href, { method, data })
  expect([path, answer.ok()]).toEqual([path, true])
}

/** A page that was opened by the address of a search. */
async function searchPage(text: string, options: PageOptions = {}): Promise<Page> {
  const page = await workbench.page(options)
  await page.goto(new URL(`/search?q=${text}`, page.url()).href)
  return page
}

const field = (page: Page) => page.locator('[data-search-field]')
const hits = (page: Page) => page.locator('.v-hit')
const titles = (page: Page) => page.locator('.v-hit-title').allTextContents()
const main = (page: Page) => page.getByRole('main')

describe('the page that searches', () => {
  it('P-9252 opens from the side bar, counts, marks, filters, shows messages and loads on', async () => {
    const page = await workbench.page()
    await page.getByRole('button', { name: 'Search sessions and messages' }).click()
    await field(page).fill('latency')
    await page.getByRole('button', { name: 'Show all results' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=latency')
    await main(page).getByText('12 results for “latency” in 12 sessions').waitFor()
    expect(await hits(page).count()).toBe(10)
    const first = hits(page).filter({ hasText: 'Cut latency' })
    expect(await first.locator('.v-hit-title mark').allTextContents()).toEqual(['latency'])
    expect(await first.locator('.v-hit-foot').textContent()).toBe('Checkout')
    await first.getByRole('img', { name: 'Your message' }).waitFor()
    expect(await hits(page).filter({ hasText: 'Archived' }).count()).toBe(1)
    expect(await violations(page)).toEqual([])
    // The list of the side bar stays as it is.
    expect(await page.locator('.v-found').count()).toBe(0)

    await main(page).getByText('2 more').waitFor()
    await main(page).getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => hits(page).count()).toBe(12)

    await page.getByRole('combobox', { name: 'Agent' }).selectOption('Scout')
    await main(page).getByText('1 result for “latency” in 1 session').waitFor()
    expect(await titles(page)).toEqual([expect.stringContaining('Item 5')])
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('All agents')
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Today')
    await expect.poll(() => page.url()).toContain('time=today')
    await main(page)
      .getByText(/^12 results/)
      .waitFor()
    await page.getByRole('radio', { name: 'Messages' }).check({ force: true })
    await expect.poll(() => page.url()).toContain('by=messages')
    await main(page)
      .getByText(/^\d+ results for “latency” in 12 sessions/)
      .waitFor()
    await page.reload()
    await expect.poll(() => hits(page).count()).toBe(10)
    expect(await page.getByRole('radio', { name: 'Messages' }).isChecked()).toBe(true)
    await page.context().close()
  })

  it('P-9253 arrows walk, Enter opens at the message, Ctrl+Enter in a tab, and Escape clears and closes', async () => {
    const page = await workbench.page({ path: '/s/many-1' })
    await composer(page).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('watch latency')
    await page.getByRole('option', { name: 'Show all results for “watch latency”' }).click()
    await page.waitForURL('**/search?q=watch+latency')
    const tab = page.getByRole('navigation', { name: 'Open sessions' }).getByRole('link', { name: 'watch latency' })
    await tab.waitFor()
    await hits(page).first().waitFor()
    await expect.poll(() => field(page).evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const second = await hits(page).nth(1).getAttribute('href')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(second)
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.waitForURL(`**${second}`)
    await page.locator('[data-found]').waitFor()
    await expect.poll(() => page.getByRole('navigation', { name: 'Open sessions' }).getByRole('link').count()).toBe(3)

    await tab.click()
    await hits(page).first().waitFor()
    await field(page).fill('item 3')
    await main(page).getByText('1 result for “item 3”').waitFor()
    await field(page).press('Enter')
    await page.waitForURL('**/s/many-3')
    await page.locator('[data-found]').waitFor()
    await page.goBack()
    await hits(page).first().waitFor()
    expect(await field(page).inputValue()).toBe('item 3')
    await field(page).press('Escape')
    await page.getByText('Find what was said').waitFor()
    await field(page).press('Escape')
    await page.waitForURL(url => url.pathname !== '/search')
    await page.context().close()
  })

  it('P-9603 the words that were found are marked in the message, and gone when the focus leaves it', async () => {
    const page = await searchPage('latency')
    await hits(page).filter({ hasText: 'Item 3' }).first().click()
    await page.waitForURL('**/s/many-3')
    const marked = () =>
      page.evaluate(() => {
        const ranges = CSS.highlights?.get('v-found-words')
        return ranges ? [...ranges].map(range => range.toString()) : null
      })
    await expect.poll(marked).toContain('latency')
    await composer(page).click()
    await expect.poll(marked).toBe(null)
    await page.context().close()
  })

  it('P-9254 says what to try when nothing is found, that it failed, and goes on after an outage', async () => {
    const page = await searchPage('zeppelin')
    await page.getByText('Nothing found for “zeppelin”').waitFor()
    await page.getByText('Try fewer or shorter words.').waitFor()
    expect(await violations(page)).toEqual([])
    const problem = { code: 'storage_failed', status: 500, title: 'x', detail: 'The disk is full.', type: 'x' }
    await page.route('**/api/search/**', route => route.fulfill({ status: 500, json: problem }))
    await field(page).fill('latency')
    await page.getByRole('alert').getByText('The search did not work.').waitFor()
    await page.unroute('**/api/search/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await hits(page).first().waitFor()

    await workbench.stop()
    await field(page).fill('watch')
    await main(page).getByText('The search goes on as soon as the server can be reached.').waitFor()
    await workbench.start()
    await hits(page).first().waitFor()
    await page.context().close()
  })

  it('P-9255 on a phone the field and the filters stand above the results, and nothing is too wide', async () => {
    const page = await searchPage('latency', { width: 390, height: 844 })
    await hits(page).first().waitFor()
    await field(page).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    for (const part of await page.locator('.v-hit, .v-search-filters > *').all()) {
      const box = (await part.boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(390)
    }
    expect(await violations(page)).toEqual([])
    await hits(page).first().click()
    await page.waitForURL(/\/s\//)
    await page.context().close()
  })
})

describe('the first text of a session', () => {
  it('P-9256 is there with its session, also when the page is closed at once', async () => {
    const page = await workbench.page()
    await composer(page).fill('A short visit')
    const made = page.waitForResponse(
      answer => answer.request().method() === 'POST' && answer.url().endsWith('/api/sessions'),
    )
    await composer(page).press('Enter')
    const { sessionId } = (await made).request().postDataJSON()
    await page.close()
    const other = await workbench.page()
    await ended(other, 1, sessionId)
    const list = other.getByRole('navigation', { name: 'Sessions' })
    await list.locator(`a[href="/s/${sessionId}"]`).filter({ hasText: 'A short visit' }).waitFor()
    expect(await list.getByText('Untitled').count()).toBe(0)
    await other.context().close()
  })
})
