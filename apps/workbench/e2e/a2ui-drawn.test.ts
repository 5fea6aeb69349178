import type { Json } from '@vitrine/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packText } from '../src/pages/link-text.ts'
import { violations } from './axe.ts'
import { openWorkbench, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench()
})
afterAll(() => workbench?.close())

const CATALOG = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json'

/** Draws components of the public form in the built page, alone, in a window of this width. */
async function draw(
  components: readonly Record<string, Json>[],
  { width = 1240, data = {} }: { width?: number; data?: Json } = {},
): Promise<Page> {
  const envelopes = [
    { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: CATALOG } },
    { version: 'v0.9', updateComponents: { surfaceId: 's', components: [...components] } },
    { version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/', value: data } },
  ]
  const page = await workbench.page({ width, height: 900 })
  await page.goto(new URL(`/gallery#only&text=${await packText(JSON.stringify(envelopes))}`, workbench.url).href)
  await page.locator('[data-surface="s"]').waitFor()
  return page
}

const t = (id: string, text: string, more: Record<string, Json> = {}) => ({ id, component: 'Text', text, ...more })
const box = async (place: Locator) => (await place.boundingBox())!
const styleOf = (place: Locator, property: string) =>
  place.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
/** How many lines the first text with these words has. */
const linesOf = (page: Page, words: string) =>
  page
    .locator('.v-a2')
    .getByText(words, { exact: true })
    .evaluate(element => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })

