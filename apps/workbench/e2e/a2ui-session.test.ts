import type { SessionEvent } from '@vitrine/protocol'
import { type Agent, createGuide, createScout } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, ended, logOf, openWorkbench, saidIn, send, type Workbench } from './harness.ts'

let goOn = () => {}

/** An agent that streams the arguments of an `a2ui` call piece by piece, and waits before it goes on. */
const slowWriter: Agent = {
  agentId: 'slow',
  name: 'Slow writer',
  description: 'Draws while it writes',
  scripted: true,
  async *run(input, context) {
    const fails = input.text.includes('fail')
    const surfaceId = fails ? 'never' : 'later'
    const root = {
      id: 'root',
      type: 'Column',
      children: [{ id: 'a', type: 'Heading', props: { text: 'Already here', level: 3 } }],
    }
    const envelopes = [
      {
        version: fails ? 'v7' : 'v0.9',
        createSurface: { surfaceId, catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json', root },
      },
    ]
    const text = JSON.stringify({ envelopes })
    const cut = text.indexOf('"props"') + 40
    yield { type: 'tool.started', toolCallId: `t-${surfaceId}`, partId: `p-${surfaceId}`, name: 'a2ui', title: 'Draw' }
    yield { type: 'tool.args', toolCallId: `t-${surfaceId}`, delta: text.slice(0, cut) }
    await new Promise<void>(resolve => {
      goOn = resolve
      context.signal.addEventListener('abort', () => resolve())
    })
    yield { type: 'tool.args', toolCallId: `t-${surfaceId}`, delta: text.slice(cut) }
    const value = await context.surfaces.apply(envelopes, `t-${surfaceId}`)
    yield { type: 'tool.result', toolCallId: `t-${surfaceId}`, value }
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [createGuide({ pace: 0.6 }), createScout({ pace: 0 }), slowWriter] })
})
afterAll(() => workbench?.close())

/** The applied surface. The preview that is drawn while the arguments stream does not match. */
const surface = (page: Page) => page.locator('.v-a2-part:not(.v-a2-provisional) .v-a2').first()
/** The interactions that reached the agent, as a turn or as a steer. */
const actionsIn = (events: readonly SessionEvent[]) =>
  events
    .map(event =>
      event.type === 'run.started'
        ? event.input.interaction
        : event.type === 'steer.accepted'
          ? event.interaction
          : undefined,
    )
    .filter(interaction => interaction?.kind === 'a2ui')
    .map(({ eventType, payload }) => ({ eventType, payload: payload as { values?: object } }))

