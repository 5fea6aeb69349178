import type { Agent } from '@vitrine/server'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { answers, begin, composer, ended, openWorkbench, sessionOf, type Workbench } from './harness.ts'

/** Answers at once, asks when it is told to, and says what the answer cost. */
const clerk = (agentId: string, name: string): Agent => ({
  agentId,
  name,
  description: `${name} answers`,
  scripted: agentId === 'guide',
  async *run({ text }, context) {
    if (text === 'ask') await context.ask({ kind: 'question', title: 'Which of the two?' })
    yield { type: 'text.delta', partId: 'said', delta: `Said by ${name}.` }
    yield {
      type: 'metric.changed',
      scope: 'message',
      values: { usage: { inputTokens: 41_000, outputTokens: 300 }, cost: { amount: 0.25, currency: 'EUR' } },
    }
  },
})

/** Who has this command understands the requests of the guide. */
const TOUR = { name: 'tour', description: 'Shows everything' }

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({
    agents: [{ ...clerk('guide', 'Guide'), commands: [TOUR] }, clerk('forge', 'Forge')],
  })
})
afterAll(() => workbench?.close())
afterEach(async () => {
  for (const context of workbench.browser.contexts()) await context.close()
  expect(workbench.errors()).toEqual([])
})

const side = (page: Page) => page.getByRole('complementary', { name: 'Sessions' })
const widthOf = async (page: Page) => Math.round((await side(page).boundingBox())!.width)

describe('the frame', () => {
  it('P-9480 a page in another language shows none of its words in English first, unless that language cannot be fetched', async () => {
    const chinese = async (answer: (route: Route) => unknown) => {
      const context = await workbench.browser.newContext({ locale: 'zh-CN' })
      const asked = new Promise<Route>(resolve => context.route('**/zh-cn-*.js', resolve))
      const page = await workbench.page({ context })
      const route = await asked
      expect(await page.locator('#root').textContent()).toBe('')
      await answer(route)
      return page
    }
    const fetched = await chinese(route => route.continue())
    await fetched.getByRole('heading', { name: '我们做点什么？' }).waitFor()
    const lost = await chinese(route => route.abort())
    await lost.getByRole('heading', { name: 'What should we work on?' }).waitFor()
  })

  it('P-8203 the gaps are handles: dragged, moved by keys, reset by a double click, and remembered', async () => {
    const page = await workbench.page()
    const handle = page.getByRole('separator', { name: 'Width of the session list' })
    const usual = await widthOf(page)
    const box = (await handle.boundingBox())!
    expect(Math.round(box.width)).toBe(8)
    await page.mouse.move(box.x + 4, 300)
    await page.mouse.down()
    await page.mouse.move(box.x + 54, 300, { steps: 4 })
    await page.mouse.up()
    expect(await widthOf(page)).toBe(usual + 50)
    await handle.focus()
    await page.keyboard.press('ArrowRight')
    expect(await widthOf(page)).toBe(usual + 66)
    await page.reload()
    await handle.waitFor()
    expect(await widthOf(page)).toBe(usual + 66)
    await handle.dblclick()
    expect(await widthOf(page)).toBe(usual)
  })

  it('P-8204 the side bar and the dock go and come by button and by key, and F6 walks the parts of the page', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await page.getByRole('button', { name: 'Hide the side bar' }).click()
    await side(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Show the side bar' }).waitFor()
    expect(await side(page).count()).toBe(0)
    await page.keyboard.press('Control+\\')
    await side(page).waitFor()
    const dock = page.getByRole('complementary', { name: 'Side panel' })
    await page.keyboard.press('Control+.')
    await dock.waitFor()

    await page.getByRole('link', { name: 'Skip to the conversation' }).focus()
    const within = (selector: string) =>
      page.evaluate(place => document.activeElement?.closest(place) !== null, selector)
    for (const place of ['.w-side', '.w-head', '.v-scroller', '[data-composer]', '.w-dock-case']) {
      await page.keyboard.press('F6')
      expect(await within(place), place).toBe(true)
    }
    await page.keyboard.press('Shift+F6')
    expect(await within('[data-composer]')).toBe(true)
    await page.keyboard.press('Control+Shift+O')
    await page.waitForURL(url => url.pathname === '/')
  })

  it('P-8205 sessions are tabs on the wall from the second one on, with their state, and are closed there', async () => {
    const page = await workbench.page()
    const first = await begin(page, 'first words')
    await ended(page)
    const second = await begin(page, 'ask')
    await page.getByText('Which of the two?').first().waitFor()
    const strip = page.getByRole('navigation', { name: 'Open sessions' })
    expect(await strip.count()).toBe(0)
    // Going to another session takes the place of the one that was open.
    await page.locator(`a[href="/s/${first}"]`).click()
    await answers(page).waitFor()
    expect(await strip.count()).toBe(0)
    // What waits for the person stands first and in its usual place: each of the two has a menu.
    const menus = page.getByRole('button', { name: 'More for “Ask”' })
    expect(await menus.count()).toBe(2)
    await menus.first().focus()
    await page.keyboard.press('Enter')
    await page.locator('.v-menu:popover-open').getByRole('button', { name: 'Open in a tab' }).click()
    await strip.waitFor()
    const tabs = strip.getByRole('listitem')
    expect(await tabs.count()).toBe(2)
    expect(await strip.getByRole('link').last().getAttribute('aria-current')).toBe('page')
    await tabs.last().getByRole('img', { name: 'Needs your input' }).waitFor()
    // It is open, and one of its two rows is the current one.
    await expect.poll(() => side(page).locator(`a[href="/s/${second}"]`).count()).toBe(2)
    expect(await side(page).locator('[aria-current=page]').count()).toBe(1)
    expect(await side(page).locator('[data-open]').count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await page.reload()
    expect(sessionOf(page)).toBe(second)
    await strip.getByRole('link').first().click()
    await expect.poll(() => sessionOf(page)).toBe(first)
    await strip
      .getByRole('button', { name: /^Close/ })
      .first()
      .click()
    await expect.poll(() => sessionOf(page)).toBe(second)
    await strip.waitFor({ state: 'detached' })
  })

  it('P-8207 the first screen has the agents as radio buttons, what to ask, and what waits for the person', async () => {
    const page = await workbench.page()
    expect(await composer(page).evaluate(element => element === document.activeElement)).toBe(true)
    const suggestions = page.getByRole('list', { name: 'Suggestions' })
    await suggestions.waitFor()
    const guide = page.getByRole('radio', { name: 'Guide' })
    await guide.focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: 'Forge' }).isChecked()).toBe(true)
    // Only the agent that is known to understand them has suggestions.
    await suggestions.waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
    await begin(page, 'ask')
    const waiting = sessionOf(page)
    await page.getByText('Which of the two?').first().waitFor()
    await page.getByRole('button', { name: 'New session' }).click()
    const list = page.getByRole('region', { name: 'Waiting for you' })
    await list
      .getByRole('button', { name: /Which of the two/ })
      .first()
      .click()
    await page.waitForURL(/\/s\//)
    expect([waiting, sessionOf(page)].every(Boolean)).toBe(true)
  })

  it('P-8208 the head says what the session used so far, also when it is not in the loaded part of the list', async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'Show the weather in Lisbon')
    await ended(page)
    const head = page.getByRole('banner').or(page.locator('.w-head')).first()
    await head.getByText('41.3K tokens').waitFor()
    await head.getByText('€0.25').waitFor()
    await composer(page).fill('again')
    await composer(page).press('Enter')
    await ended(page, 2)
    await head.getByText('82.6K tokens').waitFor()
    await page.evaluate(async () => {
      for (let n = 0; n < 60; n++) {
        await fetch('/api/sessions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sessionId: `later${n}`, title: `Later ${n}` }),
        })
      }
    })
    await page.goto(new URL(`/s/${sessionId}`, page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'Show the weather in Lisbon' }).waitFor()
    await page.getByRole('button', { name: 'More for this session' }).waitFor()
  })
})