describe('how A2UI documents are drawn', () => {
  it('US-262 a heading in the gallery is as large as in a session: the larger level has the larger letters', async () => {
    const levels = ['h1', 'h2', 'h3', 'h4', 'h5']
    const parts = levels.map(variant => t(variant, `A heading ${variant}`, { variant }))
    const page = await draw([{ id: 'root', component: 'Column', children: levels }, ...parts])
    const sizes = await page
      .locator('.v-a2-text')
      .evaluateAll(all => all.map(element => Number.parseFloat(getComputedStyle(element).fontSize)))
    expect(sizes).toHaveLength(levels.length)
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a))
  })

  it('A2-250 align of the author decides, whatever the children are', async () => {
    const children = ['tall', 'icon', 'words', 'field', 'picture', 'badge', 'card']
    const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>'
    const parts = [
      { id: 'tall', component: 'Image', url: picture, variant: 'smallFeature' },
      { id: 'icon', component: 'Icon', name: 'star' },
      t('words', 'words'),
      { id: 'field', component: 'TextField', label: 'Field', value: '' },
      { id: 'picture', component: 'Image', url: picture, variant: 'avatar' },
      { id: 'badge', component: 'Badge', text: 'badge' },
      { id: 'card', component: 'Card', child: 'inside' },
      t('inside', 'inside'),
    ]
    for (const align of ['start', 'center', 'end']) {
      const page = await draw([{ id: 'root', component: 'Row', children, align }, ...parts])
      await page.locator('.v-a2-icon > svg').waitFor()
      // Pictures come later, so all are measured when they are there, and at once.
      await expect.poll(() => page.locator('.v-a2-image').count()).toBe(2)
      const [outer, ...inner] = await page.locator('.v-a2-row').evaluate(row =>
        [row, ...row.children].map(element => {
          const { y, height } = element.getBoundingClientRect()
          return { y, height }
        }),
      )
      expect(inner).toHaveLength(children.length)
      for (const [index, { y, height }] of inner.entries()) {
        const free = outer!.height - height
        const expected = outer!.y + (align === 'start' ? 0 : align === 'end' ? free : free / 2)
        expect(Math.abs(y - expected), `${align} ${children[index]}`).toBeLessThan(1)
      }
      await page.context().close()
    }
  })

  it('A2-250 justify of the author decides: cards and fields do not grow over it, and spaceAround leaves room at both ends', async () => {
    const cards = [
      { id: 'a', component: 'Card', child: 'a-text' },
      t('a-text', 'First'),
      { id: 'b', component: 'Card', child: 'b-text' },
      t('b-text', 'Second'),
    ]
    const gaps = async (justify: string) => {
      const page = await draw([{ id: 'root', component: 'Row', children: ['a', 'b'], justify }, ...cards])
      const row = await box(page.locator('.v-a2-row'))
      const [a, b] = [await box(page.locator('.v-a2-card').nth(0)), await box(page.locator('.v-a2-card').nth(1))]
      await page.context().close()
      return { before: a.x - row.x, between: b.x - a.x - a.width, after: row.x + row.width - b.x - b.width }
    }
    const around = await gaps('spaceAround')
    expect(around.before).toBeGreaterThan(100)
    expect(around.after).toBeCloseTo(around.before, 0)
    const between = await gaps('spaceBetween')
    expect([between.before, between.after].map(Math.round)).toEqual([0, 0])
    expect(between.between).toBeGreaterThan(300)
    const stretch = await gaps('stretch')
    expect([stretch.before, stretch.after].map(Math.round)).toEqual([0, 0])
    expect(stretch.between).toBeLessThan(20)
    const end = await gaps('end')
    expect(Math.round(end.after)).toBe(0)
    expect(end.before).toBeGreaterThan(300)
    const start = await gaps('start')
    expect(Math.round(start.before)).toBe(0)
    expect(start.after).toBeGreaterThan(300)
  })

  it('A2-251 a row stretches its children, and a picture is of medium size and fills its frame, when the author says nothing', async () => {
    const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"/>'
    const page = await draw([
      { id: 'root', component: 'Column', children: ['row', 'picture'] },
      { id: 'row', component: 'Row', children: ['a', 'b'] },
      { id: 'a', component: 'Card', child: 'a-text' },
      t('a-text', 'One line'),
      { id: 'b', component: 'Card', child: 'b-text' },
      t('b-text', 'Several lines\nof text\nin a card'),
      { id: 'picture', component: 'Image', url: picture },
    ])
    const row = page.locator('.v-a2-row')
    expect(await styleOf(row, 'align-items')).toMatch(/^(normal|stretch)$/)
    const [a, b] = [await box(page.locator('.v-a2-card').nth(0)), await box(page.locator('.v-a2-card').nth(1))]
    expect(a.height).toBeCloseTo(b.height, 0)
    const image = page.locator('.v-a2-image')
    expect(await image.getAttribute('data-variant')).toBe('mediumFeature')
    expect(await styleOf(image, 'object-fit')).toBe('fill')
    // It keeps its shape: nothing is squeezed.
    const drawn = await box(image)
    expect(drawn.width / drawn.height).toBeCloseTo(3, 1)
    await page.context().close()
  })

  it('A2-252 items of text have bullets, cards and rows have none, and a dash in one line is a dash', async () => {
    const page = await draw([
      { id: 'root', component: 'Column', children: ['list', 'rows', 'marked', 'line'] },
      { id: 'list', component: 'List', children: ['x', 'y'] },
      t('x', 'Milk'),
      t('y', 'Bread'),
      { id: 'rows', component: 'List', children: ['r'] },
      { id: 'r', component: 'Row', children: ['n', 'q'] },
      t('n', 'Apple'),
      t('q', ' - Qty: '),
      t('marked', '- one\n- two'),
      t('line', '- **not** a list'),
    ])
    const mark = (place: Locator) => place.evaluate(element => getComputedStyle(element, '::before').content)
    const items = page.locator('.v-a2-list > li')
    expect(await mark(items.nth(0))).toContain('•')
    expect(await mark(items.nth(2))).toBe('none')
    expect(
      await page
        .locator('.v-a2')
        .getByText('- Qty:')
        .evaluate(element => element.closest('ul')?.className),
    ).toContain('v-a2-list')
    await expect.poll(() => page.locator('.v-markdown li').allTextContents()).toEqual(['one', 'two'])
    await expect.poll(() => page.locator('.v-a2-text').last().textContent()).toBe('- not a list')
    await page.context().close()
  })

  it('A2-253 the parts of a group stand closer to each other than groups do', async () => {
    const group = (id: string) => [
      { id, component: 'Column', children: [`${id}-name`, `${id}-about`, `${id}-do`] },
      t(`${id}-name`, `${id} name`),
      t(`${id}-about`, `${id} about`),
      { id: `${id}-do`, component: 'Button', child: `${id}-label`, action: { event: { name: 'do' } } },
      t(`${id}-label`, `${id} do`),
    ]
    const page = await draw([{ id: 'root', component: 'Column', children: ['a', 'b'] }, ...group('a'), ...group('b')])
    const text = (words: string) => page.locator('.v-a2').getByText(words, { exact: true })
    const end = ({ y, height }: { y: number; height: number }) => y + height
    const [name, about, press, next] = [
      await box(text('a name')),
      await box(text('a about')),
      await box(page.getByRole('button', { name: 'a do' })),
      await box(text('b name')),
    ]
    const apart = next.y - end(press)
    expect(apart).toBeGreaterThanOrEqual(2 * (about.y - end(name)))
    expect(apart).toBeGreaterThanOrEqual(2 * (press.y - end(about)))
    await page.context().close()
  })

  it('A2-254 a field is as wide as what is typed into it, and as wide as a narrow surface', async () => {
    const fields = [
      { id: 'root', component: 'Column', children: ['name', 'count', 'day'] },
      { id: 'name', component: 'TextField', label: 'Name', value: '' },
      { id: 'count', component: 'TextField', label: 'Count', value: '', variant: 'number' },
      { id: 'day', component: 'DateTimeInput', label: 'Day', value: '2030-05-04', enableDate: true },
    ]
    const wide = await draw(fields)
    const widths = async (page: Page) => {
      const found: number[] = []
      for (const name of ['Name', 'Count', 'Day']) found.push((await box(page.getByLabel(name))).width)
      return found
    }
    const [name, count, day] = await widths(wide)
    expect(name).toBeGreaterThan(300)
    expect(name).toBeLessThan(420)
    expect(count).toBeLessThan(name!)
    expect(day).toBeLessThan(name!)
    await wide.context().close()
    const narrow = await draw(fields, { width: 320 })
    const surface = (await box(narrow.locator('.v-a2'))).width
    expect((await widths(narrow)).map(Math.round)).toEqual([surface, surface, surface].map(Math.round))
    await narrow.context().close()
    // A weight is the author's word for the width.
    const weighted = await draw([
      { id: 'root', component: 'Row', children: ['name'] },
      { id: 'name', component: 'TextField', label: 'Name', value: '', weight: 1 },
    ])
    expect((await box(weighted.getByLabel('Name'))).width).toBeGreaterThan(700)
    await weighted.context().close()
  })

  it('A2-255 at 320 pixels no word and no amount is broken, nothing is cut, and a long word has a line for itself', async () => {
    const amounts = ['12,400', 'Followers', '€1,234,567.89', 'Uncharacteristically', '347', 'Internationalisation']
    const long = 'https://example.com/a/very/long/address/that/has/no/place/to/break/in/it'
    const page = await draw(
      [
        { id: 'root', component: 'Card', child: 'all' },
        { id: 'all', component: 'Column', children: ['row', 'weights', 'marks', 'long'] },
        { id: 'row', component: 'Row', children: amounts.map((_, at) => `c${at}`), justify: 'spaceBetween' },
        ...amounts.flatMap((text, at) => [
          { id: `c${at}`, component: 'Column', children: [`c${at}t`] },
          t(`c${at}t`, text, { variant: 'h3' }),
        ]),
        { id: 'weights', component: 'Row', children: ['w1', 'w2', 'w3'] },
        t('w1', 'Responsibilities', { weight: 1 }),
        t('w2', 'Administration', { weight: 1 }),
        t('w3', 'Telecommunications', { weight: 1 }),
        { id: 'marks', component: 'Row', children: ['mark', 'said'] },
        { id: 'mark', component: 'Icon', name: 'info' },
        t('said', 'A sentence beside a mark that is longer than the line stays beside it'),
        t('long', long),
      ],
      { width: 320 },
    )
    for (const word of [...amounts, 'Responsibilities', 'Administration', 'Telecommunications'])
      expect(`${word}: ${await linesOf(page, word)}`).toBe(`${word}: 1`)
    expect(await linesOf(page, long)).toBeGreaterThan(1)
    const icon = await box(page.locator('.v-a2-icon'))
    const said = await box(page.locator('.v-a2').getByText('A sentence beside'))
    expect(said.x).toBeGreaterThan(icon.x + icon.width)
    const surface = await box(page.locator('.v-a2'))
    const beyond = await page
      .locator('.v-a2 *')
      .evaluateAll(
        (all, edge) => all.filter(element => element.getBoundingClientRect().right > edge + 1).length,
        surface.x + surface.width,
      )
    expect(beyond).toBe(0)
    await page.context().close()
  })

  it('A2-255 two columns with fields stand below each other at 320 pixels', async () => {
    const side = (id: string) => [
      { id, component: 'Column', children: [`${id}f`], weight: 1 },
      { id: `${id}f`, component: 'TextField', label: id, value: '' },
    ]
    const components = [
      { id: 'root', component: 'Row', children: ['left', 'right'] },
      ...side('left'),
      ...side('right'),
    ]
    const wide = await draw(components)
    expect((await box(wide.getByLabel('right'))).y).toBe((await box(wide.getByLabel('left'))).y)
    await wide.context().close()
    const narrow = await draw(components, { width: 320 })
    expect((await box(narrow.getByLabel('right'))).y).toBeGreaterThan((await box(narrow.getByLabel('left'))).y + 30)
    await narrow.context().close()
  })

  it('A2-256 a point in time keeps its zone when a person changes it, and they are told whose clock it is', async () => {
    const page = await draw(
      [
        { id: 'root', component: 'Column', children: ['at', 'sent'] },
        {
          id: 'at',
          component: 'DateTimeInput',
          label: 'At',
          value: { path: '/at' },
          enableDate: true,
          enableTime: true,
        },
        t('sent', '', { text: { path: '/at' } }),
      ],
      { data: { at: '2030-05-04T09:30:00+09:00' } },
    )
    const offset = await page.evaluate(() => new Date('2030-05-04T00:30:00Z').getTimezoneOffset())
    const shown = new Date(Date.parse('2030-05-04T09:30:00+09:00') - offset * 60_000).toISOString().slice(0, 16)
    expect(await page.getByLabel('At').inputValue()).toBe(shown)
    await page.getByText(/^In your time zone/).waitFor()
    const later = new Date(Date.parse(`${shown}Z`) + 90 * 60_000).toISOString().slice(0, 16)
    await page.getByLabel('At').fill(later)
    await page.locator('.v-a2').getByText('2030-05-04T11:00:00+09:00').waitFor()
    await page.context().close()
  })

  it('A2-257 what is wrong stands at its field, and goes there and at the button when it is put right', async () => {
    const check = (path: string, message: string) => ({
      condition: { call: 'required', args: { value: { path } } },
      message,
    })
    const page = await draw(
      [
        { id: 'root', component: 'Column', children: ['name', 'city', 'send'] },
        {
          id: 'name',
          component: 'TextField',
          label: 'Name',
          value: { path: '/name' },
          checks: [check('/name', 'Say your name.')],
        },
        {
          id: 'city',
          component: 'TextField',
          label: 'City',
          value: { path: '/city' },
          checks: [check('/city', 'Say your city.')],
        },
        {
          id: 'send',
          component: 'Button',
          child: 'send-label',
          action: { event: { name: 'send' } },
          checks: [check('/name', 'The name is missing.')],
        },
        t('send-label', 'Send'),
      ],
      { data: { name: '', city: '' } },
    )
    expect(await page.locator('.v-field-error').count()).toBe(0)
    // The button says that it is blocked, and can be pressed all the same.
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    const of = (label: string) => page.locator('.v-a2-field', { hasText: label }).locator('.v-field-error')
    await expect.poll(() => of('Name').allTextContents()).toEqual(['Say your name.'])
    await expect.poll(() => of('City').allTextContents()).toEqual(['Say your city.'])
    await page.locator('.v-a2').getByText('The name is missing.').waitFor()
    await page.getByLabel('Name').fill('Ada')
    await expect.poll(() => of('Name').count()).toBe(0)
    await expect.poll(() => page.locator('.v-a2').getByText('The name is missing.').count()).toBe(0)
    expect(await of('City').allTextContents()).toEqual(['Say your city.'])
    await page.context().close()
  })

  it('A2-258 chips are those of the workbench: the chosen ones have its ink, and axe finds nothing', async () => {
    const page = await draw([
      { id: 'root', component: 'Column', children: ['regions', 'picture', 'row'] },
      {
        id: 'regions',
        component: 'ChoicePicker',
        label: 'Regions',
        displayStyle: 'chips',
        variant: 'multipleSelection',
        options: ['North', 'South'].map(value => ({ label: value, value })),
        value: ['North'],
      },
      { id: 'picture', component: 'Image', url: 'https://example.com/hills.png', description: 'Hills' },
      { id: 'row', component: 'Row', children: ['small', 'beside'] },
      { id: 'small', component: 'Image', url: 'https://example.com/hills.png', description: 'Hills' },
      t('beside', 'Beside a picture'),
    ])
    const ink = await page.evaluate(() => {
      const probe = document.createElement('i')
      probe.style.color = 'var(--v-ink)'
      document.querySelector('.vitrine')!.append(probe)
      return getComputedStyle(probe).color
    })
    expect(await styleOf(page.locator('.v-check', { hasText: 'North' }), 'background-color')).toBe(ink)
    expect(await styleOf(page.locator('.v-check', { hasText: 'South' }), 'background-color')).not.toBe(ink)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('A2-454 at 320 px a short value of a table is one line, a sentence has lines of several words, and the table scrolls', async () => {
    const note = 'Delivered to the neighbour because nobody opened the door in the afternoon'
    const rows = [
      { order: 'A-1000', who: 'Ada Lovelace', when: '2030-05-04', city: '东京都千代田区', total: 1284.5, note },
      { order: 'A-1001', who: 'Grace Hopper', when: '2030-05-05', city: '大阪', total: 7, note: 'None' },
    ]
    const columns = ['order', 'who', 'when', 'city', 'total', 'note']
    const page = await draw([{ id: 'root', component: 'Table', columns, rows }], { width: 320 })
    await page.getByRole('table').waitFor()
    for (const words of ['A-1000', 'Ada Lovelace', '2030-05-04', '东京都千代田区', '1,284.5'])
      expect(await linesOf(page, words), words).toBe(1)
    expect(await linesOf(page, note)).toBeLessThan(6)
    const scroll = page.locator('.v-table-scroll')
    expect(await scroll.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await page.context().close()
  })

  it('A2-455 what stands in the same place of several rows lines up, and rows with columns in them stand apart', async () => {
    const row = (at: number) => [
      { id: `row${at}`, component: 'Row', children: [`n${at}`, `c${at}`], align: 'center' },
      t(`n${at}`, String(at), { variant: 'caption' }),
      { id: `c${at}`, component: 'Column', children: [`t${at}`, `s${at}`] },
      t(`t${at}`, `Title ${at}`),
      t(`s${at}`, `Singer ${at}`, { variant: 'caption' }),
    ]
    const parts = [1, 2, 4].flatMap(row)
    const page = await draw([{ id: 'root', component: 'Column', children: ['row1', 'row2', 'row4'] }, ...parts])
    const drawn = page.locator('.v-a2')
    const titles = await Promise.all([1, 2, 4].map(at => box(drawn.getByText(`Title ${at}`))))
    expect(new Set(titles.map(({ x }) => Math.round(x * 10))).size).toBe(1)
    const [first, second] = [await box(page.locator('.v-a2-row').nth(0)), await box(page.locator('.v-a2-row').nth(1))]
    const inside = (await box(drawn.getByText('Singer 1'))).y - titles[0]!.y - titles[0]!.height
    expect(second.y - first.y - first.height).toBeGreaterThan(inside + 4)
    await page.context().close()
  })

  it('A2-456 the place of a film is laid out as that of a sound, and a filter is as wide as a field', async () => {
    const url = 'https://example.com/film.mp4'
    const page = await draw([
      { id: 'root', component: 'Column', children: ['film', 'sound', 'choice'] },
      { id: 'film', component: 'Video', url, description: 'A film' },
      { id: 'sound', component: 'AudioPlayer', url, description: 'A sound' },
      {
        id: 'choice',
        component: 'ChoicePicker',
        label: 'Choice',
        variant: 'multipleSelection',
        filterable: true,
        options: ['One', 'Two'].map(label => ({ label, value: label })),
        value: [],
      },
    ])
    const parts = async (name: string) => {
      const button = await box(page.getByRole('button', { name }))
      const place = await box(page.locator('.v-remote', { has: page.getByRole('button', { name }) }))
      return [Math.round(place.height), Math.round(button.y - place.y)]
    }
    await page.getByRole('button', { name: 'Load audio' }).waitFor()
    expect(await parts('Load video')).toEqual(await parts('Load audio'))
    expect((await box(page.getByRole('searchbox'))).width).toBeLessThanOrEqual(384)
    await page.context().close()
  })
})
