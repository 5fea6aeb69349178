import { basicCatalog } from '@vitrine/genui/a2ui'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { named, samples } from '../src/pages/gallery-samples.ts'
import { longestTask, openWorkbench, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench()
})
afterAll(() => workbench?.close())

const stage = (page: Page) => page.locator('.w-gallery-stage')
const editor = (page: Page) => page.getByRole('textbox', { name: 'Envelopes' })

async function open(id: string, options: Parameters<Workbench['page']>[0] = {}): Promise<Page> {
  const page = await workbench.page({ ...options, path: '/gallery' })
  await choose(page, id)
  return page
}
async function choose(page: Page, id: string) {
  const { title } = samples.find(sample => sample.id === id)!
  await page.getByRole('navigation', { name: 'Examples' }).getByRole('button', { name: title, exact: true }).click()
  await page.locator(`[data-surface="${id}"]`).waitFor()
}
/** Gives what axe finds in the gallery, in light and in dark. */
async function violations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(axe.source)
    const { violations: broken } = (await page.evaluate(
      tags =>
        (globalThis as unknown as { axe: typeof axe }).axe.run('.w-gallery', {
          runOnly: tags,
          resultTypes: ['violations'],
        }),
      ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    )) as AxeResults
    for (const { id, nodes } of broken)
      for (const { html, any } of nodes)
        found.push(`${colorScheme} ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
  }
  return found
}

describe('A2-139 the gallery', () => {
  it('has every component and every function of the catalog', () => {
    const written = JSON.stringify([samples, named])
    const types = [...basicCatalog.components.keys()].filter(type => type !== 'CheckBox')
    expect(types.filter(type => !written.includes(`"type":"${type}"`))).toEqual([])
    const calls = [...basicCatalog.functions.keys()]
    expect(calls.filter(name => !written.includes(`"call":"${name}"`))).toEqual([])
    const helpers = [
      'path',
      '$ref',
      'literal',
      'formatString',
      'if',
      'not',
      'eq',
      'neq',
      'and',
      'or',
      'concat',
      'length',
      'join',
      'map',
      'coalesce',
    ]
    expect(helpers.filter(name => !written.includes(`"${name}":`))).toEqual([])
  })

  it('draws every sample in both forms without a problem', async () => {
    const page = await workbench.page({ path: '/gallery', width: 1440, height: 1000 })
    const problems = page.getByRole('status', { name: 'Problems' })
    for (const form of ['Nested', 'Public']) {
      await page.getByRole('combobox', { name: 'Form', exact: true }).selectOption({ label: form })
      for (const { id } of samples) {
        await choose(page, id)
        await stage(page).locator('.v-a2 > *').first().waitFor()
        // These two samples show refused addresses on purpose.
        if (id === 'link' || id === 'image') continue
        expect(`${form} ${id}: ${await problems.textContent()}`).toBe(`${form} ${id}: Everything applied.`)
        const missing = await stage(page).locator('.v-diagnostic').allTextContents()
        if (id !== 'video') expect(missing).toEqual([])
      }
    }
    await page.close()
  })

  it('A2-133 has no accessibility violation, light and dark, wide and narrow', async () => {
    const page = await workbench.page({ path: '/gallery', width: 1440, height: 1000 })
    for (const id of [
      'booking',
      'dashboard',
      'text-field',
      'choice-picker',
      'checks',
      'tabs',
      'long-table',
      'image',
      'button',
    ]) {
      await choose(page, id)
      expect([id, ...(await violations(page))]).toEqual([id])
    }
    await page.close()
    const narrow = await workbench.page({ path: '/gallery', width: 390, height: 800 })
    await narrow.locator('.v-a2').waitFor()
    expect(await violations(narrow)).toEqual([])
    const overflow = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBe(0)
    await narrow.close()
  })

  it('fits light and dark, wide and narrow (VITRINE_SCREENSHOTS=folder keeps the pictures)', async () => {
    const folder = process.env.VITRINE_SCREENSHOTS
    for (const dark of [false, true]) {
      for (const width of [1280, 390]) {
        const page = await workbench.page({ path: '/gallery', dark, width, height: 900 })
        for (const id of folder ? samples.map(sample => sample.id) : ['booking', 'long-table']) {
          if (width > 1100) await choose(page, id)
          else {
            const { title } = samples.find(sample => sample.id === id)!
            await page.getByRole('combobox', { name: 'Examples' }).selectOption({ label: title })
          }
          await page.locator(`[data-surface="${id}"]`).waitFor()
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
          const path = folder && `${folder}/gallery-${id}-${width}-${dark ? 'dark' : 'light'}.png`
          if (path) await page.screenshot({ path })
        }
        await page.close()
      }
    }
  }, 300_000)

  it('says where the JSON is wrong, and what is wrong with an envelope', async () => {
    const page = await open('badge')
    const text = await editor(page).inputValue()
    const wrong = text.replace('"version": "v0.9",', '"version" "v0.9",')
    await editor(page).fill(wrong)
    await page.getByRole('button', { name: 'Line 4, column 17' }).click()
    expect(await editor(page).evaluate(area => (area as HTMLTextAreaElement).selectionStart)).toBe(
      wrong.indexOf('"v0.9"'),
    )
    await editor(page).fill(text.replace('v0.9"', 'v1.7"'))
    await page.getByText('version_mismatch').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Everything applied.').waitFor()
    await page.close()
  })

  it('A2-260 a text that cannot be drawn leaves the last surface in sight, and says so', async () => {
    const page = await open('badge')
    const text = await editor(page).inputValue()
    const note = page.getByText('The last one that could be drawn')
    await editor(page).fill(text.slice(0, -20))
    await note.waitFor()
    await stage(page).getByText('success').waitFor()
    await editor(page).fill(text.replaceAll('v0.9"', 'v0."'))
    await page.getByText('version_mismatch').first().waitFor()
    await stage(page).getByText('success').waitFor()
    await editor(page).fill(text.replace('"text": "success"', '"text": "well done"'))
    await stage(page).getByText('well done').waitFor()
    await note.waitFor({ state: 'hidden' })
    await page.context().close()
  })

  it('A2-261 edits stay when another example is chosen and after a reload, until they are reset', async () => {
    const page = await open('badge')
    const edited = (await editor(page).inputValue()).replace('"text": "success"', '"text": "mine"')
    await editor(page).fill(edited)
    await stage(page).getByText('mine').waitFor()
    await choose(page, 'link')
    expect(await editor(page).inputValue()).not.toContain('"mine"')
    await page.reload()
    await choose(page, 'badge')
    expect(await editor(page).inputValue()).toBe(edited)
    await page.getByRole('combobox', { name: 'Form', exact: true }).selectOption({ label: 'Public' })
    await expect.poll(() => editor(page).inputValue()).toContain('"component": "Badge"')
    await page.getByRole('combobox', { name: 'Form', exact: true }).selectOption({ label: 'Nested' })
    await expect.poll(() => editor(page).inputValue()).toBe(edited)
    await page.getByRole('button', { name: 'Reset' }).click()
    expect(await editor(page).inputValue()).not.toContain('"mine"')
    await page.context().close()
  })

  it('A2-262 a link opens what was typed elsewhere, beside the edits that are there', async () => {
    const page = await open('badge')
    const typed = (await editor(page).inputValue()).replace('"text": "success"', '"text": "größer ✓"')
    await editor(page).fill(typed)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => page.url()).toContain('#text=')
    const link = page.url()
    const other = await open('badge')
    await editor(other).fill((await editor(other).inputValue()).replace('"text": "success"', '"text": "theirs"'))
    await other.goto('about:blank')
    await other.goto(link)
    await expect.poll(() => editor(other).inputValue()).toBe(typed)
    await stage(other).getByText('größer ✓').waitFor()
    await choose(other, 'badge')
    expect(await editor(other).inputValue()).toContain('"theirs"')
    await page.context().close()
    await other.context().close()
  })

  it('A2-263 lines have numbers, and every problem leads to its line, in lists, wrappers and JSON lines', async () => {
    const page = await open('badge')
    const numbers = page.locator('.w-code-gutter pre')
    const count = (await editor(page).inputValue()).split('\n').length
    expect((await numbers.textContent())!.split('\n')).toEqual(Array.from({ length: count }, (_, at) => `${at + 1}`))
    // The caret goes there, and the line comes into sight. The sample has a link that is refused.
    await choose(page, 'link')
    const long = (await editor(page).inputValue()).replace('[', `[${'\n'.repeat(300)}`)
    await editor(page).fill(long)
    const line = long.slice(0, long.indexOf('"id": "refused"')).split('\n').length
    const firstProblem = async () => Number(await page.locator('.w-code-gutter span').first().textContent())
    await expect.poll(firstProblem).toBeGreaterThanOrEqual(line)
    const told = await firstProblem()
    expect(told).toBeLessThan(line + 8)
    await page
      .getByRole('button', { name: new RegExp(`^Line ${told},`) })
      .first()
      .click()
    const at = await editor(page).evaluate(area => (area as HTMLTextAreaElement).selectionStart)
    expect(long.slice(0, at).split('\n')).toHaveLength(told)
    expect(await editor(page).evaluate(area => area.scrollTop)).toBeGreaterThan(1000)
    // Where each line is an envelope, a problem has the line of its envelope.
    const lines = [
      {
        version: 'v0.9',
        createSurface: { surfaceId: 'j', catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json' },
      },
      {
        version: 'v0.9',
        updateComponents: { surfaceId: 'j', components: [{ id: 'root', component: 'Text', text: 'Here' }] },
      },
      { version: 'v0.9', updateComponents: { surfaceId: 'other', components: [] } },
    ].map(envelope => JSON.stringify(envelope))
    await editor(page).fill(lines.join('\n'))
    await page.getByRole('button', { name: /^Line 3,/ }).waitFor()
    await editor(page).fill([...lines.slice(0, 2), '{"version" "v0.9"}'].join('\n'))
    await page.getByRole('button', { name: /^Line 3,/ }).waitFor()
    await page.context().close()
  })

  it('A2-450 where a problem is stands in sight before a long message, at any width', async () => {
    const page = await open('badge', { width: 1440, height: 1000 })
    await editor(page).fill((await editor(page).inputValue()).replace('"type": "Badge"', '"type": "Hologram"'))
    const problems = page.getByRole('status', { name: 'Problems' })
    const place = problems.getByRole('button', { name: /^Line \d+,/ }).first()
    await place.waitFor()
    // The message names every component there is.
    const words = problems.locator('li > span').first()
    expect((await words.textContent())!.length).toBeGreaterThan(200)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 1000 })
      await problems.scrollIntoViewIfNeeded()
      const box = (of: typeof problems) => of.evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect)
      const [outer, inner, below] = [await box(problems), await box(place), await box(words)]
      expect(inner.top, `${width}`).toBeGreaterThanOrEqual(outer.top)
      expect(inner.bottom, `${width}`).toBeLessThanOrEqual(outer.bottom)
      expect(inner.top, `${width}`).toBeLessThan(below.top)
    }
    await page.context().close()
  })

  it('A2-32 shows the name of an unknown type, and draws edits of the JSON at once', async () => {
    const page = await open('badge')
    await editor(page).fill((await editor(page).inputValue()).replace('"type": "Badge"', '"type": "Hologram"'))
    await stage(page).getByText('Unknown component “Hologram”').waitFor()
    await page.close()
  })

  it('A2-135 logs what the agent would read, and keeps the values when the agent cannot be reached', async () => {
    const page = await open('booking')
    const agent = page.locator('.w-gallery-choice', { hasText: 'The agent' }).getByRole('combobox')
    // The blocked button can still be focused, and pressing it says what is missing.
    await stage(page).getByRole('button', { name: 'Book' }).press('Enter')
    await stage(page).getByText('A name is needed to book.').waitFor()
    await stage(page).getByText('Please enter your name.').waitFor()
    await stage(page).getByLabel('Name').fill('Ada')
    await agent.selectOption({ label: 'is out of reach' })
    await stage(page).getByRole('button', { name: 'Book' }).click()
    await stage(page).getByText('Not sent; what you entered is kept.').first().waitFor()
    expect(await stage(page).getByLabel('Name').inputValue()).toBe('Ada')
    await agent.selectOption({ label: 'accepts' })
    await stage(page).getByRole('button', { name: 'Book' }).click()
    const log = page.getByRole('list', { name: 'Events' }).getByRole('listitem').first()
    await log.getByText('[a2ui.action]').waitFor()
    expect(await log.textContent()).toContain('"name": "Ada"')
    await page.close()
  })

  it('A2-141 tabs, dialog and table work by keyboard, and a long table has only the visible rows in the page', async () => {
    const page = await open('tabs')
    await stage(page).getByRole('tab', { name: 'Overview' }).focus()
    await page.keyboard.press('ArrowRight')
    await stage(page).getByRole('tabpanel', { name: 'Details' }).waitFor()
    await page.keyboard.press('End')
    expect(await stage(page).getByRole('tab', { name: 'History' }).getAttribute('aria-selected')).toBe('true')

    await choose(page, 'modal')
    await stage(page).getByRole('button', { name: 'Show the details' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('heading', { name: 'Details' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show the details')

    await choose(page, 'long-table')
    const rows = stage(page).locator('tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBeLessThan(100)
    expect(await stage(page).getByRole('table').getAttribute('aria-rowcount')).toBe('2001')
    await stage(page).getByRole('button', { name: 'Total' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await stage(page).locator('th[aria-sort="descending"]').waitFor()
    expect(await rows.first().locator('td').nth(3).textContent()).toMatch(/^90\d\.\d\d$/)
    await page.close()
  })

  it('A2-108 C05 a pattern that would hang runs in a worker under the page\u2019s policy, and counts as not matching', async () => {
    const page = await open('checks')
    const field = stage(page).getByLabel(/runs in a worker/)
    const longest = await longestTask(page, async () => {
      await field.fill(`${'a'.repeat(40)}!`)
      await field.blur()
      await stage(page).getByText('Only the letter a.').waitFor()
      await page.getByText('pattern_timeout').waitFor()
      await field.fill('aaaa')
      await stage(page).getByText('Only the letter a.').waitFor({ state: 'hidden' })
    })
    expect(longest).toBeLessThan(200)
    await page.close()
  })

  it('A2-34 A2-111 samples can be shown read only and can be streamed', async () => {
    const page = await open('booking')
    await page.getByLabel('Read only').check()
    expect(await stage(page).getByLabel('Name').isDisabled()).toBe(true)
    await page.getByLabel('Read only').uncheck()
    await page.getByRole('button', { name: 'Stream it' }).click()
    await page.getByRole('button', { name: 'Streaming…' }).waitFor()
    await page.getByRole('button', { name: 'Stream it' }).waitFor({ timeout: 30_000 })
    expect(await stage(page).getByLabel('Name').isDisabled()).toBe(false)
    expect(workbench.errors().filter(text => !/Content Security Policy|media/.test(text))).toEqual([])
    await page.close()
  })
})
