import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openWorkbench, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench()
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

describe('a long session list', () => {
  it('P-326 P-274 keeps an old pinned session in sight, finds an old plain one, and loads on at its end', async () => {
    const page = await workbench.page()
    await page.evaluate(async () => {
      const call = (method: string, path: string, body: object) =>
        fetch(`/api/sessions${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      await call('POST', '', { sessionId: 'kept', title: 'Keep me' })
      await call('PATCH', '/kept', { pinned: true })
      await call('POST', '', { sessionId: 'lost', title: 'Walrus notes' })
      for (let n = 0; n < 70; n++) await call('POST', '', { sessionId: `n${n}`, title: `Number ${n}` })
    })
    await page.reload()
    const list = page.getByRole('navigation', { name: 'Sessions' })
    await list.locator('a[href="/s/kept"]').waitFor()

    await page.getByRole('button', { name: 'Search sessions and messages' }).click()
    const search = list.getByRole('searchbox')
    await search.fill('walrus')
    await list.locator('a[href="/s/lost"]').waitFor()
    expect(await list.locator('a[href^="/s/"]').count()).toBe(1)
    await search.fill('walrus or not')
    await list.getByText('Nothing matches.').waitFor()
    await search.fill('')

    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('walrus')
    await page.getByRole('option', { name: 'Walrus notes' }).waitFor()
    await page.keyboard.press('Escape')

    const rows = list.locator('.v-sessions-scroll')
    await expect
      .poll(async () => {
        await rows.evaluate(element => element.scrollTo(0, element.scrollHeight))
        return list.locator('a[href="/s/lost"]').count()
      })
      .toBe(1)
    expect(await list.getByRole('button', { name: 'Load more' }).count()).toBe(0)
    await page.context().close()
  })

  it('P-9263 P-9265 does not move when a run begins; a tab keeps its title far down, and a dead link has no tab', async () => {
    const page = await workbench.page({ path: '/s/lost' })
    await page.getByRole('heading', { level: 1, name: 'Walrus notes' }).waitFor()
    const list = page.getByRole('navigation', { name: 'Sessions' })
    const row = list.locator('.v-session', { hasText: 'Number 69' })
    await row.hover()
    await row.getByRole('button', { name: 'More for “Number 69”' }).click()
    await page.locator('.v-menu:popover-open').getByRole('button', { name: 'Open in a tab' }).click()
    const strip = page.getByRole('navigation', { name: 'Open sessions' })
    const titles = () => strip.locator('.w-tab-title').allInnerTexts()
    await expect.poll(titles).toEqual(['Walrus notes', 'Number 69'])
    await page.reload()
    await list.locator('a[href="/s/kept"]').waitFor()
    expect(await titles()).toEqual(['Walrus notes', 'Number 69'])
    await page.goto(new URL('/s/nothing', page.url()).href)
    await page.getByText('There is no such session.').waitFor()
    expect(await titles()).toEqual(['Walrus notes', 'Number 69'])

    const top = async () => (await list.locator('.v-sessions-scroll').boundingBox())!.y
    const before = await top()
    await page.evaluate(async () => {
      for (const [sessionId, text] of [
        ['asks', '/approval'],
        ['runs', '/slow-work 20'],
      ] as const) {
        await fetch('/api/sessions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sessionId, turn: { turnId: sessionId, text } }),
        })
      }
    })
    await list.getByRole('button', { name: /Needs you/ }).waitFor()
    await list.getByRole('button', { name: /Running/ }).waitFor()
    expect(await top()).toBe(before)
    const line = await list.locator('.v-filters').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
    expect(line).toBe(true)
    await page.context().close()
  })
})
