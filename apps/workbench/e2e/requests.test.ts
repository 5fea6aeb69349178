import type { ActionRequest, SessionEvent } from '@vitrine/protocol'
import { type Agent, createGuide } from '@vitrine/server'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, logOf, longestTask, openWorkbench, saidIn, type Workbench } from './harness.ts'

const numbers = (seed: number) =>
  Array.from({ length: 5_000 }, (_, at) => `${Math.imul(at + seed, 2_654_435_761) >>> 20}\n`).join('')

const requests: Record<string, ActionRequest> = {
  edit: {
    kind: 'approval',
    title: 'Edit 2 files in the shop?',
    detail: 'On a branch of its own. You can undo it.',
    risk: 'medium',
    scope: { key: 'edit', label: 'editing files of the shop' },
    changes: [
      { path: 'src/place.ts', line: 41, before: 'const limit = 1000\n', after: 'const limit = 250\n' },
      { path: 'notes.txt', after: `${'wide '.repeat(200)}\n` },
    ],
  },
  pages: {
    kind: 'approval',
    title: 'Edit 4 files?',
    risk: 'low',
    changes: [16, 22, 2, 1].map(lines => ({ path: `of-${lines}.txt`, after: 'line\n'.repeat(lines) })),
  },
  second: { kind: 'approval', title: 'Send the mail?', risk: 'low' },
  odd: {
    kind: 'approval',
    title: 'Edit odd files?',
    changes: [{ path: 'a\u202eb.ts', before: 'x\u001b[31m\n', after: 'y\u202ez\n' }],
  },
  hostile: {
    kind: 'approval',
    title: 'Edit all of this?',
    changes: [
      { path: 'numbers.txt', before: numbers(1), after: numbers(77_777) },
      { path: 'line.json', before: '\u202e'.repeat(3_000), after: '{"a":'.repeat(1_500) },
      { path: 'large.md', after: 'So many words. '.repeat(8_000) },
    ],
  },
  plan: {
    kind: 'plan',
    title: 'Start with these 3 steps?',
    plan: [
      { id: 'branch', title: 'Create a branch' },
      { id: 'test', title: 'Run the load test' },
      { id: 'pull', title: 'Open a pull request' },
    ],
  },
}

