import type { Agent } from '@vitrine/server'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { answers, begin, composer, ended, logOf, openWorkbench, send, sessionOf, type Workbench } from './harness.ts'

/** Lets a test decide when the work of the clerk ends. */
const gates = new Map<string, () => void>()

/** Says what it was asked and what the turn refers to, makes a document, asks, waits and fails when it is told to. */
const clerk: Agent = {
  agentId: 'clerk',
  name: 'Clerk',
  description: 'Answers at once',
  scripted: true,
  commands: [
    { name: 'tour', description: 'Shows the house', argument: 'room' },
    { name: 'tax', description: 'Counts what is due' },
  ],
  async *run({ text, context: about }, context) {
    if (text.startsWith('wait')) await new Promise<void>(resolve => gates.set(text, resolve))
    if (text === 'wait and fail') throw new Error('The clerk fell ill.')
    if (text.endsWith('ask')) await context.ask({ kind: 'question', title: 'Which of the two?' })
    if (text === 'write') {
      const artifactId = 'letter'
      yield {
        type: 'artifact.created',
        partId: 'a',
        artifactId,
        artifact: { kind: 'document', title: 'Letter to Cork' },
      }
    }
    const said = `Said: ${text}. ${about?.map(({ kind, ref, title }) => `${kind} ${ref} ${title}`).join() ?? ''}`
    yield { type: 'text.delta', partId: 'said', delta: said }
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [clerk] })
})
afterAll(() => workbench?.close())
afterEach(async () => {
  for (const context of workbench.browser.contexts()) await context.close()
  expect(workbench.errors()).toEqual([])
})

const focused = (page: Page, selector: string) =>
  page.evaluate(place => document.activeElement?.matches(place) === true, selector)
const options = (page: Page) => page.getByRole('option')

describe('completing in the composer', () => {
  it('P-9301 a slash lists the commands of the agent and of the page; nothing is chosen by itself, so Enter sends', async () => {
    const page = await workbench.page()
    const box = composer(page)
    await box.click()
    await page.keyboard.type('/t')
    const list = page.getByRole('listbox', { name: /^Commands/ })
    await list.getByRole('option', { name: /\/tour/ }).waitFor()
    expect(await box.getAttribute('role')).toBe('combobox')
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    expect(await box.getAttribute('aria-activedescendant')).toBeNull()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    const active = await box.getAttribute('aria-activedescendant')
    expect(await list.locator('[aria-selected="true"]').getAttribute('id')).toBe(active)
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('/tour ')
    await list.waitFor({ state: 'detached' })
    expect(await box.getAttribute('role')).toBeNull()
    // What was completed is taken back by undo, as if it had been typed.
    await page.keyboard.press('Control+z')
    expect(await box.inputValue()).toBe('/t')

    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.type('a')
    expect(await list.count()).toBe(0)
    await box.fill('')
    await page.keyboard.type('/ta')
    await options(page).first().waitFor()
    await page.keyboard.press('Tab')
    expect(await box.inputValue()).toBe('/tax ')
    // Enter with nothing chosen sends what was typed, although the list is open.
    await box.fill('')
    await page.keyboard.type('/tou')
    await options(page).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/s\//)
    await page.getByText('Said: /tou.').waitFor()
  })

  it('P-9301 a command of the page is run and leaves nothing in the text', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await composer(page).click()
    await page.keyboard.type('/shortcut')
    await page.getByRole('option', { name: /Keyboard shortcuts/ }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await composer(page).inputValue()).toBe('')
  })

  it('P-9301 P-9306 an @ refers to sessions and artifacts by name, and the turn carries their ids', async () => {
    const page = await workbench.page()
    const first = await begin(page, 'Warehouse shift plan')
    await ended(page)
    await begin(page, 'write')
    await ended(page)
    await composer(page).click()
    await page.keyboard.type('Compare @ware')
    await page.getByRole('listbox', { name: /^References/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.type('with @lett')
    await page.getByRole('option', { name: /Letter to Cork/ }).click()
    expect(await composer(page).inputValue()).toBe('Compare @Warehouse shift plan with @Letter to Cork ')
    // A reload keeps the draft and what it refers to.
    await page.waitForTimeout(400)
    await page.reload()
    await composer(page).press('Enter')
    const events = await ended(page, 2)
    const turn = events.findLast(event => event.type === 'run.started')!
    expect(turn.input.context).toEqual([
      { kind: 'session', ref: first, title: 'Warehouse shift plan' },
      expect.objectContaining({ kind: 'artifact', title: 'Letter to Cork' }),
    ])
    await page.getByText(`session ${first} Warehouse shift plan`).waitFor()
  })

  it('P-9301 at 390 pixels the list stands above the composer, inside the window, and is taken by touch', async () => {
    const context = await workbench.browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    })
    const page = await workbench.page({ context })
    await begin(page, 'hello')
    await ended(page)
    await composer(page).tap()
    await page.keyboard.type('/')
    const list = page.getByRole('listbox', { name: /^Commands/ })
    const box = (await list.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(390)
    expect(box.y).toBeGreaterThanOrEqual(0)
    expect(box.y + box.height).toBeLessThanOrEqual((await composer(page).boundingBox())!.y)
    await list.getByRole('option', { name: /\/tax/ }).tap()
    expect(await composer(page).inputValue()).toBe('/tax ')
    expect(await focused(page, '[data-composer]')).toBe(true)
  })
})

