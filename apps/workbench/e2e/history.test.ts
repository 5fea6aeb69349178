import type { Agent } from '@vitrine/server'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answers, begin, composer, ended, logOf, openWorkbench, send, sessionOf, type Workbench } from './harness.ts'

/** Counts its answers, so that one can be told from the next. */
let count = 0
const talker: Agent = {
  agentId: 'talker',
  name: 'Talker',
  description: 'Answers with a number',
  scripted: true,
  async *run({ text }, { signal }) {
    yield { type: 'text.delta', partId: 'p', delta: `Answer ${++count} to ${text}` }
    if (text === 'work') await new Promise(resolve => signal.addEventListener('abort', resolve))
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [talker] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const LATENCY = 600

/** Every write and every read of the page takes as long as over a slow network. */
async function slow(page: Page): Promise<void> {
  await page.route('**/api/sessions/**', async route => {
    await new Promise(resolve => setTimeout(resolve, LATENCY))
    await route.continue().catch(() => {})
  })
}

const mine = (page: Page): Locator => page.getByRole('article', { name: 'Your message', exact: true })
const versions = (page: Page): Locator => page.getByRole('group', { name: 'Versions' })
/** Each step may need several answers of a slow server. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 10_000 })
const editBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Edit your message' })

/** With the focus in a message, as J and K leave it, a letter acts. */
/** The run has ended, and the page knows it: a little later than the log. */
async function rested(page: Page): Promise<void> {
  await ended(page)
  await mine(page).first().getByRole('button', { name: 'Edit', exact: true }).waitFor()
}

async function press(message: Locator, key: string): Promise<void> {
  await message.focus()
  await message.press(key)
}

describe('editing a message', () => {
  it('P-8516 P-9342 by keyboard at 600 ms: the draft survives a reload, Esc asks only after a change, and the new version runs', async () => {
    const page = await workbench.page()
    await begin(page, 'first words')
    await rested(page)
    await slow(page)
    await press(mine(page).first(), 'e')
    await soon(() => editBox(page).evaluate(box => box === document.activeElement)).toBe(true)
    // Nothing was changed: Esc leaves at once, and the focus is in the message.
    await page.keyboard.press('Escape')
    await soon(() => editBox(page).count()).toBe(0)
    expect(
      await mine(page)
        .first()
        .evaluate(element => element.contains(document.activeElement)),
    ).toBe(true)
    await page.keyboard.press('e')
    await editBox(page).waitFor()
    await page.keyboard.type(' and more')
    await page.keyboard.press('Escape')
    await page.getByText('Discard your change?').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.reload()
    await soon(() => editBox(page).inputValue()).toBe('first words and more')
    await editBox(page).press('Control+Enter')
    await page.getByText('Sending…').waitFor()
    await soon(() => editBox(page).count()).toBe(0)
    await soon(() => mine(page).allTextContents()).toEqual([expect.stringContaining('first words and more')])
    await soon(() => answers(page).last().textContent()).toContain('to first words and more')
    // The box is gone, and the person goes on where they write.
    expect(await composer(page).evaluate(box => box === document.activeElement)).toBe(true)
    const events = await ended(page, 2)
    expect(events.filter(({ type }) => type === 'history.rewound')).toHaveLength(1)
    await mine(page).first().getByText('2 of 2').waitFor()
    await page.close()
  })

  it('P-9601 P-9602 the box names the key that sends, and what was changed is kept when an earlier answer is tried again', async () => {
    const page = await workbench.page()
    await begin(page, 'the first one')
    await rested(page)
    await send(page, 'the second one')
    await ended(page, 2)
    await press(mine(page).last(), 'e')
    await editBox(page).fill('the second one, changed')
    const button = page.getByRole('button', { name: 'Send version 2' })
    expect(await button.locator('kbd').allTextContents()).toEqual(['Ctrl', '↵'])
    // The letter acts in the first answer, while the second message is open.
    await press(answers(page).first(), 'r')
    await ended(page, 3)
    await soon(() => composer(page).inputValue()).toBe('the second one, changed')
    await page.getByText('The message that you were editing belongs to an earlier version now.').waitFor()
    expect(await editBox(page).count()).toBe(0)
    // One that was not changed leaves nothing behind.
    await composer(page).fill('')
    await press(mine(page).first(), 'e')
    await editBox(page).waitFor()
    expect(await composer(page).inputValue()).toBe('')
    await page.close()
  })

  it('P-8516 a refusal keeps the text and says why', async () => {
    const page = await workbench.page()
    await begin(page, 'keep me')
    await rested(page)
    const problem = {
      type: 'urn:vitrine:problem:queue_not_empty',
      title: 'Conflict',
      status: 409,
      code: 'queue_not_empty',
    }
    await page.route('**/messages/1/edit', route =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...problem, detail: 'x' }),
      }),
    )
    await press(mine(page).first(), 'e')
    await editBox(page).fill('changed')
    await editBox(page).press('Control+Enter')
    await page.getByRole('alert').getByText('Messages are waiting in the queue.').waitFor()
    expect(await editBox(page).inputValue()).toBe('changed')
    await page.unroute('**/messages/1/edit')
    await page.getByRole('button', { name: 'Send version 2' }).click()
    await soon(() => mine(page).allTextContents()).toEqual([expect.stringContaining('changed')])
    await ended(page, 2)
    await page.close()
  })

  it('P-8520 while an agent works, the buttons say why they cannot act', async () => {
    const page = await workbench.page()
    await begin(page, 'done')
    await rested(page)
    await send(page, 'work')
    const edit = mine(page).first().getByRole('button', { name: 'Edit. Not while the agent works' })
    await edit.waitFor()
    expect(await edit.getAttribute('aria-disabled')).toBe('true')
    await press(mine(page).first(), 'e')
    expect(await editBox(page).count()).toBe(0)
    await answers(page).first().getByRole('button', { name: 'Try again. Not while the agent works' }).waitFor()
    await page.getByRole('button', { name: /^Stop/ }).first().click()
    await ended(page, 2)
    await mine(page).first().getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await page.close()
  })
})