describe('A2UI in a session', () => {
  it('A2-57 A2-59 A2-134 a form filled by keyboard, reloaded in between and sent: its values reach the agent\u2019s next turn', async () => {
    const page = await workbench.page()
    await begin(page, 'show a booking form')
    await ended(page)
    await surface(page).getByLabel('Name').focus()
    await page.keyboard.type('Ada Lovelace')
    expect(await surface(page).getByLabel('Name').inputValue()).toBe('Ada Lovelace')
    // Nothing was sent yet. The values are a draft of this browser.
    await page.waitForTimeout(400)
    await page.reload()
    await surface(page).getByLabel('Name').waitFor()
    expect(await surface(page).getByLabel('Name').inputValue()).toBe('Ada Lovelace')
    await surface(page).getByLabel('Arrival').fill('2030-05-04')
    await surface(page).getByRole('button', { name: 'Book' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('These are the values that reached me').waitFor()
    const events = await ended(page)
    const click = actionsIn(events).find(action => action.eventType === 'click')
    expect(click?.payload.values).toMatchObject({ guest: 'Ada Lovelace', date: '2030-05-04' })
    expect(saidIn(events)).toContain('Ada Lovelace')
    await page.reload()
    await surface(page).getByLabel('Name').waitFor()
    expect(await surface(page).getByLabel('Name').inputValue()).toBe('Ada Lovelace')
    const second = await workbench.page({ context: page.context(), path: new URL(page.url()).pathname })
    await surface(second).getByLabel('Name').waitFor()
    // Some controls are loaded later.
    await expect
      .poll(async () => (await surface(second).textContent()) === (await surface(page).textContent()))
      .toBe(true)
    await second.close()
    await page.close()
  })

  it('A2-453 an empty form is not sent: each field says what is missing, and stops saying it when it is there', async () => {
    const page = await workbench.page()
    await begin(page, 'show a booking form')
    await ended(page)
    const button = surface(page).getByRole('button', { name: 'Book' })
    const missing = surface(page)
      .locator('.v-a2-field')
      .getByText(/^Please /)
    expect(await missing.count()).toBe(0)
    await button.press('Enter')
    await expect
      .poll(() => missing.allTextContents())
      .toEqual(['Please enter your name.', 'Please choose the day of your arrival.'])
    await surface(page).getByLabel('Arrival').fill('2030-05-04')
    await expect.poll(() => missing.allTextContents()).toEqual(['Please enter your name.'])
    expect(actionsIn(await logOf(page)).filter(({ eventType }) => eventType === 'click')).toEqual([])
    await surface(page).getByLabel('Name').fill('Ada')
    await button.click()
    await page.getByText('These are the values that reached me').waitFor()
    await page.close()
  })

  it('A2-134 a dashboard is updated by the stream while a field keeps its focus and text', async () => {
    const page = await workbench.page()
    await begin(page, 'show a KPI dashboard that updates')
    const note = surface(page).getByLabel('Note to yourself')
    await note.waitFor()
    await note.focus()
    const before = await surface(page)
      .getByText(/^update \d+$/)
      .textContent()
    await page.keyboard.type('remember this', { delay: 60 })
    await page.waitForFunction(
      old => !document.querySelector('.v-a2-part:not(.v-a2-provisional) .v-a2')!.textContent!.includes(old!),
      before,
    )
    expect(await note.inputValue()).toBe('remember this')
    expect(await note.evaluate(input => input === document.activeElement)).toBe(true)
    await ended(page)
    expect(await note.inputValue()).toBe('remember this')
    await page.close()
  })

  it('A2-58 a press while the run goes on is a steer', async () => {
    const page = await workbench.page()
    await begin(page, 'show a KPI dashboard that updates')
    await surface(page).getByRole('button', { name: 'Stop updates' }).click()
    await page.getByText(/^Stopped after|nothing running any more/).waitFor()
    const events = await ended(page)
    expect(events.some(event => event.type === 'steer.accepted')).toBe(true)
    expect(events.filter(event => event.type === 'run.started')).toHaveLength(1)
    await page.close()
  })

  it('A2-135 a press that does not reach the server keeps what was entered, and works again later', async () => {
    const page = await workbench.page()
    await begin(page, 'show a booking form')
    await ended(page)
    await surface(page).getByLabel('Name').fill('Grace')
    await surface(page).getByLabel('Arrival').fill('2030-05-04')
    await page.waitForTimeout(600)
    await ended(page)
    await surface(page).getByLabel('Wishes').fill('A quiet one')
    await workbench.stop()
    await surface(page).getByRole('button', { name: 'Book' }).click()
    await surface(page)
      .locator('.v-a2-button')
      .getByText('Not sent; what you entered is kept.')
      .waitFor({ timeout: 20_000 })
    expect(await surface(page).getByLabel('Wishes').inputValue()).toBe('A quiet one')
    await workbench.start()
    await surface(page).locator('.v-a2-button').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('These are the values that reached me').waitFor({ timeout: 30_000 })
    await surface(page).getByText('Not sent; what you entered is kept.').waitFor({ state: 'hidden' })
    const click = actionsIn(await logOf(page)).findLast(action => action.eventType === 'click')
    expect(click?.payload.values).toMatchObject({ guest: 'Grace', notes: 'A quiet one' })
    await page.close()
  })

  it('A2-144 L7 a text that is too long is told at its field, nothing is sent, and every field keeps what was entered', async () => {
    const page = await workbench.page()
    await begin(page, 'show a booking form')
    await ended(page)
    await surface(page).getByLabel('Name').fill('Grace')
    await surface(page).getByLabel('Arrival').fill('2030-05-04')
    await surface(page).getByLabel('Wishes').fill('x'.repeat(34_000))
    await surface(page).getByRole('button', { name: 'Book' }).click()
    const field = surface(page).locator('.v-a2-field', { has: page.getByLabel('Wishes') })
    await field.getByText('This text is too long. Shorten it and send it again.').waitFor()
    expect(await surface(page).getByLabel('Name').inputValue()).toBe('Grace')
    expect((await surface(page).getByLabel('Wishes').inputValue()).length).toBe(34_000)
    expect(actionsIn(await logOf(page)).filter(action => action.eventType === 'click')).toEqual([])
    await surface(page).getByLabel('Wishes').fill('A quiet one')
    await field.getByText('This text is too long').waitFor({ state: 'hidden' })
    await surface(page).getByRole('button', { name: 'Book' }).click()
    await page.getByText('These are the values that reached me').waitFor({ timeout: 30_000 })
    const click = actionsIn(await logOf(page)).findLast(action => action.eventType === 'click')
    expect(click?.payload.values).toMatchObject({ guest: 'Grace', notes: 'A quiet one' })
    await page.close()
  })

  it('A2-137 a call that is still being written shows a provisional preview, which the applied surface replaces', async () => {
    const page = await workbench.page()
    await page.getByRole('radio', { name: 'Slow writer' }).check({ force: true })
    await begin(page, 'draw')
    const provisional = page.locator('.v-a2-provisional')
    await provisional.getByText('Already').waitFor()
    await provisional.getByText('Preview while the agent still writes it').waitFor()
    goOn()
    await provisional.waitFor({ state: 'hidden' })
    await surface(page).getByText('Already here').waitFor()
    await ended(page)
    await send(page, 'fail')
    await provisional.getByText('Already').waitFor()
    goOn()
    await provisional.waitFor({ state: 'hidden' })
    expect(await page.locator('.v-a2').count()).toBe(1)
    await page.close()
  })
})