describe('the palette', () => {
  const find = async (page: Page, words: string) => {
    await page.getByRole('combobox').fill(words)
    return options(page).allTextContents()
  }

  it.each([
    ['en-GB', { settings: 'Settings', preferences: 'Settings', theme: 'Appearance', 'dark mode': 'Appearance: Dark' }],
    [
      'en-GB',
      { shortcut: 'Keyboard shortcuts', search: 'Search sessions', trash: 'Recently deleted', chat: 'New session' },
    ],
    [
      'zh-CN',
      { 设置: '设置', 主题: '外观', 深色: '外观: 深色', 快捷键: '键盘快捷键', 搜索: '搜索会话', theme: '外观' },
    ],
  ])('P-9302 in %s commands are found by the words that people use', async (locale, wanted) => {
    const page = await workbench.page({ locale })
    await composer(page).waitFor()
    await page.waitForFunction(
      language => document.documentElement.lang === language.slice(0, 2) || document.documentElement.lang === language,
      locale,
    )
    await page.keyboard.press('Control+k')
    for (const [words, label] of Object.entries(wanted)) {
      expect((await find(page, words))[0], words).toContain(label)
    }
  })

  it('P-9303 what is used most comes first, Esc clears and then closes, and a session opens in a tab', async () => {
    const page = await workbench.page()
    const first = await begin(page, 'The first one')
    await ended(page)
    await begin(page, 'Another one')
    await ended(page)
    for (let times = 0; times < 2; times++) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('contrast normal')
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Often used' }).getByRole('option', { name: 'Contrast: Normal' }).waitFor()
    expect((await find(page, 'contrast'))[0]).toContain('Normal')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('combobox').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('The first')
    await page.getByRole('option', { name: /The first one/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => sessionOf(page)).toBe(first)
    await page.getByRole('navigation', { name: 'Open sessions' }).waitFor()
  })

  it('P-9302 the last answer is tried again and branched from the palette', async () => {
    const page = await workbench.page()
    const first = await begin(page, 'hello')
    await ended(page)
    await answers(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('regenerate')
    await page.keyboard.press('Enter')
    await ended(page, 2)
    await answers(page).getByText('2 of 2').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('fork')
    await page.getByRole('option', { name: 'Branch from the last answer' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => sessionOf(page)).not.toBe(first)
    await page.getByText('Branch of').waitFor()
  })
})

describe('keys', () => {
  it('P-9304 every key of the list does what the list says, and every key that is bound stands in it', async () => {
    const page = await workbench.page()
    await begin(page, 'other ask')
    await page.getByText('Which of the two?').first().waitFor()
    await begin(page, 'hello')
    await ended(page)
    await answers(page).waitFor()
    const dialog = (name: string) => page.getByRole('dialog', { name }).waitFor()
    const closes = async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const onAnswer = async (key: string) => {
      await page.getByRole('region', { name: 'Conversation' }).focus()
      await page.keyboard.press('k')
      await expect.poll(() => focused(page, 'article')).toBe(true)
      await page.keyboard.press(key)
    }
    const notVisible = () => page.getByRole('complementary', { name: 'Sessions' }).waitFor({ state: 'detached' })
    const opensPalette = async () => {
      await page.keyboard.press('Control+k')
      await dialog('Commands')
      await closes()
    }
    /** How each line of the list is proved. */
    const proofs: Record<string, () => Promise<unknown>> = {
      ['Commands' as string]: opensPalette,
      'All keys': async () => {
        await page.keyboard.press('Control+/')
        await dialog('Keyboard shortcuts')
        await closes()
        await page.evaluate(() => (document.activeElement as HTMLElement).blur())
        await page.keyboard.press('?')
        await dialog('Keyboard shortcuts')
        await closes()
      },
      'Show or hide the side bar': async () => {
        await page.keyboard.press('Control+\\')
        await notVisible()
        await page.keyboard.press('Control+\\')
        await page.getByRole('complementary', { name: 'Sessions' }).waitFor()
      },
      'Show or hide the side panel': async () => {
        await page.keyboard.press('Control+.')
        await page.getByRole('complementary', { name: 'Side panel' }).waitFor()
        await page.keyboard.press('Control+.')
        await page.getByRole('complementary', { name: 'Side panel' }).waitFor({ state: 'detached' })
      },
      'Next part of the page': async () => {
        await page.getByRole('link', { name: 'Skip to the conversation' }).focus()
        await page.keyboard.press('F6')
        expect(await page.evaluate(() => document.activeElement?.closest('.w-side') !== null)).toBe(true)
        await page.keyboard.press('F6')
        await page.keyboard.press('Shift+F6')
        expect(await page.evaluate(() => document.activeElement?.closest('.w-side') !== null)).toBe(true)
      },
      'Next, previous message': async () => {
        await page.getByRole('region', { name: 'Conversation' }).focus()
        await page.keyboard.press('j')
        await expect.poll(() => focused(page, 'article')).toBe(true)
      },
      'Copy a message': async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await onAnswer('c')
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Said: hello')
      },
      'Try an answer again': async () => {
        await onAnswer('r')
        await ended(page, 2)
      },
      'Edit your message': async () => {
        await page.getByRole('region', { name: 'Conversation' }).focus()
        await page.keyboard.press('j')
        await expect.poll(() => focused(page, 'article')).toBe(true)
        await page.keyboard.press('e')
        await page.getByRole('textbox', { name: 'Edit your message' }).waitFor()
        await page.keyboard.press('Escape')
      },
      'Branch from a message': async () => {
        const before = sessionOf(page)
        await onAnswer('b')
        await expect.poll(() => sessionOf(page)).not.toBe(before)
      },
      'Next session that needs you': async () => {
        await page.keyboard.press('Control+;')
        await page.getByText('Which of the two?').first().waitFor()
      },
      'New session': async () => {
        await page.keyboard.press('Control+Shift+O')
        await page.waitForURL(url => url.pathname === '/')
      },
    }
    /** Proved where they belong: completing above; queue, stopping, requests, folders and tools in their own files. */
    const elsewhere = new Set([
      'Move a session to a folder',
      'Search the sessions',
      'Stop or retry a task',
      'Next or previous file',
      'Send',
      'New line',
      'Write a command of the agent',
      'Refer to a session or an artifact',
      'What you wrote before',
      'Edit last queued turn',
      'Stop',
      'Go to what needs you',
      'Choose what tools may do',
      'Allow what is asked',
      'Don’t allow it',
      'Choose an option',
      'Submit the request',
    ])
    await page.keyboard.press('Control+/')
    await dialog('Keyboard shortcuts')
    const lines = await page.getByRole('term').allTextContents()
    const shown = await page.getByRole('dialog').locator('kbd').allTextContents()
    await closes()
    expect(lines.filter(line => !elsewhere.has(line)).sort()).toEqual(Object.keys(proofs).sort())
    // What a button says of its key is one of the listed ones.
    const said = await page
      .locator('[aria-keyshortcuts]')
      .evaluateAll(all => all.map(element => element.getAttribute('aria-keyshortcuts')!))
    const capOf: Record<string, string> = { Enter: '↵', ArrowUp: '↑', Escape: 'Esc' }
    for (const keys of said.flatMap(each => each.split(' '))) {
      const key = keys.split('+').at(-1)!
      expect(shown, keys).toContain(capOf[key] ?? key)
    }
    for (const [line, proof] of Object.entries(proofs)) {
      await proof().catch(error => {
        throw new Error(`${line}: ${error}`)
      })
    }
  })

  it('P-9307 typing anywhere reaches the composer, but not from a control that takes keys', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await answers(page).waitFor()
    const text = () => composer(page).inputValue()
    // A click on a message is no wish for shortcuts.
    await answers(page).getByText('Said: hello').click()
    await page.keyboard.type('crab')
    expect(await text()).toBe('crab')
    await page.getByRole('button', { name: 'Open the side panel' }).click()
    await page.keyboard.type('s')
    expect(await text()).toBe('crabs')
    // Nor is a click on a session of the list, though M moves the one that a key has led to.
    const row = page.getByRole('navigation', { name: 'Sessions' }).locator('a[aria-current="page"]').first()
    await row.click()
    await page.keyboard.type('m')
    expect(await text()).toBe('crabsm')
    await page.keyboard.press('Backspace')
    await row.focus()
    await page.keyboard.press('m')
    await page.getByRole('dialog', { name: /Move/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Search sessions' }).click()
    await page.keyboard.type('x')
    expect(await text()).toBe('crabs')
    await page.keyboard.press('Escape')
    // Space presses the button that has the focus.
    await page.getByRole('button', { name: 'Settings' }).focus()
    await page.keyboard.press('Space')
    const dialog = page.getByRole('dialog', { name: 'Settings' })
    await dialog.waitFor()
    await page.keyboard.type('y')
    expect(await text()).toBe('crabs')
    // Switched off, the letters are letters, also in a message.
    await dialog.getByRole('group', { name: 'Single-letter shortcuts' }).getByRole('radio', { name: 'Off' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Conversation' }).focus()
    await page.keyboard.type('?j')
    expect(await text()).toBe('crabs?j')
    expect(await focused(page, '[data-composer]')).toBe(true)
  })

  it('P-9365 after a dialog was closed the next keys arrive in the composer, behind what stood there', async () => {
    const page = await workbench.page()
    await composer(page).click()
    await page.keyboard.type('one')
    const dialogs: [name: string, opens: string][] = [
      ['Commands', 'Control+k'],
      ['Keyboard shortcuts', 'Control+/'],
    ]
    for (const [name, opens] of dialogs) {
      await page.keyboard.press(opens)
      await page.getByRole('dialog', { name }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.type(' more')
    }
    // A command that leaves the page as it is gives the keys back, too.
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.type('appearance: dark')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.type(' end')
    expect(await composer(page).inputValue()).toBe('one more more end')
    await page.context().close()
  })

  it('P-9308 an icon button shows its name and its key after half a second, by pointer and by key, above a dialog too', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    const tip = page.locator('.v-tooltip')
    const button = page.getByRole('button', { name: 'Open the side panel' })
    await button.hover()
    expect(await tip.count()).toBe(0)
    await tip.getByText('Open the side panel').waitFor()
    expect(await tip.locator('kbd').allTextContents()).toEqual(['Ctrl', '.'])
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
    await page.mouse.move(600, 400)
    await page.keyboard.press('Control+/')
    await page.keyboard.press('Tab')
    await tip.getByText('Close').waitFor()
    const onTop = await tip.evaluate(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return (
        x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight && element.matches(':popover-open')
      )
    })
    expect(onTop).toBe(true)
    await page.keyboard.press('Escape')
    // No icon button of the page is without a name, and none has a second tooltip of the browser.
    const nameless = await page
      .locator('button:has(> svg)')
      .evaluateAll(all =>
        all
          .filter(element => !element.textContent && (!element.ariaLabel || element.hasAttribute('title')))
          .map(element => element.outerHTML),
      )
    expect(nameless).toEqual([])
  })

  it('P-9308 F6 walks the first screen and a page as well', async () => {
    const page = await workbench.page()
    await composer(page).waitFor()
    const within = (selector: string) =>
      page.evaluate(place => document.activeElement?.closest(place) !== null, selector)
    await page.getByRole('link', { name: 'Skip to the conversation' }).focus()
    await page.keyboard.press('F6')
    expect(await within('.w-side')).toBe(true)
    await page.keyboard.press('Shift+F6')
    await page.getByRole('link', { name: 'Skip to the conversation' }).focus()
    await page.keyboard.press('Shift+F6')
    expect(await within('[data-composer]')).toBe(true)
    await page.keyboard.press('Shift+F6')
    expect(await within('.v-new-session')).toBe(true)
    await page.keyboard.press('Shift+F6')
    expect(await within('.w-side, .w-head')).toBe(true)
  })
})

describe('news', () => {
  /** Stands for the notifications of the system, which a test cannot see. */
  const listen = (context: BrowserContext, permission: string) =>
    context.addInitScript(given => {
      const told: { title: string; body: string; click: () => void }[] = []
      let asked = 0
      class Told extends EventTarget {
        static permission = given
        static async requestPermission() {
          asked++
          Told.permission = 'granted'
          return Told.permission
        }
        onclick: (() => void) | null = null
        constructor(title: string, { body }: { body: string }) {
          super()
          told.push({ title, body, click: () => this.onclick?.() })
        }
        close() {}
      }
      Object.assign(globalThis, { Notification: Told, told, asked: () => asked })
    }, permission)
  interface Heard {
    told: { title: string; body: string; click: () => void }[]
    asked: () => number
  }
  const told = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as Heard).told.map(({ title, body }) => `${title}: ${body}`))
  const icon = (page: Page) => page.evaluate(() => document.querySelector('link[rel="icon"]')!.getAttribute('href'))

  it('P-9309 the browser is asked only when somebody switches it on, and one of several tabs tells', async () => {
    const context = await workbench.browser.newContext({ viewport: { width: 1280, height: 860 } })
    await listen(context, 'default')
    const page = await workbench.page({ context })
    const asked = () => page.evaluate(() => (globalThis as unknown as Heard).asked())
    const first = await begin(page, 'wait, then ask')
    await expect.poll(() => gates.has('wait, then ask')).toBe(true)
    expect(await asked()).toBe(0)
    await page.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByRole('group', { name: 'Notifications' }).getByRole('radio', { name: 'On' }).click()
    await expect.poll(asked).toBe(1)
    await page.keyboard.press('Escape')
    // Two more tabs, which look at other sessions.
    const second = await workbench.page({ context })
    await begin(second, 'wait for two')
    const third = await workbench.page({ context })
    await composer(third).waitFor()
    await page.getByRole('button', { name: 'New session' }).first().click()
    await page.waitForURL(url => url.pathname === '/')
    const count = async (tab: Page) => Number(/^\((\d+)\)/.exec(await tab.title())?.[1] ?? 0)
    const before = await count(third)
    gates.get('wait, then ask')!()
    const all = async () => (await Promise.all([page, second, third].map(told))).flat()
    await expect.poll(all).toEqual(['Wait, then ask: Clerk needs you.'])
    await expect.poll(() => count(third)).toBe(before + 1)
    expect(await icon(third)).toContain('icon-needs-you.svg')
    expect((await third.request.get(new URL((await icon(third))!, third.url()).href)).status()).toBe(200)
    // The session that somebody looks at is not told; the other tabs mark it in their titles.
    gates.get('wait for two')!()
    await second.getByText('Said: wait for two').waitFor()
    await expect.poll(() => count(third)).toBe(before + 2)
    expect(await all()).toHaveLength(1)
    expect(await count(second)).toBe(before + 1)
    // A click leads to the session and its question.
    await page.evaluate(() => (globalThis as unknown as Heard).told[0]!.click())
    await expect.poll(() => sessionOf(page)).toBe(first)
    await page.getByText('Which of the two?').first().waitFor()
  })

  it('P-9309 a failure is told; without the permission of the browser the settings say what to do', async () => {
    const context = await workbench.browser.newContext({ viewport: { width: 1280, height: 860 } })
    await listen(context, 'granted')
    await context.addInitScript(() => localStorage.setItem('vitrine.notify', 'true'))
    const page = await workbench.page({ context })
    await begin(page, 'wait and fail')
    await expect.poll(() => gates.has('wait and fail')).toBe(true)
    await page.getByRole('button', { name: 'New session' }).first().click()
    gates.get('wait and fail')!()
    await expect.poll(() => told(page)).toEqual(['Wait and fail: Clerk stopped with a failure.'])
    expect(await icon(page)).toMatch(/icon-(news|needs-you)\.svg/)

    const blocked = await workbench.browser.newContext({ viewport: { width: 1280, height: 860 } })
    await listen(blocked, 'denied')
    const other = await workbench.page({ context: blocked })
    await other.getByRole('button', { name: 'Settings' }).click()
    await other.getByText('This browser blocks notifications from this page.').waitFor()
  })
})

describe('addresses that lead nowhere', () => {
  it('P-9311 a deleted session can be brought back from its own address', async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'Soon gone')
    await ended(page)
    await page.request.delete(new URL(`/api/sessions/${sessionId}`, page.url()).href)
    await page.goto(new URL(`/s/${sessionId}`, page.url()).href)
    const main = page.getByRole('main')
    await main.getByText('Deleted “Soon gone”').waitFor()
    expect(await violations(page)).toEqual([])
    await main.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Said: Soon gone.').waitFor()
  })

  it('P-9311 a session, a page and a file that are not there say so, with a way on', async () => {
    const page = await workbench.page()
    const sessionId = await begin(page, 'hello')
    await ended(page)
    const main = page.getByRole('main')
    for (const [path, words] of [
      ['/s/ses_nobody', 'There is no such session.'],
      ['/no/such/page', 'There is no such page.'],
      [`/api/sessions/${sessionId}/blobs/${'0'.repeat(64)}`, 'This file is not here any more.'],
    ] as const) {
      await page.goto(new URL(path, page.url()).href)
      await main.getByText(words).waitFor()
      expect(await violations(page)).toEqual([])
      await main.getByRole('button', { name: 'New session' }).click()
      await page.waitForURL(url => url.pathname === '/')
    }
    // Programs get the problem as before.
    const answer = await page.request.get(
      new URL(`/api/sessions/${sessionId}/blobs/${'0'.repeat(64)}`, page.url()).href,
    )
    expect(await answer.json()).toMatchObject({ code: 'blob_not_found' })
    await send(page, 'still there').catch(() => {})
    expect(await logOf(page, sessionId)).not.toEqual([])
  })
})
