import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, openPanel, openWorkbench, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ pace: 0 })
})
afterAll(() => workbench?.close())
afterEach(async () => {
  for (const context of workbench.browser.contexts()) await context.close()
  expect(workbench.errors()).toEqual([])
})

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
/** Makes the window as narrow as a phone, and waits for the frame in which the page has taken its narrow shape. */
const narrowed = async (page: Page) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForFunction(() => document.querySelector('.w-layout:not([data-narrow])') === null)
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}
const closed = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Screens and states that stand for themselves, each with how somebody gets there by key. */
const screens: Record<string, (page: Page) => Promise<unknown>> = {
  'the first screen': page => page.getByRole('list', { name: 'Suggestions' }).waitFor(),
  'an unknown page': async page => {
    await page.goto(new URL('/no/such/page', page.url()).href)
    await page.getByText('There is no such page.').waitFor()
  },
  'the gallery': async page => {
    await page.goto(new URL('/gallery', page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'A2UI gallery' }).waitFor()
  },
  'the playground': async page => {
    await page.goto(new URL('/playground', page.url()).href)
    await page.locator('.w-playground').waitFor()
  },
  'the palette with results': async page => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('se')
    await page.getByRole('option').first().waitFor()
  },
  'the palette with nothing but the search': async page => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('no command is called this')
    await page.getByRole('option', { name: /no command is called this/ }).waitFor()
  },
  'the keys': async page => {
    await page.keyboard.press('Control+/')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  },
  'the settings': async page => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('preferences')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Settings' }).waitFor()
  },
  'what was deleted': async page => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('trash')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Recently deleted' }).waitFor()
  },
  'the commands of the agent': async page => {
    await composer(page).focus()
    await page.keyboard.type('/')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
  },
}

describe('every screen', () => {
  it.each(Object.entries(screens))('P-9312 axe finds nothing in %s, wide and at 390 pixels', async (_, reach) => {
    const page = await workbench.page()
    await composer(page).waitFor()
    await reach(page)
    expect(await violations(page)).toEqual([])
    await narrowed(page)
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
  })

  it('P-9312 the commands of the agent stay right above the composer when the window changes its size', async () => {
    const page = await workbench.page()
    await screens['the commands of the agent']!(page)
    // Nothing is on its way any more that would draw the list again for another reason.
    await page.waitForTimeout(1_000)
    await narrowed(page)
    const apart = () =>
      page.evaluate(() => {
        const list = document.querySelector('.v-complete:popover-open')!.getBoundingClientRect()
        const form = document.querySelector('[data-composer]')!.closest('form')!.getBoundingClientRect()
        return [list.left - form.left, list.width - form.width, form.top - list.bottom].map(Math.round)
      })
    await expect.poll(apart).toEqual([0, 0, 6])
  })

  it('P-9312 axe finds nothing while offline, nor in the notice of a deletion', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await page.getByRole('button', { name: 'More for this session' }).click()
    await page.locator('.v-menu:popover-open').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted “hello”').first().waitFor()
    await page.getByRole('status').filter({ hasText: 'Deleted “hello”' }).hover()
    expect(await violations(page)).toEqual([])
    await workbench.stop()
    await page.getByRole('button', { name: 'Try now' }).waitFor()
    expect(await violations(page)).toEqual([])
    await workbench.start()
    await page.getByRole('button', { name: 'Try now' }).waitFor({ state: 'detached' })
  })
})

