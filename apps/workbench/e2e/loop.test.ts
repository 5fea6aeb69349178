import type { ActionRequest, SessionEvent } from '@vitrine/protocol'
import { type Agent, createGuide, createScout } from '@vitrine/server'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, logOf, openWorkbench, saidIn, send, type Workbench } from './harness.ts'

const LATENCY = 1_500

const requests: Record<string, ActionRequest> = {
  approval: {
    kind: 'approval',
    title: 'Edit 2 files in the shop?',
    detail: 'On a branch of its own. You can undo it.',
    risk: 'medium',
    scope: { key: 'edit', label: 'editing files of the shop' },
    args: { files: ['place.ts', 'stock.ts'] },
  },
  danger: { kind: 'approval', title: 'Delete the shop?', detail: 'This cannot be undone.', risk: 'high' },
  choice: {
    kind: 'choice',
    title: 'Where would you go?',
    options: [
      { value: 'sea', label: 'The sea' },
      { value: 'mountains', label: 'The mountains' },
    ],
  },
  question: { kind: 'question', title: 'Who should be told?' },
  plan: {
    kind: 'plan',
    title: 'Start with these 3 steps?',
    plan: [
      { id: 'branch', title: 'Create a branch' },
      { id: 'test', title: 'Run the load test', detail: 'About 40 s' },
      { id: 'queue', title: 'Rewrite the queue' },
    ],
  },
  tall: {
    kind: 'approval',
    title: 'Send all of this?',
    risk: 'low',
    args: { lines: Array.from({ length: 60 }, (_, at) => `line ${at}`) },
  },
}

/** Lets a request come that its text says to come "later". */
const later = Promise.withResolvers<void>()