describe('signing in', () => {
  const token = () => new URL(workbench.url).searchParams.get('token')!
  const heading = (page: Page) => page.getByRole('heading', { name: 'Sign in to Vitrine' })

  it('P-8206 who has no cookie is told where the token is; a refused one stays, with the reason and the focus', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await page.context().clearCookies()
    await page.reload()
    await heading(page).waitFor()
    await page.getByText('It is in the address that was printed when the server started.').waitFor()
    expect(await violations(page)).toEqual([])
    const field = page.getByRole('textbox', { name: 'Access token' })
    expect(await field.evaluate(element => element === document.activeElement)).toBe(true)
    await field.fill('wrong')
    await field.press('Enter')
    await page.getByText('The server does not know this token.').waitFor()
    expect(await field.inputValue()).toBe('wrong')
    expect(await field.evaluate(element => element === document.activeElement)).toBe(true)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await violations(page)).toEqual([])
    // The whole printed address does as well. What was open is there again.
    await field.fill(`${new URL(workbench.url).origin}/?token=${token()}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Said by Guide.').waitFor()
    expect(page.url()).not.toContain('token')
  })

  it('P-8206 an old link says that it is old, and takes its token out of the address', async () => {
    const context = await workbench.browser.newContext()
    const page = await context.newPage()
    const answer = await page.goto(new URL('/?token=old', workbench.url).href)
    expect(answer!.status()).toBe(401)
    await page.getByText('The link you opened is not valid any more.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('textbox', { name: 'Access token' }).fill(token())
    await page.keyboard.press('Enter')
    await composer(page).waitFor()
  })
})

describe('small windows and other directions', () => {
  const overflow = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  it.each([
    ['a phone', 390, 844, 'ltr'],
    ['a page at 400 %', 320, 256, 'ltr'],
    ['a phone from right to left', 390, 844, 'rtl'],
    ['a wide window from right to left', 1280, 860, 'rtl'],
  ])('P-8209 on %s nothing is cut off sideways, and axe finds nothing', async (_, width, height, dir) => {
    const page = await workbench.page({ width, height })
    if (dir === 'rtl') await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await begin(page, 'hello, these are some words and averyverylongwordwithoutaspacethatgoesonandonandonandonandon')
    if (dir === 'rtl') await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await ended(page)
    await answers(page).waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    if (dir === 'rtl' && width > 720) {
      // The side bar is at the start of the line, which is the right edge now.
      expect((await side(page).boundingBox())!.x).toBeGreaterThan(width / 2)
    }
    if (width < 720) {
      await page.getByRole('button', { name: 'Sessions' }).click()
      const sheet = page.getByRole('dialog', { name: 'Sessions' })
      await sheet.getByRole('button', { name: 'New session' }).waitFor()
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
    }
  })

  it('P-8209 with a coarse pointer everything that is pressed is 44 pixels high', async () => {
    const context = await workbench.browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    })
    const page = await workbench.page({ context })
    await begin(page, 'hello')
    await ended(page)
    await page.getByRole('button', { name: 'Sessions' }).tap()
    const small = await page.getByRole('dialog', { name: 'Sessions' }).evaluate(sheet =>
      [...sheet.querySelectorAll<HTMLElement>('a, button:not(.v-grab)')]
        .filter(element => element.checkVisibility())
        .map(element => [element.textContent, Math.round(element.getBoundingClientRect().height)] as const)
        .filter(([, height]) => height < 42),
    )
    expect(small).toEqual([])
  })
})
