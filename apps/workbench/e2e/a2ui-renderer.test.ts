import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SurfaceModel } from '@vitrine/genui/a2ui'
import type { SurfaceOp } from '@vitrine/protocol'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Kit } from './a2ui-page.fixture.tsx'
import { launchBrowser, longestTask } from './harness.ts'

declare const kit: Kit

let browser: Browser
let script = ''
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'a2ui-page.fixture.tsx')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.url': '"https://page.test/"' },
    conditions: ['vitrine-source'],
  })
  script = outputFiles[0]!.text
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const styles = join(import.meta.dirname, '../../../packages/react/src/styles')

async function open(ops: readonly SurfaceOp[]): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(10_000)
  await page.setContent('<!doctype html><div id="root" class="vitrine"></div>')
  for (const name of ['tokens', 'base', 'a2ui'])
    await page.addStyleTag({ content: readFileSync(join(styles, `${name}.css`), 'utf8') })
  await page.addScriptTag({ content: script })
  await page.evaluate(text => {
    kit.apply(JSON.parse(text))
    kit.mount()
  }, JSON.stringify(ops))
  await page.locator('.v-a2').waitFor()
  return page
}

const apply = (page: Page, ops: SurfaceOp[]) =>
  page.evaluate(async text => {
    kit.apply(JSON.parse(text))
    // The page draws once a frame, so after two frames the change is drawn.
    for (let i = 0; i < 3; i++) await new Promise(done => requestAnimationFrame(done))
  }, JSON.stringify(ops))
const draws = (page: Page) => page.evaluate(() => ({ ...kit.draws }))

const upsert = (id: string, component: { type: string }): SurfaceOp => ({
  op: 'upsert',
  id,
  component: component as Extract<SurfaceOp, { op: 'upsert' }>['component'],
})
const probe = (id: string, text: unknown): SurfaceOp => upsert(id, { type: 'Probe', text } as { type: string })
const tree = (children: unknown): SurfaceOp[] => [
  { op: 'create', root: 'root' },
  upsert('root', { type: 'Column', children } as { type: string }),
]

