import type { SessionEvent } from '@vitrine/protocol'
import type { Agent } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  answers,
  begin,
  composer,
  ended,
  logOf,
  openWorkbench,
  partRows,
  saidIn,
  send,
  type Workbench,
} from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ pace: 0.6 })
})
afterAll(() => workbench?.close())
afterEach(async () => {
  await workbench.start()
  expect(workbench.errors()).toEqual([])
})

const offline = (page: Page, word = 'The server cannot be reached') => page.getByRole('main').getByText(word)

const streaming = (page: Page, text: string | RegExp = 'How an answer reaches your screen') =>
  answers(page).last().getByText(text).first().waitFor()

/** The visible text of the last answer, without its footer. */
const shown = async (page: Page) => (await partRows(answers(page).last()).allInnerTexts()).join('\n')

const words = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

const finished = (page: Page) => answers(page).last().getByRole('button', { name: 'Copy the answer' }).waitFor()

const outcomes = (events: readonly SessionEvent[]) =>
  events.flatMap(event =>
    event.type === 'run.finished' ? [event.outcome] : event.type === 'run.failed' ? ['failed'] : [],
  )

describe('the workbench survives', () => {
  it('L3 a reload in the middle of a stream goes on where it was', async () => {
    const page = await workbench.page()
    await begin(page, '/long-answer')
    await streaming(page)
    await page.reload()
    await streaming(page)
    const events = await ended(page)
    await finished(page)
    expect(outcomes(events)).toEqual(['completed'])
    const text = await shown(page)
    expect(text.match(/How an answer reaches your screen/g)).toHaveLength(1)
    await page.reload()
    await finished(page)
    expect(await shown(page)).toBe(text)
    await page.context().close()
  })

  it('P-108 ten tabs share one stream, join at any time, and end with the same text', async () => {
    const first = await workbench.page()
    const context = first.context()
    const sessionId = await begin(first, 'hello')
    await ended(first)
    const tabs = [first]
    for (let n = 0; n < 4; n++) tabs.push(await workbench.page({ context, path: `/s/${sessionId}` }))
    await send(first, '/long-answer')
    for (let n = 0; n < 5; n++) tabs.push(await workbench.page({ context, path: `/s/${sessionId}` }))
    await expect.poll(() => workbench.streams()).toBe(1)
    await ended(first, 2)
    for (const tab of tabs) await finished(tab)
    const texts = await Promise.all(tabs.map(shown))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('How an answer reaches your screen')
    expect(workbench.streams()).toBe(1)
    // The first tab is closed, and the others go on.
    await first.close()
    await send(tabs[9]!, 'hello again')
    await ended(tabs[1]!, 3)
    await expect.poll(() => tabs[1]!.getByText('hello again').count()).toBeGreaterThan(0)
    expect(workbench.streams()).toBe(1)
    await context.close()
    await expect.poll(() => workbench.streams()).toBe(0)
  })

  it('P-110 P-9264 without a shared worker and without a network it says so, and catches up when the network is back', async () => {
    const context = await workbench.browser.newContext()
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
    const page = await workbench.page({ context })
    await begin(page, '/long-answer')
    await streaming(page)
    const foot = page.locator('.w-connection')
    await expect.poll(() => foot.textContent()).toBe('Live')
    // The stream is not cut: it only hangs.
    await page.context().setOffline(true)
    await offline(page, 'You are offline').waitFor({ timeout: 1500 })
    expect(await foot.textContent()).toBe('Offline')
    workbench.cut()
    const text = await shown(page)
    expect(text).toContain('How an answer reaches your screen')
    await page.context().setOffline(false)
    await offline(page, 'You are offline').waitFor({ state: 'detached' })
    const events = await ended(page)
    await finished(page)
    expect(outcomes(events)).toEqual(['completed'])
    expect((await shown(page)).match(/How an answer reaches your screen/g)).toHaveLength(1)
    expect((await shown(page)).length).toBeGreaterThan(text.length)
    await page.context().close()
  })

  it('L12 when the server restarts during an answer, the page says so, reconnects, shows the run as interrupted and can retry it; nothing is lost', async () => {
    const page = await workbench.page()
    await begin(page, '/long-answer')
    await streaming(page, /The path of one piece/)
    await send(page, 'hello')
    const queue = page.getByRole('region', { name: 'Queue' })
    await queue.getByText('hello').waitFor()
    await queue.getByText('hello').hover()
    await queue.getByRole('button', { name: 'Pause' }).click()
    await queue.getByText('Queue paused', { exact: true }).waitFor()
    await workbench.stop()
    await offline(page).waitFor()
    const before = await shown(page)
    expect(before).toContain('The path of one piece')
    await workbench.start()
    await offline(page).waitFor({ state: 'detached' })
    const end = page.getByRole('region', { name: 'Stopped' })
    await end.getByText('This run was interrupted').waitFor()
    // The text that was visible is still there, and so is the queued turn.
    const log = await logOf(page)
    expect(outcomes(log)).toEqual(['interrupted'])
    expect(log.map(event => event.seq)).toEqual(log.map((_, n) => n + 1))
    // Only the words are compared, because a table that was cut off is drawn differently when its next line arrives.
    expect(words(await shown(page))).toContain(words(before).slice(0, -20))
    await queue.getByText('hello').waitFor()
    await end.getByRole('button', { name: 'Try again' }).click()
    await end.getByText('Tried again below').waitFor()
    await ended(page, 2)
    await queue.getByRole('button', { name: 'Resume' }).click()
    const events = await ended(page, 3)
    expect(outcomes(events)).toEqual(['interrupted', 'completed', 'completed'])
    const said = events.flatMap(event => (event.type === 'run.started' ? [saidIn(events, event.runId)] : []))
    expect(said[1]!.startsWith(said[0]!)).toBe(true)
    await page.context().close()
  })

  it('L7 AU-58 P-8605 what cannot be sent stands in the conversation as waiting, and is sent once when the server is back', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await finished(page)
    const unsent = page.getByRole('article', { name: 'On its way' })
    const mine = page.getByRole('article', { name: 'Your message' })
    await workbench.stop()
    await offline(page).waitFor()
    await send(page, 'hello from the other side')
    await unsent.getByText('Sends when you are back').waitFor()
    expect(await composer(page).inputValue()).toBe('')
    // It is still there after the tab was closed, and goes by itself.
    await workbench.start()
    await page.reload()
    await mine.getByText('hello from the other side').waitFor()
    const events = await ended(page, 2)
    expect(events.filter(event => event.type === 'run.started')).toHaveLength(2)
    await expect.poll(() => unsent.count()).toBe(0)

    // The same on the first screen, and without a reload.
    await page.getByRole('button', { name: 'New session' }).click()
    await workbench.stop()
    await offline(page).waitFor()
    await send(page, 'hello, first of a session')
    await unsent.getByText('Sends when you are back').waitFor()
    await workbench.start()
    await page.waitForURL(/\/s\//)
    await ended(page)
    await mine.getByText('hello, first of a session').waitFor()
    await page.context().close()
  })

  it('P-816 P-8601 Enter that is pressed while the session loads or a text is on its way is not lost', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await finished(page)
    const gate = Promise.withResolvers<void>()
    await page.route(/\/turns$/, async route => {
      await gate.promise
      await route.continue()
    })
    await send(page, 'hello, the second')
    await page.getByText('Sending').waitFor()
    await page.getByText('Sends after the one before it').waitFor()
    await send(page, 'hello, the third')
    await composer(page).pressSequentially('hello, behind')
    gate.resolve()
    const mine = page.getByRole('article', { name: 'Your message' })
    await mine.getByText('hello, the third').waitFor()
    expect(await mine.getByText('hello, the second').count()).toBe(1)
    expect(await composer(page).inputValue()).toBe('hello, behind')
    await composer(page).fill('')
    await ended(page, 3)

    await page.reload({ waitUntil: 'commit' })
    await send(page, 'hello, the fourth')
    await mine.getByText('hello, the fourth').waitFor()
    await ended(page, 4)
    await page.context().close()
  })

  it('P-810 after an update a tab that is still open offers a reload where a file of the old build is missing', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await page.route(/\/assets\/(gallery|in-session)-.*\.js/, route => route.fulfill({ status: 404 }))
    await send(page, '/dashboard')
    await ended(page, 2)
    const reload = page.getByRole('main').getByRole('button', { name: 'Reload the page' })
    await reload.waitFor()
    expect(await answers(page).count()).toBe(2)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('A2UI gallery')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/gallery/)
    await reload.waitFor()
    await page.unroute(/\/assets\/(gallery|in-session)-.*\.js/)
    await reload.click()
    await reload.waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor()
    await page.context().close()
  })

  it('AU-60 shell, list and title are there before the conversation is', async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'Show the weather in Lisbon')
    await ended(page)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(new RegExp(`/api/sessions/${sessionId}(\\?.*)?$`), async route => {
      await released
      await route.continue()
    })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Show the weather in Lisbon' }).waitFor()
    await page.getByRole('main').getByText('Loading the session…').first().waitFor()
    await page.locator(`a[href="/s/${sessionId}"]`).waitFor()
    expect(await answers(page).count()).toBe(0)
    release()
    await finished(page)
    await page.context().close()
  })

  it('L8 a session that does not exist, a page that does not exist and an empty list say so', async () => {
    const page = await workbench.page({ path: '/s/none' })
    await page.getByText('There is no such session.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'New session' }).click()
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
    await page.goto(new URL('/nowhere', page.url()).href)
    await page.getByText('There is no such page.').waitFor()
    await page.getByRole('button', { name: 'Search sessions' }).click()
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('qxzvw')
    await page.getByText('Nothing matches.').waitFor()
    await page.context().close()
  })
})

