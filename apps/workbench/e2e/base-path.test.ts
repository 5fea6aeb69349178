import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, openWorkbench, send, type Workbench } from './harness.ts'

const BASE = '/tools/vitrine'
let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ basePath: BASE })
})
afterAll(() => workbench.close())

describe('the built page under a sub-path', () => {
  it('P-817 loads its scripts, talks to its API and keeps its addresses below it', async () => {
    const page = await workbench.page()
    const asked: string[] = []
    page.context().on('request', request => asked.push(new URL(request.url()).pathname))
    const pathname = () => new URL(page.url()).pathname
    expect(pathname()).toBe(`${BASE}/`)
    const [cookie] = await page.context().cookies()
    expect(cookie?.path).toBe(BASE)

    // A session from its first word to its answer: commands and the stream.
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
    await send(page, 'hello')
    await page.waitForURL(`**${BASE}/s/*`)
    await answers(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
    const session = pathname()

    // An address below it can be opened by itself, and has the same facts.
    await page.reload()
    await answers(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
    expect(await page.locator(`a[href="${session}"]`).count()).toBe(1)

    // Home, back, and a page that is fetched when it is opened.
    await page.getByRole('link', { name: 'Vitrine', exact: true }).click()
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
    expect(pathname()).toBe(`${BASE}/`)
    await page.goBack()
    await page.waitForURL(`**${session}`)
    await page.goto(new URL(`${BASE}/gallery`, page.url()).href)
    await page
      .getByRole('heading', { name: /gallery/i })
      .first()
      .waitFor()

    expect(asked.length).toBeGreaterThan(10)
    expect(asked.filter(path => !path.startsWith(`${BASE}/`))).toEqual([])
    await expect.poll(() => workbench.streams()).toBe(1)
    expect(workbench.errors()).toEqual([])
  })
})
