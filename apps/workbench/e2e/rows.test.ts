import type { Agent } from '@vitrine/server'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answers, begin, composer, ended, openWorkbench, send, sessionOf, type Workbench } from './harness.ts'

const CALLS = 1_000

/** So many paragraphs, headings and tables, and one code block of 4,000 lines. */
function longText(paragraphs: number): string {
  const code = Array.from({ length: 4_000 }, (_, at) => `const line${at} = step(${at})`).join('\n')
  const blocks = Array.from({ length: paragraphs }, (_, at) => {
    const words = `Paragraph ${at}: **bold**, \`code\` and a [link](https://example.org/${at}). `.repeat(6)
    return at % 10 === 0 ? `## Chapter ${at / 10}\n\n${words}\n\n| a | b |\n|---|---|\n| ${at} | x |` : words
  })
  return `${blocks.join('\n\n')}\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThe very end.`
}

/** Does as it is told: many calls, a long text, a stream that waits for the next word, a request. */
let goOn: () => void = () => {}
const worker: Agent = {
  agentId: 'worker',
  name: 'Worker',
  description: 'Does much',
  scripted: true,
  async *run({ text }, { signal, ask }) {
    if (text.endsWith('calls')) {
      for (let at = 0; at < (text === 'calls' ? CALLS : 14); at++) {
        const call = { toolCallId: `c${at}` }
        yield { type: 'tool.started', partId: `t${at}`, ...call, name: 'search', title: `Search ${at}` }
        yield { type: 'tool.result', ...call, preview: `result ${at}` }
      }
    }
    if (text === 'long') {
      const words = longText(1_400)
      for (let at = 0; at < words.length; at += 10_000) {
        yield { type: 'text.delta', partId: 'p', delta: words.slice(at, at + 10_000) }
      }
    }
    if (text === 'stream') {
      for (let line = 0; line < 400 && !signal.aborted; line++) {
        yield { type: 'text.delta', partId: 'p', delta: `Line ${line} of the stream.\n\n` }
        await new Promise<void>(resolve => {
          goOn = resolve
        })
      }
    }
    if (text.endsWith('ask')) {
      yield {
        type: 'text.delta',
        partId: 'p1',
        delta: Array.from({ length: 20 }, (_, at) => `Before the question, ${at}.`).join('\n\n'),
      }
      await ask({
        kind: 'choice',
        title: 'Which way?',
        options: [
          { value: 'a', label: 'Left' },
          { value: 'b', label: 'Right' },
          ...(text === 'high ask'
            ? Array.from({ length: 10 }, (_, at) => ({ value: `${at}`, label: `Way ${at}` }))
            : []),
        ],
      })
      yield { type: 'text.delta', partId: 'p2', delta: 'After the answer.\n\n'.repeat(3) }
    }
    yield { type: 'text.delta', partId: 'end', delta: `Answer to ${text}` }
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [worker] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const LATENCY = 600
const list = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' })
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 })
const rowCount = (page: Page) => page.locator('[data-row]').count()
const nodes = (page: Page) => list(page).evaluate(element => element.querySelectorAll('*').length)

/** The first paragraph that is wholly in view, and how far it is from the upper edge. `Math.round` would tell -0 from 0. */
const place = (page: Page) =>
  list(page).evaluate(element => {
    const edge = element.getBoundingClientRect().top
    const found = [...element.querySelectorAll('p')].find(
      one => one.getBoundingClientRect().top >= edge && !one.className.includes('speaker'),
    )!
    return { text: found.textContent!, top: Math.floor(found.getBoundingClientRect().top - edge + 0.5) }
  })
const lengthOf = (page: Page) => list(page).evaluate(element => element.scrollHeight)
const topOf = (page: Page, text: string) =>
  list(page).evaluate((element, words) => {
    const found = [...element.querySelectorAll('p')].find(one => one.textContent === words)
    return found && Math.floor(found.getBoundingClientRect().top - element.getBoundingClientRect().top + 0.5)
  }, text)
/** Has older messages come late. Returns what was asked for. */
async function slowPages(page: Page): Promise<string[]> {
  const asked: string[] = []
  await page.route('**/messages?before=*', async route => {
    asked.push(route.request().url())
    await new Promise(resolve => setTimeout(resolve, LATENCY))
    await route.continue()
  })
  return asked
}
const scroll = (page: Page, by: number) => page.mouse.wheel(0, by)

