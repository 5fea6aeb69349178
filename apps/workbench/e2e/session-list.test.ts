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

    await page.getByRole('button', { name: 'Search sessions' }).click()
    const search = list.getByRole('searchbox')
    await search.fill('walrus')
    await list.locator('a[href="/s/lost"]').waitFor()
    expect(await list.locator('a[href^="/s/"]').count()).toBe(1)
    await search.fill('walrus or not')
    await list.getByText('No session matches.').waitFor()
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
})