/** Asks what its text names and says what it was given. "talk" before it says a lot first. */
const desk: Agent = {
  agentId: 'desk',
  name: 'Desk',
  description: 'Asks',
  scripted: true,
  async *run({ text }, { ask }) {
    const [kind = '', ...rest] = text.split(' ').filter(word => word !== 'talk')
    const request = requests[kind]
    if (text.startsWith('talk')) {
      const delta = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of what there is to say.`).join('\n\n')
      yield { type: 'text.delta', partId: 'before', delta }
    }
    if (!request) return yield { type: 'text.delta', partId: 'said', delta: `You said ${text}.` }
    if (rest[0] === 'later') await later.promise
    const { by: _, ...given } = await ask(request)
    yield { type: 'text.delta', partId: 'said', delta: `Given ${JSON.stringify(given)}` }
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [desk, createGuide({ pace: 0.1 }), createScout({ pace: 0 })] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const unsent = (page: Page) => page.getByRole('article', { name: 'On its way' })
const mine = (page: Page) => page.getByRole('article', { name: 'Your message' })
/** Where the bubble of a text begins and how wide it is, whether it is a fact or not. */
const bubble = async (page: Page, text: string) => {
  const { x, width } = (await page.locator('.v-user-text', { hasText: text }).boundingBox())!
  return { x: Math.round(x), width: Math.round(width) }
}
const resolved = (events: readonly SessionEvent[]) => events.flatMap(e => (e.type === 'action.resolved' ? [e] : []))
const given = (events: readonly SessionEvent[]) => JSON.parse(saidIn(events).match(/Given (.*)$/s)![1]!)
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    return element.hasAttribute('data-composer') ? 'composer' : (element.textContent ?? '').trim()
  })

/** Every request to the server takes this much longer. The stream itself is not touched. */
async function slow(page: Page, path: RegExp | string = '**/api/**', ms = LATENCY): Promise<void> {
  await page.route(path, async (route: Route) => {
    await new Promise(resolve => setTimeout(resolve, ms))
    await route.continue().catch(() => {})
  })
}

/** A card that has just appeared ignores presses for a moment. */
const look = (page: Page) => page.waitForTimeout(600)

describe('a request that waits', () => {
  it('P-8620 typing while an approval arrives neither answers it nor loses a key', async () => {
    const page = await workbench.page()
    await begin(page, 'approval later')
    await composer(page).focus()
    await page.keyboard.type('yes')
    later.resolve()
    await page.keyboard.type(' do it', { delay: 120 })
    await card(page, 'Edit 2 files in the shop?').waitFor()
    await look(page)
    expect(await focused(page)).toBe('composer')
    expect(await composer(page).inputValue()).toBe('yes do it')
    // It was begun before the request came, so Enter does with it what it did before.
    await page.getByText('Sends when this run ends').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Queue' }).getByText('yes do it').waitFor()
    expect(resolved(await logOf(page))).toEqual([])

    // One key leads to it, where the safe choice has the focus, and only there letters decide.
    await page.keyboard.press('y')
    expect(resolved(await logOf(page))).toEqual([])
    await composer(page).fill('')
    await page.keyboard.press('F8')
    await expect.poll(() => focused(page)).toBe('Don’t allow')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('y')
    await expect.poll(async () => resolved(await logOf(page)).map(({ outcome }) => outcome)).toEqual(['approved'])
    await page.getByText('You allowed').waitFor()
    await expect.poll(() => focused(page)).toBe('composer')
    await ended(page, 2)
    await page.context().close()
  })

  it('P-8620 a request is said aloud with the key that leads to it, and Tab leads to it too', async () => {
    const page = await workbench.page()
    await begin(page, 'approval')
    await page
      .getByRole('status')
      .getByText(/Needs you: Edit 2 files in the shop\? F8 goes to it/)
      .waitFor()
    expect(await focused(page)).toBe('composer')
    const names: string[] = []
    for (let n = 0; n < 40 && names.at(-1) !== 'Don’t allow'; n++) {
      await page.keyboard.press('Shift+Tab')
      names.push(await focused(page))
    }
    expect(names.at(-1)).toBe('Don’t allow')
    await look(page)
    await page.keyboard.press('n')
    await page.getByText('You did not allow').waitFor()
    await ended(page)
    await page.context().close()
  })

  it('P-8623 P-8602 words to an approval refuse it with instructions, and the composer says so before', async () => {
    const page = await workbench.page()
    await begin(page, 'approval')
    await card(page, 'Edit 2 files in the shop?').waitFor()
    await slow(page)
    expect(await composer(page).getAttribute('placeholder')).toBe('Refuse and say what instead')
    await page.getByText('Refuses it, with your words').waitFor()
    await page.keyboard.type('only place.ts, please')
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('')
    const events = await ended(page)
    expect(given(events)).toEqual({ outcome: 'denied', value: null, text: 'only place.ts, please' })
    await page.getByText('You did not allow').waitFor()
    await page.getByText('Edit 2 files in the shop: only place.ts, please').waitFor()
    await expect.poll(() => unsent(page).count()).toBe(0)
    await page.context().close()
  })

  it('P-9260 P-9261 that words refuse is readable in a narrow window, where a request leaves the composer one row', async () => {
    const page = await workbench.page({ width: 1360, height: 860 })
    const sessionId = await begin(page, 'approval')
    await card(page, 'Edit 2 files in the shop?').waitFor()
    await page.keyboard.press('Control+.')
    const box = page.locator('.v-composer-box')
    const idle = (await box.boundingBox())!.height
    expect(idle).toBeGreaterThan(60)
    for (const [width, height] of [
      [1360, 860],
      [680, 430],
      [390, 844],
      [1360, 360],
    ] as const) {
      await page.setViewportSize({ width, height })
      await composer(page).focus()
      await page.keyboard.type('only one')
      const hint = page.getByText('Refuses it, with your words')
      await hint.waitFor()
      const [whole, seen] = await hint.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
      expect([width, seen! > 100 && whole! <= seen!]).toEqual([width, true])
      await composer(page).fill('')
      if (width === 390) expect((await box.boundingBox())!.height).toBeLessThan(60)
    }
    // Elsewhere it is listed by what it asks.
    await page.setViewportSize({ width: 1360, height: 860 })
    await page.goto(workbench.url)
    const asks = page.getByRole('region', { name: 'Waiting for you' }).getByRole('button', { name: /^Edit 2 files/ })
    await asks.first().waitFor()
    for (const width of [1360, 680, 390]) {
      await page.setViewportSize({ width, height: 860 })
      const over = await page.locator('.v-new-session').evaluate(home => {
        const edge = home.getBoundingClientRect().right
        return [...home.querySelectorAll('.v-home-list *')].filter(one => one.getBoundingClientRect().right > edge)
          .length
      })
      expect([width, over]).toEqual([width, 0])
    }
    await page.setViewportSize({ width: 1360, height: 860 })
    const list = page.getByRole('navigation', { name: 'Sessions' })
    expect(await list.locator('.v-session-title').first().textContent()).toBe('Edit 2 files in the shop?')
    await asks.first().click()
    await page.waitForURL(`**/s/${sessionId}`)
    await page.context().close()
  })

  it('P-8623 P-8606 words to a choice, a question and a plan are the answer, and another way can be chosen', async () => {
    const page = await workbench.page()
    await begin(page, 'choice')
    await card(page, 'Where would you go?').waitFor()
    // Another way than the answer is chosen with the keyboard, and shown before the key is pressed.
    await page.getByRole('radio', { name: 'Answer' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('Sends when this run ends').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Answers “Where would you go?”').waitFor()
    await send(page, 'a lake')
    expect(given(await ended(page))).toEqual({ outcome: 'answered', value: null, text: 'a lake' })
    await page.getByText('You answered').waitFor()

    await send(page, 'question')
    await card(page, 'Who should be told?').waitFor()
    await send(page, 'Jonas')
    const asked = await ended(page, 2)
    expect(saidIn(asked)).toContain('"value":"Jonas"')

    await send(page, 'plan')
    await card(page, 'Start with these 3 steps?').waitFor()
    await page.getByText('Asks for another plan').waitFor()
    await send(page, 'leave the queue alone')
    expect(resolved(await ended(page, 3)).at(-1)).toMatchObject({ outcome: 'answered', text: 'leave the queue alone' })
    await page.context().close()
  })

  it('P-8604 high risk is not decided by a letter, and needs the word; Ctrl and Enter submit then', async () => {
    const page = await workbench.page()
    await begin(page, 'danger')
    await card(page, 'Delete the shop?').waitFor()
    await look(page)
    await page.keyboard.press('F8')
    await expect.poll(() => focused(page)).toBe('Don’t allow')
    for (const key of ['y', 'n', 'Control+Enter']) await page.keyboard.press(key)
    const word = page.getByLabel('Type “allow” to go on')
    await word.fill('yes')
    await word.press('Control+Enter')
    expect(resolved(await logOf(page))).toEqual([])
    await word.fill('Allow')
    await word.press('Control+Enter')
    expect(given(await ended(page)).outcome).toBe('approved')
    await page.context().close()
  })

  it('P-8606 numbers choose, Ctrl and Enter submit, and the line says what was chosen and opens', async () => {
    const page = await workbench.page()
    await begin(page, 'choice')
    await card(page, 'Where would you go?').waitFor()
    await look(page)
    // The focus is there with the key press, so that the next key reaches it.
    await page.keyboard.press('F8')
    await page.keyboard.press('2')
    await card(page, 'Where would you go?').getByRole('button', { name: 'Choose The mountains' }).waitFor()
    await page.keyboard.press('Control+Enter')
    expect(given(await ended(page))).toEqual({ outcome: 'answered', value: 'mountains' })
    const line = page.locator('details', { hasText: 'You chose' })
    await line.getByText('The mountains').waitFor()
    expect((await line.locator('summary').boundingBox())!.height).toBeLessThanOrEqual(32)
    await line.locator('summary').press('Enter')
    await line.getByText('The sea').waitFor()
    await page.reload()
    await page.locator('details', { hasText: 'You chose' }).getByText('The mountains').waitFor()
    await page.context().close()
  })

  it('P-8608 a plan is changed with the keyboard, the agent gets the changes, and its steps stay readable', async () => {
    const page = await workbench.page()
    await begin(page, 'plan')
    const plan = card(page, 'Start with these 3 steps?')
    await plan.getByRole('checkbox', { name: 'Rewrite the queue' }).focus()
    await page.keyboard.press('Space')
    await plan.getByRole('checkbox', { name: 'Run the load test' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.type(' twice')
    await page.keyboard.press('Enter')
    await plan.getByText('Edited').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/twice/)
    await page.keyboard.press('Alt+ArrowUp')
    await plan.getByRole('button', { name: 'Add a step' }).click()
    await page.keyboard.type('Tell Jonas')
    await page.keyboard.press('Enter')
    await plan.getByText('4 changes by you').waitFor()
    // What was changed is still there after a reload.
    await page.reload()
    await plan.getByText('4 changes by you').waitFor()
    expect(await violations(page)).toEqual([])
    await look(page)
    await plan.getByRole('button', { name: 'Start with changes' }).focus()
    await page.keyboard.press('Control+Enter')
    const { outcome, value } = given(await ended(page))
    expect(outcome).toBe('approved')
    expect(value.steps.map(({ title }: { title: string }) => title)).toEqual([
      'Run the load test twice',
      'Create a branch',
      'Tell Jonas',
    ])
    const line = page.locator('details', { hasText: 'You approved the plan' })
    await line.getByText('with 4 changes').waitFor()
    await line.locator('summary').click()
    for (const step of ['Run the load test twice', 'Tell Jonas', 'Rewrite the queue'])
      await line.getByText(step).waitFor()
    await page.context().close()
  })

  it('P-8622 out of view it docks above the composer, and the line, its buttons and the capsule lead to it', async () => {
    const page = await workbench.page()
    await begin(page, 'talk approval')
    const request = card(page, 'Edit 2 files in the shop?')
    const docked = card(page, 'Needs you')
    await request.waitFor()
    await page.waitForTimeout(400)
    expect(await docked.count()).toBe(0)
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.hover()
    await page.mouse.wheel(0, -20_000)
    await docked.getByText('Edit 2 files in the shop?').waitFor()
    expect(await violations(page)).toEqual([])
    await docked.getByRole('button', { name: 'Edit 2 files in the shop?' }).click()
    await expect.poll(() => focused(page)).toBe('Don’t allow')
    await docked.waitFor({ state: 'detached' })
    await conversation.hover()
    await page.mouse.wheel(0, -20_000)
    await page.getByRole('button', { name: '1 needs you' }).click()
    await expect.poll(() => focused(page)).toBe('Don’t allow')
    await conversation.hover()
    await page.mouse.wheel(0, -20_000)
    await docked.waitFor()
    await look(page)
    const before = await conversation.evaluate(element => element.scrollTop)
    await docked.getByRole('button', { name: 'Allow once' }).click()
    await docked.waitFor({ state: 'detached' })
    expect(given(await ended(page)).outcome).toBe('approved')
    expect(await conversation.evaluate(element => element.scrollTop)).toBe(before)
    await page.context().close()
  })

  it.each([
    { width: 680, height: 430 },
    { width: 1360, height: 480 },
  ])('P-8622 at $width × $height what answers a request is always in view', async size => {
    const page = await workbench.page(size)
    await begin(page, 'talk approval')
    const request = card(page, 'Edit 2 files in the shop?')
    await request.waitFor()
    await look(page)
    const allow = page.getByRole('button', { name: 'Allow once' })
    const view = (await page.getByRole('region', { name: 'Conversation' }).boundingBox())!
    const seen = async () => {
      for (const button of await allow.all()) {
        const { y, height } = (await button.boundingBox())!
        const docked = (await button.locator('xpath=ancestor::*[contains(@class, "v-docked")]').count()) > 0
        if (docked ? y + height <= size.height : y >= view.y && y + height <= view.y + view.height + 1) return true
      }
      return false
    }
    expect(await seen()).toBe(true)
    // The composer is one line while nothing is in it.
    expect((await page.locator('.v-composer-box').boundingBox())!.height).toBeLessThan(60)
    await allow.last().click()
    expect(given(await ended(page)).outcome).toBe('approved')
    await page.context().close()
  })

  it('P-8622 a request that is higher than the view is shown from its top, and all its buttons can be reached', async () => {
    // Half of the usual size is what a page has at 200 % zoom.
    const page = await workbench.page({ width: 640, height: 430 })
    await begin(page, 'talk tall')
    const request = card(page, 'Send all of this?')
    await request.waitFor()
    const heading = request.getByRole('heading', { name: 'Send all of this?' })
    const top = (await page.getByRole('region', { name: 'Conversation' }).boundingBox())!
    await expect
      .poll(async () => {
        const box = await heading.boundingBox()
        return box !== null && box.y >= top.y && box.y < top.y + top.height
      })
      .toBe(true)
    for (const name of ['Don’t allow', 'Allow once', 'Edit first']) {
      const button = request.getByRole('button', { name })
      await button.focus()
      const box = (await button.boundingBox())!
      expect(box.y).toBeGreaterThanOrEqual(top.y - 1)
      expect(box.y + box.height).toBeLessThanOrEqual(top.y + top.height + 1)
    }
    await look(page)
    await page.keyboard.press('n')
    await ended(page)
    await page.context().close()
  })
})

/** Notes whether there is a moment in which the page could take a key and has no composer. */
const watchComposer = (page: Page) =>
  page.evaluate(() => {
    const seen = { gone: false }
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      if (!document.querySelector('[data-composer]')) seen.gone = true
    }).observe(document, { subtree: true, childList: true })
  })
const composerWasGone = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seen: { gone: boolean } }).seen.gone)

describe('what is sent', () => {
  it('P-8621 with latency it stands in the conversation at the key press, and comes back when it is refused', async () => {
    const page = await workbench.page()
    await begin(page, 'first')
    await ended(page)
    await slow(page)
    await composer(page).focus()
    await page.keyboard.type('second')
    await page.keyboard.press('Enter')
    await page.keyboard.type('and on')
    await unsent(page)
      .getByText('second')
      .waitFor({ timeout: LATENCY - 200 })
    const before = await bubble(page, 'second')
    expect(await composer(page).inputValue()).toBe('and on')
    await mine(page).getByText('second').waitFor()
    expect(await bubble(page, 'second')).toEqual(before)
    await ended(page, 2)
    expect(await composer(page).inputValue()).toBe('and on')
    await composer(page).fill('')

    await page.unroute('**/api/**')
    await page.route(/\/turns$/, async route => {
      await new Promise(resolve => setTimeout(resolve, LATENCY))
      const body = { code: 'queue_full', title: 'Full', status: 409, detail: 'No more turns may wait.' }
      await route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(body) })
    })
    await page.keyboard.type('third')
    await page.keyboard.press('Enter')
    await unsent(page)
      .getByText('third')
      .waitFor({ timeout: LATENCY - 200 })
    await page.keyboard.type('written meanwhile')
    await page.getByText('Not sent. Your text is kept.').waitFor()
    expect(await composer(page).inputValue()).toBe('third\n\nwritten meanwhile')
    expect(await unsent(page).count()).toBe(0)
    await page.context().close()
  })

  it('P-8621 a reload in between loses nothing and doubles nothing', async () => {
    const page = await workbench.page()
    await begin(page, 'first')
    await ended(page)
    // The server gets the text, and the page is gone before it hears of it.
    await page.route(/\/turns$/, async route => {
      await route.fetch().catch(() => {})
      await new Promise(resolve => setTimeout(resolve, 5_000))
      await route.abort().catch(() => {})
    })
    await send(page, 'only once')
    await unsent(page).or(mine(page)).getByText('only once').first().waitFor()
    await ended(page, 2)
    await page.unroute(/\/turns$/)
    await composer(page).pressSequentially('a draft')
    await page.reload()
    await mine(page).getByText('only once').waitFor()
    await expect.poll(() => unsent(page).count()).toBe(0)
    expect(await composer(page).inputValue()).toBe('a draft')
    const turns = (await logOf(page)).flatMap(event => (event.type === 'run.started' ? [event.input.text] : []))
    expect(turns).toEqual(['first', 'only once'])

    // The text did not reach the server before the page was gone.
    await page.route(/\/turns$/, () => {})
    await composer(page).fill('lost on the way')
    await composer(page).press('Enter')
    await unsent(page).getByText('lost on the way').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await mine(page).getByText('lost on the way').waitFor()
    const after = (await ended(page, 3)).flatMap(event => (event.type === 'run.started' ? [event.input.text] : []))
    expect(after).toEqual(['first', 'only once', 'lost on the way'])
    await page.context().close()
  })

  it('P-8621 P-8930 the first text of a session is instant too: no key is lost, and a reload goes on with it', async () => {
    const page = await workbench.page()
    await slow(page)
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
    await composer(page).focus()
    await watchComposer(page)
    await page.keyboard.type('begin here')
    await page.keyboard.press('Enter')
    await page.keyboard.type('and then this, without a pause', { delay: 40 })
    await page.waitForURL(/\/s\//)
    await mine(page).getByText('begin here').waitFor()
    expect(await composer(page).inputValue()).toBe('and then this, without a pause')
    expect(await composerWasGone(page)).toBe(false)
    await ended(page)

    // The page is loaded again before the server has heard of the session.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(new URL('/', page.url()).href)
    let holds = true
    await page.route(/\/api\/sessions$/, route =>
      route.request().method() === 'POST' && holds ? undefined : route.continue(),
    )
    await send(page, 'begin again')
    await unsent(page).getByText('begin again').waitFor()
    const before = await bubble(page, 'begin again')
    holds = false
    await page.reload()
    await page.waitForURL(/\/s\//)
    await mine(page).getByText('begin again').waitFor()
    expect(await bubble(page, 'begin again')).toEqual(before)
    expect((await ended(page)).filter(({ type }) => type === 'run.started')).toHaveLength(1)

    // A session that cannot be made gives the text back, with the reason.
    await page.goto(new URL('/', page.url()).href)
    await page.route(/\/api\/sessions$/, async route => {
      if (route.request().method() !== 'POST') return route.continue()
      await new Promise(resolve => setTimeout(resolve, LATENCY))
      const body = { code: 'agent_unavailable', title: 'Gone', status: 409, detail: 'Not connected.' }
      await route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(body) })
    })
    await send(page, 'begin once more')
    await unsent(page)
      .getByText('begin once more')
      .waitFor({ timeout: LATENCY - 200 })
    await page.getByText('Not sent. Your text is kept.').waitFor()
    expect(await composer(page).inputValue()).toBe('begin once more')
    await page.context().close()
  })

  it('P-8610 Up in an empty composer recalls what was written, Down goes forward', async () => {
    const page = await workbench.page()
    await begin(page, 'one')
    await ended(page)
    await send(page, 'two')
    await ended(page, 2)
    await mine(page).getByText('two').waitFor()
    const values: string[] = []
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown']) {
      await composer(page).press(key)
      values.push(await composer(page).inputValue())
    }
    expect(values).toEqual(['two', 'one', 'one', 'two', ''])
    await page.context().close()
  })
})