/** Presses the key until it has led there: at the end of the walk another press changes nothing. */
const walk = (page: Page, key: string, to: Locator) =>
  soon(async () => {
    const inside = await list(page).evaluate(element => element.contains(document.activeElement))
    if (!inside) await list(page).focus()
    await page.keyboard.press(key)
    return to.evaluate(element => element === document.activeElement)
  }).toBe(true)
/** Has the earlier steps of a message wait until they are let through. */
async function heldSteps(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/parts?before=*', async route => {
    await released
    await route.continue()
  })
  return release
}
const onScreen = (one: Locator) => one.evaluate(element => Math.round(element.getBoundingClientRect().top))

/** Counts every row that is ever put into the page. */
const watchRows = (page: Page) =>
  page.addInitScript(() => {
    const drawn = new Set<string>()
    Object.assign(globalThis, { drawn })
    new MutationObserver(changes => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement)
            for (const row of [node, ...node.querySelectorAll<HTMLElement>('[data-row]')])
              if (row.dataset.row) drawn.add(row.dataset.row)
    }).observe(document, { subtree: true, childList: true })
  })
const drawn = (page: Page) => page.evaluate(() => (globalThis as unknown as { drawn: Set<string> }).drawn.size)

describe('a long message', () => {
  it('P-8805 a run with 1,000 calls draws only the rows near the view, and opens at its end', async () => {
    const page = await workbench.page()
    await begin(page, 'calls')
    await ended(page)
    await watchRows(page)
    await page.reload()
    await page.getByText('Answer to calls').waitFor()
    await page.getByText(`Search ${CALLS - 1}`, { exact: true }).waitFor()
    expect(await rowCount(page)).toBeLessThan(80)
    expect(await drawn(page)).toBeLessThan(120)
    // The whole message is one article, and what is out of view takes its space.
    expect(await answers(page).count()).toBe(1)
    expect(await list(page).evaluate(element => element.scrollHeight)).toBeGreaterThan(10_000)
    await page.context().close()
  })

  it('P-8806 a text of a megabyte draws only what is near the view, at its end and anywhere else', async () => {
    const page = await workbench.page()
    await begin(page, 'long')
    await ended(page)
    await watchRows(page)
    await page.reload()
    await page.getByText('Answer to long').waitFor()
    await page.getByText('The very end.').waitFor()
    expect(await rowCount(page)).toBeLessThan(12)
    expect(await drawn(page)).toBeLessThan(16)
    expect(await nodes(page)).toBeLessThan(4_000)
    await list(page).evaluate(element => element.scrollTo(0, element.scrollHeight / 2))
    await page
      .getByText(/Paragraph \d+:/)
      .first()
      .waitFor()
    expect(await rowCount(page)).toBeLessThan(12)
    expect(await nodes(page)).toBeLessThan(4_000)
    await page.context().close()
  })

  it('P-8807 with the focus in any row of a message its keys work, and J and K walk over messages', async () => {
    const page = await workbench.page()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await begin(page, 'calls')
    await ended(page)
    await page.getByText('Answer to calls').waitFor()
    await list(page).focus()
    const mine = page.getByRole('article', { name: 'Your message' })
    await walk(page, 'k', mine)
    await walk(page, 'j', answers(page))
    // From the message into one of its rows, far from the buttons at its end. Its first rows may come a little later.
    await page.getByText('Search 2', { exact: true }).waitFor()
    for (let rows = 0; rows < 3; rows++) await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Search 2')
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'attached' })
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Answer to calls')
    await page.context().close()
  })

  describe('of which the newest steps are loaded', () => {
    let page: Page
    let release: () => void
    beforeEach(async () => {
      page = await workbench.page()
      await begin(page, 'calls')
      await ended(page)
      await page.getByText('Answer to calls').waitFor()
      release = await heldSteps(page)
      await page.reload()
      await page.getByText('Answer to calls').waitFor()
    })
    afterEach(() => page.context().close())
    const earlier = () => page.locator('.v-earlier')

    it('P-9481 J leads to its beginning, and the steps before them come in below it', async () => {
      await walk(page, 'k', answers(page))
      await earlier()
        .getByText(/^\d+ earlier steps$/)
        .waitFor()
      const head = answers(page).locator('.v-speaker')
      const before = await onScreen(head)
      release()
      await page.getByText('Search 0', { exact: true }).waitFor()
      await page.getByText('Search 2', { exact: true }).waitFor()
      expect(await earlier().count()).toBe(0)
      expect(await onScreen(head)).toBe(before)
    })

    it('P-9481 who scrolls up to them gets the steps before them above what is in view, and nothing moves', async () => {
      await list(page).evaluate(element => element.scrollTo(0, 0))
      await earlier().waitFor()
      const step = answers(page).locator('.v-tool').nth(3)
      const name = (await step.textContent())!
      const before = await onScreen(step)
      const length = await lengthOf(page)
      release()
      await soon(() => lengthOf(page)).toBeGreaterThan(length + 1_000)
      expect(await onScreen(page.locator('.v-tool').filter({ hasText: name }))).toBe(before)
      // Each page of them comes in above what is in view, so that the beginning is further up again.
      await soon(async () => {
        await list(page).evaluate(element => element.scrollTo(0, 0))
        return page.getByText('Search 0', { exact: true }).isVisible()
      }).toBe(true)
      expect(await earlier().count()).toBe(0)
    })

    it('P-9482 the focus goes from the button for earlier steps to the message when the last of them have come', async () => {
      await walk(page, 'k', answers(page))
      await earlier().getByRole('button').focus()
      await page.keyboard.press('Enter')
      release()
      await earlier().waitFor({ state: 'detached' })
      expect(await answers(page).evaluate(element => element === document.activeElement)).toBe(true)
    })
  })
})

