import type { SessionEvent } from '@vitrine/protocol'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answers, begin, composer, ended, logOf, openWorkbench, send, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ pace: 0.2 })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const only = <T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T) =>
  events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type)

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Presses Tab until the focus is on a control of that name, as a person without a mouse does. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      if (element === document.body) return ''
      const labels = [...((element as HTMLInputElement).labels ?? [])].map(label => label.textContent)
      return (element.getAttribute('aria-label') ?? (labels.join(' ') || element.textContent) ?? '').trim()
    })
  const seen: string[] = []
  for (let n = 0; n < 200; n++) {
    const now = await focused()
    seen.push(now.slice(0, 30))
    if (typeof name === 'string' ? now === name : name.test(now)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}: ${seen.slice(-40).join(' / ')}`)
}

describe('requests', () => {
  it('L6 a request answered in two tabs has one outcome, and both show it', async () => {
    const first = await workbench.page()
    const sessionId = await begin(first, '/approval')
    const second = await workbench.page({ context: first.context(), path: `/s/${sessionId}` })
    for (const page of [first, second]) {
      await card(page, 'Delete 2 backups for good?').getByLabel('Type “allow” to go on').fill('allow')
    }
    // The answers of the server are delayed, so that both buttons are pressed before one tab can hear of the other.
    const held: (() => void)[] = []
    await first.context().route('**/actions/*/response', async route => {
      await new Promise<void>(resolve => {
        held.push(resolve)
        if (held.length === 2) for (const go of held) go()
      })
      await route.continue()
    })
    // A card that has just appeared ignores presses for a moment, so we press until it reacts.
    const press = async (page: Page, name: string) => {
      const button = card(page, 'Delete 2 backups for good?').getByRole('button', { name })
      const before = held.length
      // A tab in the background draws no frames, and a press would wait for one.
      await page.bringToFront()
      await expect
        .poll(
          async () => {
            if (held.length === before) await button.click({ timeout: 1000 }).catch(() => {})
            return held.length
          },
          { timeout: 15_000 },
        )
        .toBeGreaterThan(before)
    }
    await press(first, 'Allow once')
    await press(second, 'Don’t allow')
    const events = await ended(first)
    await first.context().unroute('**/actions/*/response')
    const resolved = only(events, 'action.resolved')
    expect(resolved).toHaveLength(1)
    const words = resolved[0]!.outcome === 'approved' ? 'You allowed' : 'You did not allow'
    for (const page of [first, second]) {
      await page.getByText(words, { exact: true }).waitFor()
      expect(await card(page, 'Delete 2 backups for good?').count()).toBe(0)
      await answers(page)
        .getByText(words === 'You did not allow' ? /Nothing was deleted/ : /You allowed it this one time/)
        .waitFor()
    }
    await first.context().close()
  })

  it('P-803 AU-15 AU-54 every kind of request is reached and answered by the keyboard alone', async () => {
    const page = await workbench.page()
    const press = (key: string) => page.keyboard.press(key)
    // A card that has just appeared ignores keys for a moment, so we press Enter until it reacts.
    const settle = (count: number) =>
      expect
        .poll(
          async () => {
            await press('Enter')
            return only(await logOf(page), 'action.resolved').length
          },
          { timeout: 10_000, interval: 250 },
        )
        .toBe(count)
    await begin(page, '/approval')
    await card(page, 'Delete 2 backups for good?').waitFor()
    await tabTo(page, 'Type “allow” to go on')
    await page.keyboard.type('allow')
    await tabTo(page, 'Allow once')
    await settle(1)
    await ended(page)

    await tabTo(page, 'Message')
    await page.keyboard.type('/choice')
    await press('Enter')
    await card(page, 'Where would you go?').waitFor()
    await tabTo(page, /The sea/)
    await press('ArrowDown')
    await tabTo(page, 'Choose The mountains')
    await settle(2)
    await card(page, 'What matters? Pick any number.').waitFor()
    await tabTo(page, /Somewhere quiet/)
    await press('Space')
    await tabTo(page, 'Choose Somewhere quiet')
    await settle(3)
    await answers(page).last().getByText('The mountains', { exact: true }).waitFor()
    await ended(page, 2)

    await tabTo(page, 'Message')
    await page.keyboard.type('/form')
    await press('Enter')
    await card(page, 'Reserve a table').waitFor()
    await tabTo(page, 'Send answers')
    await expect
      .poll(async () => {
        await press('Enter')
        return card(page, 'Reserve a table').getByText('Required', { exact: true }).count()
      })
      .toBeGreaterThan(0)
    // The focus is on the first field that is wrong.
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)).toMatch(
      /Your name/,
    )
    await page.keyboard.type('Ada')
    await tabTo(page, /^Date/)
    await page.keyboard.type('15032026')
    await tabTo(page, 'Send answers')
    await settle(4)
    await answers(page).last().getByRole('cell', { name: 'Ada' }).waitFor()
    await ended(page, 3)

    await tabTo(page, 'Message')
    await page.keyboard.type('/plan')
    await press('Enter')
    await card(page, 'Start with these 4 steps?').waitFor()
    await tabTo(page, 'Draft the announcement')
    await press('Space')
    await tabTo(page, 'Start with changes')
    await settle(5)
    await answers(page)
      .last()
      .getByText(/You took out 1/)
      .waitFor()
    const events = await ended(page, 4)
    expect(only(events, 'action.resolved').map(({ outcome }) => outcome)).toEqual([
      'approved',
      'answered',
      'answered',
      'answered',
      'approved',
    ])
    await page.context().close()
  })
})

const queue = (page: Page) => page.getByRole('region', { name: 'Queue' })
const queued = (page: Page) => queue(page).getByRole('listitem')

describe('while a run is active', () => {
  it('P-804 AU-16 AU-51 AU-62 turns are queued, edited, moved and removed, and run in the order that is shown', async () => {
    const page = await workbench.page()
    await begin(page, '/slow-work 600')
    await page.getByRole('radio', { name: 'Queue' }).check({ force: true })
    await page.getByText('Sends when this run ends').waitFor()
    for (const [n, text] of ['recall one', 'recall two', 'recall three'].entries()) {
      await send(page, text)
      await queued(page).nth(n).waitFor()
    }
    expect(await composer(page).inputValue()).toBe('')
    // The queued turn is edited with the keyboard.
    await composer(page).press('Alt+ArrowUp')
    const editor = page.getByRole('textbox', { name: 'Waiting message' })
    expect(await editor.inputValue()).toBe('recall three')
    await editor.fill('recall three, edited')
    await editor.press('Enter')
    await queued(page).nth(2).getByText('recall three, edited').waitFor()
    await queued(page).nth(2).hover()
    await queued(page).nth(2).getByRole('button', { name: 'Move up' }).click()
    await queued(page).nth(1).getByText('recall three, edited').waitFor()
    await queued(page).nth(1).getByRole('button', { name: 'Send next' }).waitFor()
    await queued(page).nth(2).getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => queued(page).count()).toBe(2)
    await page.reload()
    await expect.poll(() => queued(page).count()).toBe(2)

    // After an interrupt nothing starts by itself. The queue is held until the person releases it.
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await queue(page).getByText('Queue paused', { exact: true }).waitFor()
    await queue(page).getByRole('button', { name: 'Resume' }).click()
    const events = await ended(page, 3)
    const inputs = only(events, 'run.started').map(({ input }) => input.text)
    expect(inputs).toEqual(['/slow-work 600', 'recall one', 'recall three, edited'])
    await queue(page).waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('P-805 AU-16 AU-52 a steer waits until the agent takes it and marks the place; a steer that is not taken gives the text back', async () => {
    const page = await workbench.page()
    await begin(page, '/steer')
    await page.getByRole('radio', { name: 'Steer' }).check({ force: true })
    await page.getByText('Steers the current run').waitFor()
    await send(page, 'make it the sea')
    await answers(page).getByText('You steered', { exact: true }).waitFor()
    await answers(page)
      .getByText(/So it is the sea now/)
      .waitFor()
    const events = await ended(page)
    expect(only(events, 'steer.accepted')).toHaveLength(1)
    expect(only(events, 'steer.consumed')).toHaveLength(1)
    const order = async () => {
      const text = (await answers(page).textContent()) ?? ''
      return [
        text.indexOf('Packing list'),
        text.indexOf('You steered'),
        text.indexOf('You steered'),
        text.indexOf('Packed.'),
      ]
    }
    const live = await order()
    expect(live).toEqual([...live].sort((a, b) => a - b))
    expect(live[0]).toBeGreaterThanOrEqual(0)
    await page.reload()
    await answers(page).getByText('Packed.').waitFor()
    expect(await order()).toEqual(live)
    await page.context().close()
  })

  it('P-9365 who chooses what Enter does with the mouse goes on writing', async () => {
    const page = await workbench.page()
    await begin(page, '/slow-work 600')
    await page.getByRole('radio', { name: 'New task' }).click()
    await page.keyboard.type('recall one')
    expect(await composer(page).inputValue()).toBe('recall one')
    // With the keyboard the arrows choose, and a letter begins to write.
    await composer(page).fill('')
    await page.getByRole('radio', { name: 'New task' }).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.getByRole('radio', { name: 'Steer' }).isChecked()).toBe(true)
    await page.keyboard.type('so')
    expect(await composer(page).inputValue()).toBe('so')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.context().close()
  })

  it('P-8680 P-8681 P-8693 a queued turn becomes a steer with its file, and one with a long text is edited whole', async () => {
    const page = await workbench.page()
    // The agent waits for a person, so it does not take the steer, and the queue waits with it.
    const sessionId = await begin(page, '/approval')
    await card(page, 'Delete 2 backups for good?').waitFor()
    const short = await page.evaluate(async id => {
      const send = async (path: string, type: string, body: string) =>
        (await fetch(`/api${path}`, { method: 'POST', headers: { 'content-type': type }, body })).json()
      const { digest } = await send('/blobs', 'text/plain', 'what is attached')
      const queue = (turn: object) => send(`/sessions/${id}/queue`, 'application/json', JSON.stringify(turn))
      await queue({ turnId: 'short', text: 'faster', files: [{ digest, name: 'notes.txt' }] })
      await queue({ turnId: 'long', text: `${'word '.repeat(5_000)}end` })
      return digest as string
    }, sessionId)
    await queued(page).nth(1).waitFor()
    expect(await queued(page).nth(1).getByRole('button', { name: 'Steer the run with it' }).count()).toBe(0)
    await queued(page).nth(0).getByRole('button', { name: 'Steer the run with it' }).click()
    await expect.poll(() => queued(page).count()).toBe(1)
    const steered = only(await logOf(page), 'steer.accepted')
    expect(steered).toMatchObject([{ text: 'faster', files: [{ digest: short, name: 'notes.txt' }] }])

    await queued(page).nth(0).getByRole('button', { name: 'Edit' }).click()
    const editor = page.getByRole('textbox', { name: 'Waiting message' })
    await expect.poll(() => editor.inputValue()).toMatch(/^word .* end$/)
    expect((await editor.inputValue()).length).toBe(25_003)
    await editor.press('Escape')
    await expect.poll(() => composer(page).evaluate(box => box === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.context().close()
  })

  it('L7 a steer that the run ends without taking gives the text back, with what can be done with it', async () => {
    const page = await workbench.page()
    // The agent waits for a person, so it does not take the steer.
    await begin(page, '/approval')
    await card(page, 'Delete 2 backups for good?').waitFor()
    await page.getByRole('radio', { name: 'Steer' }).check({ force: true })
    await send(page, 'recall instead')
    await page.getByText('Waiting to be taken up:').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('The run ended before it took this up.').waitFor()
    await page.reload()
    await page.getByText('The run ended before it took this up.').waitFor()
    expect(only(await ended(page), 'steer.rejected')).toHaveLength(1)
    await page.getByRole('button', { name: 'Back to the draft' }).click()
    expect(await composer(page).inputValue()).toBe('recall instead')
    await composer(page).press('Enter')
    await ended(page, 2)
    expect(await composer(page).inputValue()).toBe('')
    await page.context().close()
  })

  it('P-806 AU-01 AU-10 a new task works in the background, is in the capsule, and its result opens', async () => {
    const page = await workbench.page()
    const parent = await begin(page, '/slow-work 600')
    await page.getByRole('radio', { name: 'New task' }).check({ force: true })
    await page.getByText('Starts a task in the background').waitFor()
    await send(page, '/slow-work 600')
    const capsule = page.getByRole('button', { name: /1 running/ })
    await capsule.waitFor()
    expect(new URL(page.url()).pathname).toBe(`/s/${parent}`)
    await page.getByRole('radio', { name: 'New task' }).check({ force: true })
    await send(page, '/reasoning')
    // The second notice takes the place of the first one when the server has taken the text.
    await expect.poll(() => page.getByRole('article', { name: 'On its way' }).count()).toBe(0)
    // Notices with the same text are shown once, beside the session list and above the composer.
    const open = page.getByRole('main').getByRole('button', { name: 'Open', exact: true })
    await open.waitFor()
    expect(await open.count()).toBe(1)
    const places = async () => {
      const parts = [open, page.getByRole('navigation', { name: 'Sessions' }), composer(page)]
      const [notice, list, input] = await Promise.all(parts.map(part => part.boundingBox()))
      // The second notice may just be taking the place of the first one.
      if (!notice || !list || !input) return null
      return { beside: notice.x > list.x + list.width, above: notice.y + notice.height < input.y }
    }
    await expect.poll(places).toEqual({ beside: true, above: true })
    await capsule.click()
    const tasks = page.getByRole('dialog', { name: 'Tasks' })
    const done = tasks.getByRole('treeitem').filter({ has: page.getByRole('img', { name: 'Done' }) })
    await done.waitFor()
    // The first row is the run of this session, the task comes after it.
    const slow = tasks.getByRole('treeitem').filter({ hasText: '/slow-work' }).nth(1)
    await slow.getByRole('button', { name: 'Stop' }).click()
    await slow.getByRole('img', { name: 'Stopped' }).waitFor()
    await done.getByRole('button', { name: 'Open' }).click()
    await page.waitForURL(url => url.pathname !== `/s/${parent}`)
    await answers(page).getByText('The ball costs 5 cents.').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await ended(page)
    await page.context().close()
  })
})

describe('interrupt and retry', () => {
  const interrupted = (page: Page) => page.getByRole('region', { name: 'Stopped' })

  it('P-807 AU-21 AU-53 Esc twice and the button end the run as interrupted, what arrived stays, and a retry succeeds', async () => {
    const page = await workbench.page()
    await begin(page, '/slow-work 3')
    await page.getByText(/process \d+/).waitFor()
    await composer(page).press('Escape')
    await page.getByText('Press Esc again to stop the run').waitFor()
    await composer(page).press('Escape')
    await interrupted(page).getByText('You stopped this run').waitFor()
    await answers(page)
      .getByText(/I start a real process/)
      .waitFor()
    await interrupted(page).getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Finished after 3 s').waitFor()
    await interrupted(page).getByText('Tried again below').waitFor()
    const events = await ended(page, 2)
    expect(only(events, 'run.finished').map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
    expect(only(events, 'run.started')[1]).toMatchObject({ attempt: 2, input: { text: '/slow-work 3' } })

    await send(page, '/slow-work 600')
    await page.getByText(/process \d+/).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await interrupted(page).nth(1).getByRole('button', { name: 'Try again' }).waitFor()
    await page.reload()
    await interrupted(page).nth(1).getByRole('button', { name: 'Try again' }).waitFor()
    expect(only(await ended(page, 3), 'run.finished')[2]!.outcome).toBe('interrupted')
    await page.context().close()
  })

  it('P-807 P-8692 P-9342 AU-21 a failed run says what happened, what was kept and what to do; its retry stands below it', async () => {
    const page = await workbench.page()
    await begin(page, '/failing-run')
    const failed = page.getByRole('region', { name: 'Failed' })
    await failed.getByText('The database refuses connections (on purpose)', { exact: true }).waitFor()
    await failed.getByText(/Press Try again: the second attempt succeeds\./).waitFor()
    await failed.getByText(/The text so far is kept\.|are kept\./).waitFor()
    // The words of the guide name the button, and there is one.
    await answers(page).last().getByText('then press Try again.').waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: 'Try again' }).count()).toBe(1)
    await failed.getByRole('button', { name: 'Try again' }).press('Enter')
    await answers(page).last().getByText('Attempt 2 worked.').waitFor()
    expect(await composer(page).evaluate(box => box === document.activeElement)).toBe(true)
    await ended(page, 2)
    await page.reload()
    await answers(page).last().getByText('Attempt 2 worked.').waitFor()
    await failed.getByText('Tried again below').waitFor()
    await answers(page)
      .first()
      .getByText(/I am going to fail now/)
      .waitFor()
    await page.context().close()
  })
})