describe('versions', () => {
  it('P-8517 an answer is tried again with R, and its versions are walked with the arrows, also after a reload', async () => {
    const page = await workbench.page()
    await begin(page, 'again')
    await rested(page)
    const before = (await answers(page).first().textContent())!.match(/Answer \d+/)![0]
    await slow(page)
    await press(answers(page).first(), 'r')
    await ended(page, 2)
    await soon(() => answers(page).last().textContent()).not.toContain(before)
    expect(await composer(page).evaluate(box => box === document.activeElement)).toBe(true)
    for (const reloaded of [false, true]) {
      if (reloaded) await page.reload()
      const previous = answers(page).last().getByRole('button', { name: 'Previous version' })
      await previous.focus()
      await page.keyboard.press('ArrowLeft')
      await versions(page).getByText('1 of 2').waitFor()
      await soon(() => answers(page).last().textContent()).toContain(before)
      await page.getByText('An earlier version.').waitFor()
      // The focus stays at the switcher, so that the next arrow goes on.
      await page.keyboard.press('ArrowRight')
      await versions(page).getByText('2 of 2').waitFor()
      await soon(() => answers(page).last().textContent()).not.toContain(before)
    }
    await page.close()
  })
})

describe('an earlier version', () => {
  it('P-8690 what is sent meanwhile is seen at the end of the newest version, and a branch goes on from the earlier one', async () => {
    const page = await workbench.page()
    const source = await begin(page, 'one')
    await rested(page)
    await press(mine(page).first(), 'e')
    await editBox(page).fill('one, changed')
    await editBox(page).press('Control+Enter')
    await ended(page, 2)
    await mine(page).first().getByText('2 of 2').waitFor()
    const earlier = async () => {
      await mine(page).first().getByRole('button', { name: 'Previous version' }).press('Enter')
      await page.getByText('An earlier version.').waitFor()
    }
    await earlier()
    await page.getByText('Goes to the newest version').waitFor()
    await composer(page).focus()
    await page.keyboard.type('and two')
    await page.keyboard.press('Enter')
    // The text is on its way or already a message: it is in sight either way.
    await page.getByRole('article').getByText('and two', { exact: true }).first().waitFor()
    await answers(page).last().getByText('to and two').waitFor()
    await ended(page, 3)
    await mine(page).first().getByText('2 of 2').waitFor()
    expect(await mine(page).count()).toBe(2)
    expect(await answers(page).last().textContent()).toContain('to and two')

    await earlier()
    await press(answers(page).last(), 'b')
    await page.waitForURL(url => /\/s\//.test(url.pathname) && !url.pathname.includes(source))
    await soon(() => mine(page).allTextContents()).toEqual([expect.stringMatching(/^one(?!, changed)/)])
    await soon(() => answers(page).last().textContent()).toMatch(/to one(?!,)/)
    await page.close()
  })
})

describe('a branch', () => {
  it('P-8518 opens as a session of its own with B, says what it is a branch of, and leaves the other as it is', async () => {
    const page = await workbench.page()
    const source = await begin(page, 'One way to do it')
    await rested(page)
    await send(page, 'two')
    await ended(page, 2)
    await slow(page)
    await press(answers(page).first(), 'b')
    await page.waitForURL(url => /\/s\//.test(url.pathname) && !url.pathname.includes(source))
    await page.getByText('Branch of').waitFor()
    await soon(() => answers(page).count()).toBe(1)
    const branch = sessionOf(page)
    await composer(page).fill('another way')
    await composer(page).press('Enter')
    await soon(() => answers(page).count()).toBe(2)
    expect((await ended(page, 2, branch)).some(({ type }) => type === 'history.rewound')).toBe(false)
    await page.getByRole('button', { name: 'One way to do it', exact: true }).first().click()
    await page.waitForURL(url => url.pathname.includes(source))
    await soon(() => answers(page).count()).toBe(2)
    await page.close()
  })
})

describe('feedback', () => {
  it('P-8519 is given, explained and taken back, and is there after a reload', async () => {
    const page = await workbench.page()
    await begin(page, 'rate me')
    await rested(page)
    const good = () => answers(page).first().getByRole('button', { name: 'Good answer' })
    const pressed = () => good().getAttribute('aria-pressed')
    await good().click()
    await soon(pressed).toBe('true')
    await page.getByRole('textbox', { name: /What was good/ }).fill('It is short')
    await page.keyboard.press('Enter')
    await soon(() => page.getByRole('textbox', { name: /What was good/ }).count()).toBe(0)
    await page.reload()
    await soon(pressed).toBe('true')
    await good().click()
    await soon(pressed).toBe('false')
    const said = (await logOf(page)).flatMap(event =>
      event.type === 'feedback.changed' ? [[event.rating, event.reason]] : [],
    )
    expect(said).toEqual([
      ['up', undefined],
      ['up', 'It is short'],
      ['none', undefined],
    ])
    await page.close()
  })
})