describe('the place where somebody reads', () => {
  /** A session whose older messages come in pages. */
  async function manyMessages(page: Page): Promise<string> {
    const sessionId = await begin(page, 'message 0')
    await ended(page)
    await page.evaluate(async id => {
      for (let at = 1; at < 70; at++) {
        const body = JSON.stringify({ turnId: `${id}-${at}`, text: `message ${at}` })
        const headers = { 'content-type': 'application/json' }
        await fetch(`/api/sessions/${id}/queue`, { method: 'POST', headers, body })
      }
    }, sessionId)
    await ended(page, 70)
    return sessionId
  }

  it('P-8931 K goes on to messages that are not loaded yet', async () => {
    const page = await workbench.page()
    await manyMessages(page)
    await page.reload()
    await page.getByText('Answer to message 69').waitFor()
    await slowPages(page)
    await list(page).focus()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-message') ?? '')
    // Up to the first of the messages that are there. Another press there means the message above it.
    let first = ''
    for (let last = 'none'; last !== first; first = await focused()) {
      last = await focused()
      await page.keyboard.press('k')
    }
    await soon(focused).not.toBe(first)
    expect(await page.evaluate(() => document.activeElement?.matches('[data-message]'))).toBe(true)
    await page.context().close()
  })

  it('P-8808 stays when older messages come in at the top at 600 ms, and they come one page at a time', async () => {
    const page = await workbench.page()
    await manyMessages(page)
    await page.reload()
    await page.getByText('Answer to message 69').waitFor()
    const asked = await slowPages(page)
    await list(page).hover()
    for (let turns = 0; turns < 40 && asked.length === 0; turns++) await scroll(page, -400)
    await soon(() => asked.length).toBe(1)
    // They read on while the page is on its way.
    await scroll(page, -100)
    await page.waitForTimeout(100)
    const before = await place(page)
    await soon(() => list(page).evaluate(element => element.scrollTop)).toBeGreaterThan(1_500)
    await page.waitForTimeout(2 * LATENCY)
    expect(await topOf(page, before.text)).toBe(before.top)
    expect(asked).toHaveLength(1)
    await page.context().close()
  })

  it('P-8809 is there again after another session and after a reload, also in a page of older messages', async () => {
    const page = await workbench.page()
    const sessionId = await manyMessages(page)
    await list(page).hover()
    await soon(async () => {
      await scroll(page, -3_000)
      return page.getByText('Answer to message 3', { exact: true }).count()
    }).toBe(1)
    await scroll(page, 500)
    await page.waitForTimeout(500)
    const before = await place(page)
    await page.getByRole('button', { name: 'New session' }).click()
    await send(page, 'elsewhere')
    await page.getByText('Answer to elsewhere').waitFor()
    await page.locator(`nav a[href="/s/${sessionId}"]`).click()
    await soon(() => topOf(page, before.text)).toBe(before.top)
    await page.reload()
    await soon(() => topOf(page, before.text)).toBe(before.top)
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await page.getByText('Answer to message 69').waitFor()
    await page.waitForTimeout(500)
    await page.reload()
    await page.getByText('Answer to message 69').waitFor()
    await page.context().close()
  })

  it('P-8810 follows the stream until the person scrolls up, and then the text that comes moves nothing', async () => {
    const page = await workbench.page()
    await begin(page, 'stream')
    const grow = async (lines: number) => {
      for (let line = 0; line < lines; line++) {
        goOn()
        await page.waitForTimeout(30)
      }
    }
    await grow(40)
    const left = () => list(page).evaluate(at => at.scrollHeight - at.scrollTop - at.clientHeight)
    await soon(left).toBeLessThan(2)
    await list(page).hover()
    await scroll(page, -200)
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
    const before = await place(page)
    await grow(10)
    expect(await topOf(page, before.text)).toBe(before.top)
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await soon(left).toBeLessThan(2)
    await grow(10)
    await soon(left).toBeLessThan(2)
    await page.getByRole('button', { name: /^Stop/ }).first().click()
    goOn()
    await ended(page)
    await page.context().close()
  })

  it('P-8811 neither an answer to a request nor an opened row moves the view', async () => {
    const page = await workbench.page()
    await begin(page, 'ask')
    const left = page.getByRole('radio', { name: 'Left' })
    await left.waitFor()
    await page.waitForTimeout(600)
    const before = await place(page)
    await left.check({ force: true })
    await page.getByRole('button', { name: /^Choose/ }).click()
    await page.getByText('Answer to ask').waitFor()
    await ended(page)
    await page.waitForTimeout(200)
    expect(await topOf(page, before.text)).toBe(before.top)
    // A row is opened in the middle of a plate of calls: the row above it stays where it is.
    await send(page, 'some calls')
    await page.getByText('Answer to some calls').waitFor()
    const topOfRow = (title: string) =>
      page.getByText(title, { exact: true }).evaluate(element => Math.round(element.getBoundingClientRect().top))
    await page.waitForTimeout(300)
    const above = await topOfRow('Search 10')
    await page.getByText('Search 11', { exact: true }).click()
    await page.getByText('result 11').first().waitFor()
    await page.waitForTimeout(200)
    expect(await topOfRow('Search 10')).toBe(above)
    expect(await topOfRow('Search 12')).toBeGreaterThan(above + 76)
    await page.context().close()
  })
})