describe('windows and settings of the system', () => {
  it('P-9313 at 400 % everything can be reached: the list of sessions, the palette, the dock and the composer', async () => {
    const page = await workbench.page({ width: 320, height: 256 })
    await begin(page, 'hello')
    await ended(page)
    const visible = (selector: string) =>
      page.evaluate(place => {
        const element = document.querySelector(place)!
        const { top, bottom, left, right } = element.getBoundingClientRect()
        return { inside: left >= 0 && right <= innerWidth && top < innerHeight && bottom > 0, height: bottom - top }
      }, selector)
    await expect.poll(async () => (await visible('.v-composer-box')).height).toBeLessThan(80)
    expect((await visible('.v-composer-box')).inside).toBe(true)
    await page.getByRole('button', { name: 'Sessions' }).click()
    const row = page.getByRole('dialog', { name: 'Sessions' }).getByRole('link', { name: /hello/i }).first()
    await row.scrollIntoViewIfNeeded()
    expect((await row.boundingBox())!.height).toBeGreaterThan(24)
    await row.click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const option = page.getByRole('option').first()
    expect((await option.boundingBox())!.y + 20).toBeLessThan(256)
    await closed(page)
    await page.getByRole('button', { name: 'Open the side panel' }).click()
    await openPanel(page, 'Tasks')
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await closed(page)
  })

  it('P-9313 with forced colours the chosen line, the open session and the marks are still told apart', async () => {
    const page = await workbench.page()
    await begin(page, '/approval')
    await page.getByText('needs you').first().waitFor()
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
    const ground = (selector: string) =>
      page.evaluate(place => getComputedStyle(document.querySelector(place)!).backgroundColor, selector)
    const mark = await page.evaluate(
      () => getComputedStyle(document.querySelector('.v-session .v-dot-attention')!, '::before').backgroundColor,
    )
    expect(mark).not.toBe(await ground('body'))
    const outline = await page.evaluate(
      () => getComputedStyle(document.querySelector('.v-session[data-open]')!).outlineStyle,
    )
    expect(outline).toBe('solid')
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    expect(await ground('.v-option[aria-selected="true"]')).not.toBe(await ground('.v-option[aria-selected="false"]'))
    await closed(page)
  })

  it('P-9313 with reduced motion nothing of the frame is animated', async () => {
    /** Whether anything moves while the palette opens, looked at in every frame. */
    const moves = async (reducedMotion: 'reduce' | 'no-preference') => {
      const page = await workbench.page()
      await page.emulateMedia({ reducedMotion })
      await composer(page).waitFor()
      const seen = page.evaluate(async () => {
        let most = 0
        for (let frame = 0; frame < 40; frame++) {
          const all = document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration))
          most = Math.max(most, ...all)
          await new Promise(requestAnimationFrame)
        }
        return most > 1
      })
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
      const moved = await seen
      await page.context().close()
      return moved
    }
    expect(await moves('no-preference')).toBe(true)
    expect(await moves('reduce')).toBe(false)
  })

  it('P-9313 from right to left keys keep their order and the list stays inside the window', async () => {
    const page = await workbench.page()
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    const caps = await page
      .locator('.w-new kbd')
      .evaluateAll(all => all.map(cap => [cap.textContent, cap.getBoundingClientRect().x] as const))
    expect(caps.toSorted(([, a], [, b]) => a - b).map(([cap]) => cap)).toEqual(['Ctrl', 'Shift', 'O'])
    await composer(page).focus()
    await page.keyboard.type('/')
    const box = (await page.getByRole('listbox').boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(1280)
  })
})

describe('notices', () => {
  it('P-9314 at most three stand at the lower edge; they go by themselves, but not while somebody points at one', async () => {
    const page = await workbench.page()
    for (const name of ['one', 'two', 'three', 'four']) {
      await begin(page, `Write about number ${name}`)
      await ended(page)
      await page.getByRole('button', { name: 'More for this session' }).click()
      await page.locator('.v-menu:popover-open').getByRole('button', { name: 'Delete' }).click()
      await page.locator('.v-notice', { hasText: `Write about number ${name}` }).hover()
    }
    const notices = page.locator('.v-notice')
    expect(await notices.count()).toBeLessThanOrEqual(3)
    const last = notices.last()
    await last.hover()
    const box = (await last.boundingBox())!
    expect(box.y).toBeGreaterThan(430)
    await page.waitForTimeout(7_000)
    await expect.poll(() => notices.count()).toBe(1)
    expect(await last.isVisible()).toBe(true)
    await page.mouse.move(600, 100)
    await last.waitFor({ state: 'detached' })
  })
})
