import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { Agent } from '@vitrine/server'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, openWorkbench, send, type Workbench } from './harness.ts'

/** Asks what its text names, draws a surface, waits until it is stopped, or says that it has nothing to do. */
const desk: Agent = {
  agentId: 'desk',
  name: 'Desk',
  description: 'Asks',
  scripted: true,
  async *run({ text }, { ask, surfaces, signal }) {
    if (text === 'files') {
      const changes = [16, 22, 2, 1].map(lines => ({ path: `of-${lines}.txt`, after: 'line\n'.repeat(lines) }))
      await ask({ kind: 'approval', title: 'Edit 4 files?', risk: 'low', changes })
    }
    if (text === 'form') {
      const properties = {
        name: { type: 'string', title: 'Name' },
        room: { type: 'string', title: 'Room', enum: ['Single', 'Double', 'Suite'], default: 'Single' },
        date: { type: 'string', title: 'Date', format: 'date' },
      }
      await ask({ kind: 'form', title: 'Book a room', schema: { type: 'object', properties } })
    }
    if (text === 'surface') {
      const options = ['Single', 'Double', 'Suite'].map(label => ({ value: label, label }))
      const root = { id: 'root', type: 'Select', props: { label: 'Room', options, value: { path: '/room' } } }
      const catalogId = 'https://a2ui.org/specification/v0_9/basic_catalog.json'
      const createSurface = { surfaceId: 'rooms', catalogId, root, dataModel: { room: 'Single' } }
      yield { type: 'tool.started', partId: 'draw', toolCallId: 'draw', name: 'a2ui' }
      await surfaces.apply([{ version: 'v0.9', createSurface }], 'draw')
      yield { type: 'tool.result', toolCallId: 'draw' }
    }
    if (text === 'hints') {
      yield { type: 'tool.started', partId: 'hints', toolCallId: 'hints', name: 'rooms' }
      const options = ['Single', 'Double', 'Suite'].map(label => ({ value: label, label }))
      const fields: UiHintsPayload['fields'] = [
        { key: 'room', label: 'Room', type: 'select', options, required: true, value: 'Single' },
      ]
      const actions: UiHintsPayload['actions'] = [{ label: 'Send', action: { type: 'payload', payload: {} } }]
      yield { type: 'tool.result', toolCallId: 'hints', uiHints: { version: '2.1', intent: 'form', fields, actions } }
    }
    if (text === 'wait') await new Promise(resolve => signal.addEventListener('abort', resolve))
    yield { type: 'text.delta', partId: 'said', delta: 'That is all.' }
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [desk] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const boxOf = async (locator: Locator) => (await locator.boundingBox())!
const middleOf = async (locator: Locator) => {
  const { x, width } = await boxOf(locator)
  return x + width / 2
}
const listOf = (page: Page) => page.getByRole('navigation', { name: 'Sessions' })

describe('what people press stays where it is', () => {
  it('P-9400 the buttons below a diff do not move when a shorter file is shown', async () => {
    const page = await workbench.page({ height: 1000 })
    await begin(page, 'files')
    const request = page.getByRole('region', { name: 'Edit 4 files?' })
    const lines = request.locator('.v-diff-lines tr')
    await expect.poll(() => lines.count()).toBe(16)
    const place = async () => (await boxOf(request.getByRole('button', { name: 'Allow once' }))).y
    const next = request.getByRole('button', { name: 'Next file' })
    await next.click()
    await expect.poll(() => lines.count()).toBe(22)
    const [below, pager] = [await place(), await boxOf(next)]
    for (const count of [2, 1, 16]) {
      await next.click()
      await expect.poll(() => lines.count()).toBe(count)
      expect(await place()).toBe(below)
      expect(await boxOf(next)).toEqual(pager)
    }
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('P-9401 a queued turn has its whole line, and what comes to it on hover moves none of its buttons', async () => {
    const page = await workbench.page()
    await begin(page, 'wait')
    const queue = page.getByRole('region', { name: 'Queue' })
    for (const text of [`First ${'with many words '.repeat(20)}`, 'Second']) await send(page, text)
    const row = queue.getByRole('listitem').first()
    await queue.getByRole('listitem').nth(1).waitFor()
    await page.mouse.move(0, 0)
    const named = (name: string) => row.getByRole('button', { name, exact: true })
    const seen = ['Edit', 'Steer the run with it', 'Remove'].map(named)
    const boxes = () => Promise.all(seen.map(boxOf))
    const [text, before] = [row.locator('.v-queue-text'), await boxes()]
    const room = (await boxOf(text)).width
    // Nothing is between them and the text.
    expect(before[0]!.x - ((await boxOf(text)).x + room)).toBeLessThan(16)
    expect(before[2]!.x - (before[1]!.x + before[1]!.width)).toBeLessThan(8)
    await row.hover()
    await named('Move down').waitFor()
    expect(await boxes()).toEqual(before)
    expect((await boxOf(text)).width).toBeLessThan(room)
    // The keyboard reaches what the mouse reaches.
    await page.mouse.move(0, 0)
    await named('Edit').focus()
    await named('Move down').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.context().close()
  })

  it('P-9406 the button that searches stays where it is, and ends the search too', async () => {
    const page = await workbench.page()
    const search = page.getByRole('button', { name: 'Search sessions and messages' })
    const hide = page.getByRole('button', { name: 'Hide the side bar' })
    const places = async () => [await boxOf(search), await boxOf(hide)]
    const before = await places()
    await search.dblclick()
    expect(await listOf(page).getByRole('searchbox').count()).toBe(0)
    await search.click()
    await listOf(page).getByRole('searchbox').waitFor()
    expect(await places()).toEqual(before)
    expect(await search.getAttribute('aria-pressed')).toBe('true')
    await page.locator('.w-brand').getByRole('button', { name: 'New folder' }).waitFor()
    expect(await violations(page)).toEqual([])
    await search.click()
    await listOf(page).getByRole('searchbox').waitFor({ state: 'detached' })
    await page.context().close()
  })
})

describe('what is said and where', () => {
  it('P-9402 the name of a sent file that is too long is cut before its end', async () => {
    const page = await workbench.page()
    const name = `quarterly-report-of-the-northern-region-${'final-'.repeat(6)}v12.xlsx`
    await page.locator('input[type="file"]').setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from('1') }])
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    await begin(page, 'Look at this')
    await ended(page)
    const file = page.getByRole('link', { name })
    const end = file.locator('.v-file-name > :last-child')
    expect(await end.textContent()).toBe('l-v12.xlsx')
    const [box, shown] = [await boxOf(file), await boxOf(end)]
    expect(shown.x + shown.width).toBeLessThan(box.x + box.width)
    expect(await end.evaluate(element => element.scrollWidth <= element.clientWidth + 1)).toBe(true)
    expect(await file.locator('.v-file-name > :first-child').evaluate(it => it.scrollWidth > it.clientWidth)).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('P-9405 notices stand in the middle of the conversation, above the place where people write', async () => {
    const page = await workbench.page({ width: 1360 })
    const sessionId = await begin(page, 'Hello')
    await ended(page)
    await page.request.post(new URL('/api/sessions', page.url()).href, { data: { sessionId: 'gone', title: 'Gone' } })
    const row = listOf(page).locator('.v-session', { hasText: 'Gone' })
    await row.hover()
    await row.getByRole('button', { name: 'More for “Gone”' }).click()
    await page.locator('.v-menu:popover-open').getByRole('button', { name: 'Delete' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'Gone' }).filter({ hasText: 'Undo' })
    await notice.waitFor()
    const deck = page.locator('.v-deck')
    await expect.poll(async () => Math.abs((await middleOf(notice)) - (await middleOf(deck)))).toBeLessThan(2)
    const { y, height } = await boxOf(notice)
    expect(y + height).toBeLessThanOrEqual((await boxOf(deck)).y + 1)
    expect(page.url()).toContain(sessionId)
    await page.context().close()
  })

  it('P-9483 on the first screen of a phone notices stand above the place where people write', async () => {
    const page = await workbench.page({ width: 390, height: 844 })
    await begin(page, 'Hello')
    await ended(page)
    await page.getByRole('button', { name: 'More for this session' }).click()
    await page.locator('.v-menu:popover-open').getByRole('button', { name: 'Delete' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'Undo' })
    await notice.waitFor()
    const box = page.locator('.v-new-session .v-composer-box')
    const below = async () => (await boxOf(box)).y - (await boxOf(notice)).y - (await boxOf(notice)).height
    await expect.poll(below).toBeGreaterThanOrEqual(0)
    await page.context().close()
  })

  it('P-9484 in a low window what is written ends before the marks of what else goes on', async () => {
    const page = await workbench.page({ width: 390, height: 844 })
    await begin(page, 'files')
    const capsule = page.locator('.v-capsule')
    await capsule.waitFor()
    await page.setViewportSize({ width: 360, height: 225 })
    const room = async () => {
      const end = await composer(page).evaluate(
        input => input.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(input).paddingRight),
      )
      return (await boxOf(capsule)).x - end
    }
    await expect.poll(room).toBeGreaterThanOrEqual(0)
    await page.context().close()
  })

  it('P-9408 the chips of the list say that they count sessions, and the capsule that it counts this one', async () => {
    const page = await workbench.page()
    await begin(page, 'wait')
    await page.getByRole('radio', { name: 'New task' }).check({ force: true })
    await send(page, 'wait')
    const capsule = page.locator('.v-capsule')
    await capsule.getByText('1 running').waitFor()
    expect(await capsule.getAttribute('title')).toBe('Show the tasks of this session')
    // The session and its task are two sessions that run.
    const running = listOf(page).getByRole('button', { name: /^Running/ })
    await expect.poll(() => running.getAttribute('title')).toMatch(/^[2-9] sessions are running$/)
    await page.getByRole('button', { name: 'Stop', exact: true }).first().click()
    await page.context().close()
  })

  it('P-9407 who makes a folder while a session is moved has the focus on that folder afterwards', async () => {
    const page = await workbench.page()
    await page.request.post(new URL('/api/sessions', page.url()).href, { data: { sessionId: 'moved', title: 'Moved' } })
    const row = listOf(page).locator('a[href="/s/moved"]')
    await row.focus()
    await page.keyboard.press('m')
    await page.getByRole('textbox', { name: 'New folder' }).fill('Projects')
    await page.keyboard.press('Enter')
    const folder = listOf(page).getByRole('button', { name: /^Projects/ })
    await expect.poll(() => folder.textContent()).toContain('1')
    await expect.poll(() => folder.evaluate(element => element === document.activeElement)).toBe(true)
    // Its row is in the folder, one key away.
    await page.keyboard.press('ArrowRight')
    await row.waitFor()
    await page.context().close()
  })
})

describe('a choice from a list', () => {
  it('P-9403 has a trigger and options of 32 pixels, drawn by us, with type-ahead, wherever it stands', async () => {
    const page = await workbench.page()
    for (const text of ['form', 'surface', 'hints']) {
      await page.goto(new URL('/', page.url()).href)
      await begin(page, text)
      const select = page.getByRole('combobox', { name: 'Room' })
      await select.waitFor()
      expect((await boxOf(select)).height, text).toBe(32)
      const look = await select.evaluate(element => {
        const list = getComputedStyle(element, '::picker(select)')
        return { appearance: list.appearance, ours: list.backgroundColor, shadow: list.boxShadow !== 'none' }
      })
      expect(look, text).toMatchObject({ appearance: 'base-select', shadow: true })
      await select.focus()
      await page.keyboard.press('Enter')
      const options = select.locator('option', { hasText: 'Double' })
      await options.waitFor()
      expect((await boxOf(options)).height, text).toBe(32)
      await page.keyboard.type('su')
      await page.keyboard.press('Enter')
      await expect.poll(() => select.evaluate(it => (it as HTMLSelectElement).selectedOptions[0]?.label)).toBe('Suite')
      expect(await violations(page), text).toEqual([])
    }
    await page.context().close()
  })

  it('P-9410 short fields of a form share a line where there is room', async () => {
    const page = await workbench.page()
    await begin(page, 'form')
    const field = (label: string) => page.locator('.v-request').getByLabel(label)
    const [name, room, date] = [await boxOf(field('Name')), await boxOf(field('Room')), await boxOf(field('Date'))]
    expect(room.y).toBe(date.y)
    expect(room.y).toBeGreaterThan(name.y)
    expect(date.x).toBeGreaterThan(room.x + room.width)
    expect(date.x + date.width).toBeCloseTo(name.x + name.width, 0)
    await page.setViewportSize({ width: 320, height: 800 })
    await expect.poll(async () => (await boxOf(field('Date'))).y).toBeGreaterThan((await boxOf(field('Room'))).y)
    await page.context().close()
  })
})