describe('the A2UI renderer in Chromium', () => {
  it('A2-130 a change draws the components it concerns, and no other', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `p${i}`)
    const page = await open([
      ...tree(ids),
      ...ids.map((id, i) => probe(id, { path: `/v/${i}` })),
      { op: 'set', path: '/v', value: ids.map((_, i) => i) },
    ])
    const before = await draws(page)
    expect(Object.values(before)).toEqual(ids.map(() => 1))
    await apply(page, [{ op: 'set', path: '/v/7', value: 'new' }])
    expect(await page.locator('[data-probe="p7"]').textContent()).toBe('new')
    expect(await draws(page)).toEqual({ ...before, p7: 2 })
    await apply(page, [{ op: 'set', path: '/v/7', value: 'new' }])
    expect(await draws(page)).toEqual({ ...before, p7: 2 })
    await page.close()
  })

  it('A2-130 an insert in the middle of a list draws the new item alone, and keeps the elements of the others', async () => {
    const item = (id: string) => ({ id, name: id })
    const page = await open([
      ...tree({ componentId: 'row', path: '/items' }),
      probe('row', { path: 'name' }),
      { op: 'set', path: '/items', value: ['a', 'b', 'c'].map(item) },
    ])
    const before = await draws(page)
    await page.evaluate(() =>
      [...document.querySelectorAll('[data-probe]')].map((e, i) => Object.assign(e, { mark: i }) && i),
    )
    await apply(page, [{ op: 'set', path: '/items', value: ['a', 'x', 'b', 'c'].map(item) }])
    expect(await page.locator('[data-probe]').allTextContents()).toEqual(['a', 'x', 'b', 'c'])
    const marks = await page.evaluate(() =>
      [...document.querySelectorAll('[data-probe]')].map(e => (e as unknown as { mark?: number }).mark ?? null),
    )
    expect(marks).toEqual([0, null, 1, 2])
    const after = await draws(page)
    for (const id of Object.keys(before)) expect(after[id]).toBe(before[id])
    expect(Object.keys(after)).toHaveLength(4)
    await page.close()
  })

  it('A2-131 a component that throws takes only itself down, and comes back with its next state', async () => {
    const page = await open([...tree(['good', 'bad']), probe('good', 'fine'), probe('bad', { path: '/bad' })])
    await apply(page, [{ op: 'set', path: '/bad', value: 'boom' }])
    await page.getByText('The component Probe could not be drawn.').waitFor()
    expect(await page.locator('[data-probe="good"]').textContent()).toBe('fine')
    await apply(page, [{ op: 'set', path: '/bad', value: 'well again' }])
    expect(await page.locator('[data-probe="bad"]').textContent()).toBe('well again')
    await page.close()
  })

  it('A2-134 focus, caret and text stay while everything around is updated; the edited field wins', async () => {
    const form: SurfaceOp[] = [
      ...tree(['title', 'name']),
      probe('title', { path: '/title' }),
      upsert('name', { type: 'TextField', label: 'Name', value: { path: '/name' }, emits: true } as { type: string }),
      { op: 'set', path: '', value: { title: 'one', name: 'server' } },
    ]
    const page = await open(form)
    const field = page.getByLabel('Name')
    await field.fill('typed here')
    await field.evaluate(input => (input as HTMLInputElement).setSelectionRange(2, 2))
    await apply(page, [
      { op: 'set', path: '/title', value: 'two' },
      { op: 'set', path: '/name', value: 'the agent writes' },
    ])
    await apply(page, structuredClone(form))
    await field.press('X')
    expect(await field.inputValue()).toBe('tyXped here')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.close()
  })

  it('A2-53 A2-54 A2-55 A2-56 Enter sends submit, leaving a field and ticking a box send change, and pressing a button sends click', async () => {
    const page = await open([
      ...tree(['name', 'ok', 'go']),
      upsert('name', { type: 'TextField', label: 'Name', value: { path: '/name' }, emits: true } as { type: string }),
      upsert('ok', { type: 'Checkbox', label: 'Ok', value: { path: '/ok' }, emits: true } as { type: string }),
      upsert('go', { type: 'Button', text: 'Go' } as { type: string }),
      { op: 'set', path: '', value: { name: '', ok: false } },
    ])
    const last = async () =>
      (await page.evaluate(() => kit.sent.at(-1))) as { action: { eventType: string; payload: object }; edits: object }
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Name').press('Enter')
    expect(await last()).toMatchObject({
      action: { eventType: 'submit', payload: { value: 'Ada' } },
      edits: { '/name': 'Ada' },
    })
    await page.getByLabel('Name').fill('Grace')
    await page.keyboard.press('Tab')
    await page.waitForFunction(() => kit.sent.length === 2)
    expect(await last()).toMatchObject({ action: { eventType: 'change', payload: { value: 'Grace' } } })
    await page.keyboard.press('Space')
    await page.waitForFunction(() => kit.sent.length === 3)
    expect(await last()).toMatchObject({ action: { componentId: 'ok', payload: { value: true } } })
    await page.evaluate(() => kit.answerWith({ ok: false, problem: { title: 'Out of reach.' } }))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Out of reach.').waitFor()
    expect(await last()).toMatchObject({ action: { eventType: 'click', payload: { values: { ok: true } } } })
    await page.evaluate(() => kit.answerWith({ ok: true }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForFunction(() => kit.sent.length === 5)
    await page.getByText('Out of reach.').waitFor({ state: 'hidden' })
    await page.close()
  })

  it('A2-136 100,000 updates a second hold the page for no more than 50 ms, and end in the same state', async () => {
    const NODES = 2000
    const ids = Array.from({ length: NODES }, (_, i) => `p${i}`)
    const ops: SurfaceOp[] = [
      ...tree(ids),
      ...ids.map((id, i) => upsert(id, { type: 'Text', text: { path: `/v/${i}` } } as { type: string })),
      { op: 'set', path: '/v', value: ids.map(() => 0) },
    ]
    const unloaded = new SurfaceModel({ surfaceId: 's', locale: 'en' }, structuredClone(ops))
    const page = await open(ops)
    await page
      .locator('.v-a2-text')
      .nth(NODES - 1)
      .waitFor()
    let applied = 0
    const final = (i: number) => applied - NODES + i
    const longest = await longestTask(page, async () => {
      applied = (await page.evaluate(nodes => kit.flood(nodes, 100_000, 1000), NODES)).applied
      await page
        .locator('.v-a2-text')
        .last()
        .getByText(`${final(NODES - 1)}`)
        .waitFor()
    })
    expect(applied).toBe(100_000)
    const shown = page.locator('.v-a2-text')
    await expect.poll(() => shown.allTextContents()).toEqual(ids.map((_, i) => `${final(i)}`))
    unloaded.apply(ids.map((_, i) => ({ op: 'set', path: `/v/${i}`, value: final(i) })))
    expect(await page.evaluate(() => kit.model.dataModel())).toEqual(unloaded.dataModel())
    await page.close()
    expect(longest).toBeLessThanOrEqual(50)
  })
})