/** Asks all that its text names at the same time, after a long text, and says what it was given. */
const desk: Agent = {
  agentId: 'desk',
  name: 'Desk',
  description: 'Asks',
  scripted: true,
  async *run({ text }, { ask }) {
    const delta = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} of what there is to say.`).join('\n\n')
    if (text.startsWith('talk')) yield { type: 'text.delta', partId: 'before', delta }
    const given = await Promise.all(text.split(' ').flatMap(word => (requests[word] ? [ask(requests[word])] : [])))
    const told = given.map(({ by: _, ...response }) => response)
    yield { type: 'text.delta', partId: 'said', delta: `Given ${JSON.stringify(told)}` }
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [desk, createGuide({ pace: 0.1 })] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

/** A window of a phone, with a finger instead of a mouse. */
async function phone(): Promise<Page> {
  const viewport = { width: 390, height: 844 }
  const context = await workbench.browser.newContext({
    viewport,
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  return workbench.page({ context })
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const resolved = (events: readonly SessionEvent[]) => events.flatMap(e => (e.type === 'action.resolved' ? [e] : []))
const given = (events: readonly SessionEvent[]) => JSON.parse(saidIn(events).match(/Given (.*)$/s)![1]!)
/** What has just appeared ignores presses for a moment. */
const look = (page: Page) => page.waitForTimeout(600)
/** Has a button of the next dialog pressed in the moment in which it appears. A press from here could come too late. */
async function pressedOnSight(page: Page, name: string): Promise<() => Promise<boolean>> {
  const watch = await page.evaluateHandle(wanted => {
    const watch = { pressed: false }
    const observer = new MutationObserver(() => {
      const buttons = document.querySelectorAll<HTMLElement>('[role=dialog] button, dialog button')
      const button = [...buttons].find(({ textContent }) => textContent?.trim() === wanted)
      if (!button) return
      observer.disconnect()
      button.click()
      watch.pressed = true
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return watch
  }, name)
  return () => watch.evaluate(({ pressed }) => pressed)
}
const pageScrolls = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
/** The lines of the diff that is shown, as somebody reads them who hears them. */
const heard = (within: Locator) =>
  within.locator('.v-diff-lines tr').evaluateAll(rows =>
    rows.map(row =>
      [...row.querySelectorAll('td')]
        .map(cell => {
          const copy = cell.cloneNode(true) as HTMLElement
          for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
          return copy.textContent
        })
        .filter(Boolean)
        .join(' '),
    ),
  )

describe('an approval that changes files', () => {
  it('P-8652 shows what would change in each file, and F walks through the files', async () => {
    const page = await workbench.page()
    await begin(page, 'edit')
    const request = card(page, 'Edit 2 files in the shop?')
    await request.getByRole('heading', { name: 'src/place.ts' }).waitFor()
    await request.getByText('1 line added, 1 line removed').waitFor()
    expect(await heard(request)).toEqual(['41 Removed const limit = 1000', '41 Added const limit = 250'])
    expect(await request.locator('mark').allTextContents()).toEqual(['1000', '250'])
    // The colours of the language come from a thread.
    await request.locator('.v-code-keyword').first().waitFor()

    await page.keyboard.press('F8')
    await page.keyboard.press('f')
    await request.getByRole('heading', { name: 'notes.txt' }).waitFor()
    await request.getByText('New file').waitFor()
    await page.getByRole('status').getByText('notes.txt, file 2 of 2').waitFor()
    const scroll = request.getByRole('group', { name: 'Changes in notes.txt' })
    expect(await scroll.evaluate(element => element.scrollWidth > element.clientWidth)).toBe(true)
    expect(await pageScrolls(page)).toBe(false)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Shift+F')
    await request.getByRole('heading', { name: 'src/place.ts' }).waitFor()
    await look(page)
    await page.keyboard.press('y')
    expect(given(await ended(page))).toEqual([{ outcome: 'approved', value: null }])

    // Afterwards the line has question and answer, and opens to what was allowed.
    const line = page.locator('details', { hasText: 'You allowed Edit 2 files in the shop, once' })
    await line.locator('summary').press('Enter')
    await line.getByRole('heading', { name: 'src/place.ts' }).waitFor()
    expect(await heard(line)).toHaveLength(2)
    await page.context().close()
  })

  it('P-8694 Y counts right after F has shown the next file', async () => {
    const page = await workbench.page({ height: 700 })
    await begin(page, 'pages')
    await page.getByRole('group', { name: /^Changes in/ }).waitFor()
    await look(page)
    await page.keyboard.press('F8')
    await page.keyboard.press('f')
    await page.keyboard.press('y')
    await ended(page)
    await page.context().close()
  })

  it('P-8652 folds what is the same and opens it, tells new and deleted files, and shows hidden marks', async () => {
    const page = await workbench.page()
    await begin(page, 'odd')
    const odd = card(page, 'Edit odd files?')
    await odd.getByRole('heading', { name: 'aU+202Eb.ts' }).waitFor()
    await expect.poll(() => heard(odd)).toEqual(['1 Removed xESC[31m', '1 Added yU+202Ez'])
    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('radio', { name: /Guide/ }).check({ force: true })
    await begin(page, '/edit-files')
    const request = card(page, 'Edit 4 files of the shop?')
    await request.getByRole('button', { name: 'Next file' }).click()
    const fold = request.getByRole('button', { name: '9 unchanged lines' })
    await fold.waitFor()
    const before = (await heard(request)).length
    await fold.click()
    expect((await heard(request)).length).toBe(before + 8)
    await request.getByRole('button', { name: 'Next file' }).click()
    await request.getByText('New file').waitFor()
    await request.getByRole('button', { name: 'Next file' }).click()
    await request.getByText('Deleted', { exact: true }).waitFor()
    await page.context().close()
  })

  it('P-8653 a diff that is made to be hard is bounded, and the page goes on', async () => {
    const page = await workbench.page()
    await begin(page, 'hostile')
    const request = card(page, 'Edit all of this?')
    await request.locator('.v-diff-lines').waitFor()
    const longest = await longestTask(page, async () => {
      await request.getByText(/more lines not shown/).waitFor()
      for (const path of ['line.json', 'large.md', 'numbers.txt']) {
        await request.getByRole('button', { name: 'Next file' }).click()
        await request.getByRole('heading', { name: path }).waitFor()
        await request.locator('.v-diff-lines').waitFor()
        expect(await request.locator('.v-diff-lines tr').count()).toBeLessThan(80)
      }
      await page.waitForTimeout(200)
    })
    // 50 ms is the aim. Some machines are slower.
    expect(longest).toBeLessThan(200)
    await page.context().close()
  })
})

describe('a request on a phone', () => {
  const sheetOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
  const toTop = (page: Page) =>
    page.getByRole('region', { name: 'Conversation' }).evaluate(element => element.scrollTo(0, 0))

  it('P-8654 opens from its docked line as a sheet, is answered by its buttons alone, and closing answers nothing', async () => {
    const page = await phone()
    await begin(page, 'talk edit second')
    await card(page, 'Edit 2 files in the shop?').waitFor()
    await toTop(page)
    const docked = card(page, 'Needs you').getByRole('button', { name: 'Edit 2 files in the shop?' })
    const sheet = sheetOf(page, 'Edit 2 files in the shop?')
    const open = async () => {
      await docked.tap()
      await sheet.locator('.v-diff-lines').waitFor()
    }

    // What was pressed when it opened does not count.
    const pressed = await pressedOnSight(page, 'Allow once')
    await open()
    await sheet.getByText('Desk', { exact: true }).waitFor()
    await sheet.getByText('1 of 2').first().waitFor()
    expect(await pressed()).toBe(true)
    await look(page)
    expect(resolved(await logOf(page))).toEqual([])
    expect(await violations(page)).toEqual([])
    const boxes = await Promise.all(
      ['Don’t allow', 'Allow once', 'Always allow in this session', 'Say what instead'].map(
        async name => (await sheet.getByRole('button', { name }).boundingBox())!,
      ),
    )
    expect(Math.min(...boxes.map(({ height }) => height))).toBeGreaterThanOrEqual(44)
    expect(boxes[0]!.x).toBeLessThan(boxes[1]!.x)
    expect(await pageScrolls(page)).toBe(false)

    // Esc, Back, the handle and a pull close it.
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    const address = page.url()
    await open()
    await page.waitForTimeout(100)
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)
    await open()
    await sheet.getByRole('button', { name: 'Close' }).tap()
    await sheet.waitFor({ state: 'detached' })
    await open()
    const finger = await touch(page)
    await finger.drag({ x: 195, y: (await sheet.boundingBox())!.y + 8 }, { x: 195, y: 800 })
    await sheet.waitFor({ state: 'detached' })
    expect(resolved(await logOf(page))).toEqual([])

    // A swipe over it, or over its buttons, answers nothing.
    await open()
    await look(page)
    const allow = (await sheet.getByRole('button', { name: 'Allow once' }).boundingBox())!
    for (const x of [20, 370]) await finger.drag({ x: allow.x + 60, y: allow.y + 20 }, { x, y: allow.y + 20 })
    expect(resolved(await logOf(page))).toEqual([])

    // The other one that waits, and back; the answer then shows the one that is left.
    await sheet.getByRole('button', { name: 'Next request' }).tap()
    await sheetOf(page, 'Send the mail?').getByText('2 of 2').waitFor()
    await sheetOf(page, 'Send the mail?').getByRole('button', { name: 'Previous request' }).tap()
    await look(page)
    await sheet.getByRole('button', { name: 'Allow once' }).tap()
    const left = sheetOf(page, 'Send the mail?')
    await left.getByRole('button', { name: 'Allow once' }).tap()
    await look(page)
    expect(resolved(await logOf(page)).map(({ outcome }) => outcome)).toEqual(['approved'])

    // Words go where words are written, and they refuse.
    await left.getByRole('button', { name: 'Say what instead' }).tap()
    await left.waitFor({ state: 'detached' })
    await expect.poll(() => composer(page).evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.type('Only tomorrow')
    await page.keyboard.press('Enter')
    expect(given(await ended(page))[1]).toMatchObject({ outcome: 'denied', text: 'Only tomorrow' })
    expect(page.url()).toBe(address)
    await page.context().close()
  })
})

describe('the steps of a plan', () => {
  const order = (page: Page) => page.locator('.v-plan-title').allTextContents()
  const grip = async (page: Page, at: number) => {
    const box = (await page.locator('.v-plan-grip').nth(at).boundingBox())!
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  it('P-8655 are moved by their grip with a mouse, and Esc puts one back', async () => {
    const page = await workbench.page()
    await begin(page, 'plan')
    await page.locator('.v-plan-grip').first().waitFor()
    const [first, last] = [await grip(page, 0), await grip(page, 2)]
    await page.mouse.move(first.x, first.y)
    await page.mouse.down()
    await page.mouse.move(last.x, last.y + 8, { steps: 4 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect((await order(page))[0]).toBe('Create a branch')
    await page.mouse.move(first.x, first.y)
    await page.mouse.down()
    await page.mouse.move(last.x, last.y + 8, { steps: 4 })
    await page.mouse.up()
    expect(await order(page)).toEqual(['Run the load test', 'Open a pull request', 'Create a branch'])
    await page.getByText('1 change by you').waitFor()
    await look(page)
    await page.getByRole('button', { name: 'Start with changes' }).click()
    const [{ value }] = given(await ended(page))
    expect(value.steps.map(({ id }: { id: string }) => id)).toEqual(['test', 'pull', 'branch'])
    await page.getByText('You approved the plan with 1 change').waitFor()
    await page.context().close()
  })

  it('P-8655 are moved by their grip with a finger, and the page does not scroll meanwhile', async () => {
    const page = await phone()
    await begin(page, 'plan')
    await page.locator('.v-plan-grip').first().waitFor()
    const conversation = page.getByRole('region', { name: 'Conversation' })
    const top = await conversation.evaluate(element => element.scrollTop)
    const [first, last] = [await grip(page, 0), await grip(page, 2)]
    await (await touch(page)).drag(last, { x: first.x, y: first.y - 8 })
    await expect.poll(() => order(page)).toEqual(['Open a pull request', 'Create a branch', 'Run the load test'])
    // The badge of the changes moves it a little; the finger would have moved it by more than a step.
    expect(Math.abs((await conversation.evaluate(element => element.scrollTop)) - top)).toBeLessThan(40)
    // A press on a step shows what else can be done with it.
    await page.getByText('Run the load test').tap()
    await page.getByRole('button', { name: 'Move step 3 up' }).tap()
    expect(await order(page)).toEqual(['Open a pull request', 'Run the load test', 'Create a branch'])
    await page.context().close()
  })
})

interface Point {
  x: number
  y: number
}

/** A finger, which Playwright has only for taps. */
async function touch(page: Page) {
  const devtools: CDPSession = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    async drag(from: Point, to: Point) {
      await send('touchStart', [from])
      for (let n = 1; n <= 5; n++) {
        await send('touchMove', [{ x: from.x + ((to.x - from.x) * n) / 5, y: from.y + ((to.y - from.y) * n) / 5 }])
      }
      // A finger that is still moving when it leaves throws the page, and Chromium takes the next tap as its stop.
      await page.waitForTimeout(150)
      await send('touchEnd', [])
      await page.waitForTimeout(150)
    },
  }
}
