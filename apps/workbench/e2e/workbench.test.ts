import type { SessionEvent } from '@vitrine/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  answers,
  begin,
  composer,
  ended,
  logOf,
  openPanel,
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
afterEach(() => expect(workbench.errors()).toEqual([]))

const plain = (text: string) => text.replaceAll('**', '').replace(/\s+/g, ' ').trim()

interface Seen {
  /** The times at which a status and the first answer text were on the screen. */
  status: number
  text: number
  /** The lengths of the answer text, one for each change. */
  lengths: number[]
  words: string[]
  /** The reasoning that was visible while the agent was thinking. */
  thoughts: string
}

/** Watches every change of the page from now on. `answer` is the number of the answer to watch. */
const watch = (page: Page, answer: number) =>
  page.evaluate(at => {
    const seen: Seen = { status: 0, text: 0, lengths: [], words: [], thoughts: '' }
    const look = () => {
      const status = document.querySelector('main .v-run-status [role="img"]')?.getAttribute('aria-label')
      const text = document.querySelectorAll('main article[aria-label="Answer"]')[at]?.textContent ?? ''
      if (status) {
        seen.status ||= performance.now()
        if (!seen.words.includes(status)) seen.words.push(status)
      }
      if (text) seen.text ||= performance.now()
      if (text.length !== (seen.lengths.at(-1) ?? 0)) seen.lengths.push(text.length)
      for (const part of document.querySelectorAll('main details[open]')) {
        if (/^Thinking/.test(part.querySelector('summary')!.textContent)) seen.thoughts += part.textContent
      }
    }
    const every = { subtree: true, childList: true, characterData: true, attributes: true }
    new MutationObserver(look).observe(document.body, every)
    Object.assign(globalThis, { seen })
  }, answer)
const watched = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)

/** The parts of a message from top to bottom, each with its kind and its first words. */
const partsShown = (page: Page, at: number) =>
  partRows(answers(page).nth(at)).evaluateAll(rows =>
    rows
      .filter(row => row.textContent !== '')
      .map(row => {
        const summary = row.querySelector(':scope > details > summary, .v-tool > details > summary')
        const words = (summary ?? row).textContent!.replace(/\s+/g, ' ').trim()
        if (!summary) return `text: ${words.slice(0, 20)}`
        return /^Th(ought|inking)/.test(words) ? 'reasoning' : `tool: ${words}`
      }),
  )

/** The same list, made from the log. */
function partsLogged(events: readonly SessionEvent[]): string[] {
  const parts = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'reasoning.delta') parts.set(event.partId, 'reasoning')
    else if (event.type === 'tool.started') parts.set(event.partId, `tool: ${event.title}`)
    else if (event.type === 'text.delta') parts.set(event.partId, (parts.get(event.partId) ?? 'text: ') + event.delta)
  }
  return [...parts.values()].map(part =>
    part.startsWith('text: ') ? `text: ${plain(part.slice(6)).slice(0, 20)}` : part,
  )
}

const sameParts = (shown: string[], logged: string[]) => {
  expect(
    shown.map((part, n) => (part.startsWith('tool: ') && part.includes(logged[n]?.slice(6) ?? '?') ? logged[n] : part)),
  ).toEqual(logged)
}

/** Says whether the whole element is inside the visible part of the conversation. */
const inView = (locator: Locator) =>
  locator.evaluate(element => {
    const box = element.getBoundingClientRect()
    const frame = element.closest('section[tabindex]')!.getBoundingClientRect()
    return box.top >= frame.top && box.bottom <= frame.bottom
  })