const heavy: Record<string, string> = {
  'quotes in quotes': `${'> '.repeat(20_000)}x`,
  underscores: `${'_'.repeat(30_000)}a`,
  'lists in lists': Array.from({ length: 400 }, (_, at) => `${'  '.repeat(at)}- level ${at}`).join('\n'),
  'a wide table': `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${`${'|b'.repeat(5_000)}|\n`.repeat(20)}`,
  'open brackets': '['.repeat(20_000),
  'open emphasis': '*a **a '.repeat(5_000),
  links: '[constructor] [x][__proto__]',
}
const ownNames = ['constructor', 'toString', 'hasOwnProperty']
const schemaOf = (names: readonly string[]) =>
  JSON.parse(
    `{"type":"object","properties":{${names.map(name => `"${name}":{"type":"string","format":"${name}"}`).join()}}}`,
  )

/** An agent that writes everything that once made a page blank or blocked it for seconds. */
const wrecker: Agent = {
  agentId: 'wrecker',
  name: 'Wrecker',
  description: 'Says what is hard to draw',
  scripted: true,
  async *run({ text }, { ask }) {
    if (text !== 'wreck') return yield { type: 'text.delta', partId: 'calm', delta: 'a calm answer' }
    yield { type: 'text.delta', partId: 'before', delta: 'said before' }
    for (const [partId, said] of Object.entries(heavy)) {
      for (let at = 0; at < said.length; at += 5_000) {
        yield { type: 'text.delta', partId, delta: said.slice(at, at + 5_000) }
      }
    }
    for (const at of [Number.MAX_SAFE_INTEGER, 8.64e15]) {
      const parts = [{ partId: `at-${at}`, kind: 'text' as const, text: `said at ${at}` }]
      const messages = [{ messageId: `m-${at}`, ordinal: 99, role: 'assistant' as const, at, parts }]
      yield { type: 'messages.snapshot', snapshotId: `s-${at}`, page: 0, last: true, fromOrdinal: 99, messages }
    }
    yield { type: 'text.delta', partId: 'after', delta: 'said after' }
    await ask({ kind: 'form', title: 'A hostile form', schema: schemaOf(ownNames) })
  },
}