describe('a request', () => {
  it('P-8814 is shown from its top when it is higher than the view', async () => {
    const page = await workbench.page({ width: 640, height: 430 })
    await begin(page, 'high ask')
    await page.getByRole('radio', { name: 'Left' }).waitFor()
    const card = page.locator('[data-request]')
    expect((await card.boundingBox())!.height).toBeGreaterThan((await list(page).boundingBox())!.height)
    const top = async () => (await card.boundingBox())!.y - (await list(page).boundingBox())!.y
    await soon(top).toBeGreaterThanOrEqual(0)
    await soon(top).toBeLessThan(120)
    // The list was left and comes back to its end: the request is still there from its top.
    await list(page).hover()
    await scroll(page, -400)
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await soon(top).toBeGreaterThanOrEqual(0)
    await page.getByRole('button', { name: /^Stop/ }).first().click()
    await ended(page)
    await page.context().close()
  })
})

describe('the page', () => {
  it('P-8812 never scrolls as a whole, and a session beyond the first 50 has its title, agent and commands', async () => {
    const page = await workbench.page()
    const old = await begin(page, 'an old one')
    await ended(page)
    await page.evaluate(async () => {
      for (let n = 0; n < 60; n++) {
        await fetch('/api/sessions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sessionId: `n${n}`, title: `Number ${n}` }),
        })
      }
    })
    await page.goto(new URL(`/s/${old}`, page.url()).href)
    await page.getByRole('heading', { name: 'an old one', level: 1 }).waitFor()
    expect(sessionOf(page)).toBe(old)
    await page.getByRole('main').getByText('Worker').first().waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('option', { name: 'Rename' }).waitFor()
    await page.keyboard.press('Escape')
    const stray = await page.evaluate(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
      return [scrollHeight - clientHeight, scrollWidth - clientWidth]
    })
    expect(stray).toEqual([0, 0])
    await page.context().close()
  })

  it('P-8813 the session list stays where it is when a run begins and ends', async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'first')
    await ended(page)
    const row = page.locator(`nav a[href="/s/${sessionId}"]`)
    const top = async () => Math.round((await row.boundingBox())!.y)
    await row.waitFor()
    await page.waitForTimeout(300)
    const before = await top()
    await send(page, 'stream')
    await page.getByText('Line 0 of the stream.').waitFor()
    await soon(() => page.locator('nav .v-filter').count()).toBeGreaterThan(0)
    expect(await top()).toBe(before)
    await page.getByRole('button', { name: /^Stop/ }).first().click()
    goOn()
    await ended(page, 2)
    await page.waitForTimeout(300)
    expect(await top()).toBe(before)
    expect(await composer(page).inputValue()).toBe('')
    await page.context().close()
  })
})