describe('the conversation', () => {
  it('L5 AU-10 AU-12 a status is there before any text, then the text streams, and ends as the log has it, once', async () => {
    const page = await workbench.page({ height: 4000 })
    await begin(page, 'hello')
    await ended(page)
    const answer = answers(page).nth(1)
    await watch(page, 1)
    await send(page, '/long-answer')
    const events = await ended(page, 2)
    await answer.getByRole('button', { name: 'Copy the answer' }).waitFor()
    const seen = await watched(page)
    expect(seen.status).toBeGreaterThan(0)
    // On a busy machine both may come with one frame.
    expect(seen.status).toBeLessThanOrEqual(seen.text)
    expect(new Set(seen.lengths).size).toBeGreaterThan(5)
    expect(seen.words).toContain('Writing…')

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = async () => {
      await answer.getByRole('button', { name: 'Copy the answer' }).click()
      await answer.getByRole('button', { name: 'Copied' }).waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const logged = saidIn(events, events.findLast(event => event.type === 'run.started')!.runId)
    expect(await copied()).toBe(logged)
    const shown = () => partRows(answer).allInnerTexts()
    const before = await shown()
    expect(before.join().match(/How an answer reaches your screen/g)).toHaveLength(1)
    await page.reload()
    await answer.getByRole('button', { name: 'Copy the answer' }).waitFor()
    expect(await answers(page).count()).toBe(2)
    expect(await shown()).toEqual(before)
    expect(await copied()).toBe(logged)
    await page.context().close()
  })

  it('L5 a flood of small pieces is on the screen as it is in the log, also after a reload', async () => {
    const page = await workbench.page({ height: 4000 })
    await begin(page, '/stress 1000')
    const events = await ended(page)
    const text = async () => {
      await answers(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
      return plain((await partRows(answers(page)).allInnerTexts()).join(' '))
    }
    expect(await text()).toBe(plain(saidIn(events)))
    await page.reload()
    expect(await text()).toBe(plain(saidIn(events)))
    await page.context().close()
  })

  it('L5 AU-13 reasoning is apart from the answer and folds when done, live and after a reload', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await watch(page, 1)
    await send(page, '/reasoning')
    const events = await ended(page, 2)
    const check = async () => {
      const thoughts = page.getByText(/^Thought /)
      await thoughts.nth(1).waitFor()
      expect(await thoughts.count()).toBe(2)
      const open = page.locator('.v-reasoning .v-disclosure-body')
      expect(await open.count()).toBe(0)
      expect(await answers(page).last().textContent()).toContain('The ball costs 5 cents.')
      await thoughts.first().click()
      await open.getByText(/quick answer/).waitFor()
      await thoughts.first().click()
      await open.waitFor({ state: 'detached' })
    }
    await check()
    // The reasoning is open while the agent thinks, so that a person can follow it.
    expect((await watched(page)).thoughts).toContain('a bat and a ball')
    const run = events.slice(events.findLastIndex(event => event.type === 'run.started'))
    sameParts(await partsShown(page, 1), partsLogged(run))
    await page.reload()
    await check()
    sameParts(await partsShown(page, 1), partsLogged(run))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await answers(page).last().getByRole('button', { name: 'Copy the answer' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(saidIn(run))
    expect(copied).not.toContain('quick answer')
    await page.context().close()
  })

  it('P-801 AU-01 AU-06 AU-14 parts stand in the order of the log, live and after a reload; parallel tools show progress and detail', async () => {
    const page = await workbench.page({ height: 1600 })
    await begin(page, '/tools')
    const tool = (title: string) => page.getByRole('group').filter({ hasText: title }).first()
    // All three run at the same time, each with its own progress.
    await Promise.all(
      ['Search for incident reports', 'Read the access log'].map(name =>
        page.getByRole('progressbar', { name: `Progress of ${name}` }).waitFor(),
      ),
    )
    const bars = await page.getByRole('progressbar').count()
    expect(bars).toBeGreaterThanOrEqual(2)
    const events = await ended(page)
    await answers(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    const logged = partsLogged(events)
    expect(logged.map(part => part.split(':')[0])).toEqual(['text', 'tool', 'tool', 'tool', 'reasoning', 'text'])
    sameParts(await partsShown(page, 0), logged)
    await page.reload()
    await answers(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
    sameParts(await partsShown(page, 0), logged)

    // The details are not in the page before they are opened, and of the large output only the beginning and the end are.
    expect(await page.getByText('access.log', { exact: false }).count()).toBe(1)
    await page.getByText('Read the access log').click()
    await page.getByText('"lines": 3000').first().waitFor()
    const load = page.getByRole('button', { name: /Show all/ })
    await load.waitFor()
    await tool('Read the access log').getByText('id=2999').waitFor()
    expect(await page.getByText('id=2500').count()).toBe(0)
    await load.click()
    await page.getByRole('button', { name: /more character/ }).click()
    await tool('Read the access log').getByText('id=2500').waitFor()
    await page.context().close()
  })

  it('P-801 a failed and retried tool keeps both calls, and what was withdrawn is folded and not part of the answer', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await watch(page, 1)
    await send(page, '/retried-tool')
    const events = await ended(page, 2)
    const check = async () => {
      await answers(page).last().getByRole('button', { name: 'Copy the answer' }).waitFor()
      await page.getByText('Forecast, second try').waitFor()
      await page.getByText('The forecast service closed the connection.').waitFor()
      await page.getByText(/^Withdrawn: The forecast it was based on/).waitFor()
      expect(await page.getByText('it looks like ra').count()).toBe(0)
      expect(await answers(page).last().textContent()).toContain('Lisbon: 22° and 23° with sun')
    }
    await check()
    expect((await watched(page)).words).toContain('Trying again…')
    expect(saidIn(events)).not.toContain('it looks like ra')
    await page.reload()
    await check()
    await page.context().close()
  })

  it('AU-04 opening, choosing and drafting change only what is shown, and the log stays as it is', async () => {
    const page = await workbench.page()
    await begin(page, '/reasoning')
    await ended(page)
    await answers(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
    const before = await logOf(page)
    await page
      .getByText(/^Thought /)
      .first()
      .click()
    await page.getByRole('button', { name: 'Open the side panel' }).click()
    await page.getByRole('tab', { name: 'Tasks' }).click()
    await composer(page).fill('a draft')
    await page.reload()
    await page.getByRole('tabpanel', { name: 'Tasks' }).waitFor()
    expect(await composer(page).inputValue()).toBe('a draft')
    expect(await logOf(page)).toEqual(before)
    await page.context().close()
  })

  it('P-811 what is sent, and the request it leads to, comes into view for someone who had scrolled up', async () => {
    const page = await workbench.page({ height: 960 })
    await begin(page, '/long-answer')
    await ended(page)
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.hover()
    await page.mouse.wheel(0, -20_000)
    await page.getByRole('button', { name: 'Latest' }).waitFor()
    await send(page, '/approval')
    const deny = page.getByRole('button', { name: 'Don’t allow' })
    await deny.waitFor()
    await expect.poll(() => inView(deny)).toBe(true)
    expect(await inView(page.getByRole('article', { name: 'Your message' }).last())).toBe(true)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await ended(page, 2)
    await page.context().close()
  })

  it('P-812 a session whose end was visible counts as read when the person leaves it, even after a short visit', async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'hello')
    await answers(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
    await page.getByRole('button', { name: 'New session' }).click()
    const row = page.locator(`a[href="/s/${sessionId}"]`)
    await expect.poll(() => row.getByText('Unread').count()).toBe(0)
    await page.reload()
    await row.waitFor()
    expect(await row.getByText('Unread').count()).toBe(0)
    await page.context().close()
  })

  it('P-802 AU-19 a subagent works under its own name, and shared state and plan are shown as facts of their own', async () => {
    const page = await workbench.page({ height: 1400 })
    await begin(page, '/subagent')
    await ended(page)
    await page.getByText('My pick would be the library').waitFor()
    expect(await page.getByText('Search the map').count()).toBe(0)
    await page.getByText('Find a quiet place to work nearby.').click()
    await page.getByText('Search the map').waitFor()
    await send(page, '/state')
    await page.getByRole('button', { name: 'Open the side panel' }).click()
    await openPanel(page, 'State')
    const state = page.getByRole('tabpanel', { name: 'State' })
    await state.getByText('3 items').click()
    await ended(page, 2)
    await state.getByText('2 fields').nth(1).click()
    await state.getByText('"bread"').waitFor()
    await state.getByText('true').waitFor()
    await page.reload()
    await state.getByText('3 items').waitFor()
    await page.context().close()
  })
})