/** A name at which the browser of the test is made to fail, so that whatever has this name cannot be drawn. */
const unspeakable = (what: string) => `unspeakable ${what}`
const mute: Agent = {
  agentId: 'mute',
  name: 'Mute',
  description: 'Names what cannot be drawn',
  scripted: true,
  async *run({ text }, { ask }) {
    if (text.startsWith('unspeakable')) return
    const name = text === 'again' ? (what: string) => `spoken ${what}` : unspeakable
    yield { type: 'text.delta', partId: 'before', delta: 'said before' }
    yield { type: 'tool.started', partId: 'tool', toolCallId: `tool-${text}`, name: 'tool', title: name('tool') }
    yield { type: 'plan.final', title: name('plan'), steps: [{ id: '1', title: 'Step', status: 'active' }] }
    yield { type: 'text.delta', partId: 'after', delta: 'said after' }
    if (text === 'ask') await ask({ kind: 'approval', title: name('request') })
  },
}

describe('the page survives what an agent says', () => {
  let hostile: Workbench
  beforeAll(async () => {
    hostile = await openWorkbench({ agents: [wrecker, mute] })
  })
  afterAll(() => hostile?.close())

  const there = async (page: Page, sessionId: string) => {
    await page.locator(`a[href="/s/${sessionId}"]`).first().waitFor()
    expect(await composer(page).isEditable()).toBe(true)
    await answers(page).getByText('said after').last().waitFor()
  }

  it('P-284 P-285 P-286 L7 L8 one answer with all that is hard to draw leaves list, composer and the other parts', async () => {
    const page = await hostile.page({ height: 6000 })
    const sessionId = await begin(page, 'hello')
    await ended(page)
    await send(page, 'wreck')
    const card = page.getByRole('region', { name: 'A hostile form' })
    const whole = async () => {
      await card.waitFor()
      await there(page, sessionId)
      await answers(page).getByText('said at 8640000000000000').waitFor()
      // Only what is near the view is drawn: this stands further up.
      const conversation = page.getByRole('region', { name: 'Conversation' })
      await conversation.hover()
      const deep = answers(page).locator('pre', { hasText: 'level' })
      let step = -4_000
      const lookUp = async () => {
        if ((await deep.count()) === 1) return deep.textContent()
        // Who scrolls faster than the page draws comes past it, and turns at the top and at the end.
        const { top, left } = await conversation.evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
          top: scrollTop,
          left: scrollHeight - clientHeight - scrollTop,
        }))
        if (top === 0) step = 4_000
        else if (left < 1) step = -4_000
        await page.mouse.wheel(0, step)
        await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        return ''
      }
      await expect.poll(lookUp, { timeout: 60_000, interval: 50 }).toContain('level 399')
      expect(await page.getByText('This could not be shown.').count()).toBe(0)
      await page.getByRole('button', { name: 'Jump to latest' }).click()
    }
    await whole()
    await page.reload()
    await whole()
    for (const name of ownNames) await card.getByLabel(name).fill(`about ${name}`)
    await page.waitForTimeout(600)
    await card.getByRole('button', { name: 'Send answers' }).click()
    const events = await ended(page, 2)
    const answer = events.find(event => event.type === 'action.resolved')
    expect(Object.keys((answer as { response?: object })?.response ?? {})).toEqual(ownNames)
    expect(hostile.errors()).toEqual([])
    await page.context().close()
  })

  it('P-284 what fails while it is drawn takes only itself down, and comes back when it changes', async () => {
    const calm = await hostile.page()
    await calm.getByRole('radio', { name: 'Mute' }).check({ force: true })
    const other = await begin(calm, unspeakable('title'))
    await calm.context().close()

    const context = await hostile.browser.newContext({ locale: 'en-GB', viewport: { width: 1400, height: 900 } })
    await context.addInitScript(() => {
      const { matchAll } = String.prototype
      String.prototype.matchAll = function (pattern) {
        if (this.toLowerCase().startsWith('unspeakable')) throw new Error('unspeakable')
        return matchAll.call(this, pattern)
      }
    })
    const page = await hostile.page({ context })
    const failed = (place: Page | ReturnType<Page['locator']>) => place.getByText('This could not be shown.')
    await page.getByRole('radio', { name: 'Mute' }).check({ force: true })
    const sessionId = await begin(page, 'begin')
    await ended(page)
    await there(page, sessionId)
    // The row of the other session, and the part with the call.
    const list = page.getByRole('navigation', { name: 'Sessions' })
    await failed(list).waitFor()
    expect(await list.locator(`a[href="/s/${other}"]`).count()).toBe(0)
    await failed(answers(page)).waitFor()
    await answers(page).getByText('Raw data').click()
    await answers(page).getByText('"title": "unspeakable tool"').waitFor()

    await page.getByRole('button', { name: 'Open the side panel' }).click()
    const panel = page.getByRole('tabpanel')
    await failed(panel).waitFor()
    await send(page, 'again')
    await ended(page, 2)
    await panel.getByText('spoken plan').waitFor()

    await send(page, 'ask')
    await expect.poll(() => failed(page.getByRole('main')).count()).toBeGreaterThan(2)
    await there(page, sessionId)
    for (const error of hostile.errors()) expect(error).toContain('unspeakable')
    await context.close()
  })
})
