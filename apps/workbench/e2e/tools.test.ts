import type { SessionEvent } from '@vitrine/protocol'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, logOf, openPanel, openWorkbench, send, type Workbench } from './harness.ts'
import { callingAgent, source, tool } from './tool-sources.fixture.ts'

const many = Array.from({ length: 500 }, (_, n) => tool('big', `Service ${n}`, 'reads', `Number ${n} of very many`))

let workbench: Workbench
let crowded: boolean
beforeAll(async () => {
  workbench = await openWorkbench({
    agents: [callingAgent()],
    tools: [
      source('code', 'Code', [
        tool('code', 'Search code', 'reads', 'Finds words in the code'),
        tool('code', 'Edit files', 'writes', 'Edits files'),
      ]),
      source('mail', 'Mail', [tool('mail', 'Send mail', 'outside', 'Sends mail')], () => ({
        state: 'failed',
        message: 'The mail server does not answer.',
      })),
      { ...source('big', 'Big', []), tools: async () => (crowded ? many : []) },
    ],
  })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

const panel = (page: Page) => page.locator('.v-tools')
const policy = (page: Page, name: string) => page.getByRole('group', { name: `What ${name} may do` })
const updates = (events: readonly SessionEvent[]) =>
  events.flatMap(event => (event.type === 'session.updated' ? [event.metadata?.tools] : [])).filter(Boolean)

async function openTools(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the side panel' }).click()
  await openPanel(page, 'Tools')
  await policy(page, 'Edit files').waitFor()
}

describe('the tools of a session', () => {
  it('P-9700 P-9701 P-9702 P-9703 are shown by who offers them, and a choice counts in every tab until it is taken back', async () => {
    crowded = false
    const page = await workbench.page()
    const sessionId = await begin(page, 'call search_code own')
    await ended(page)
    await openTools(page)
    const words = await panel(page).textContent()
    expect(words).toMatch(/Vitrine.*Built in.*Ready.*Code.*This server.*Mail.*Failed.*The mail server does not answer/s)
    expect(words).toMatch(/Edit files.*Writes.*Send mail.*Acts outside/s)
    expect(words).toMatch(/Used once/)
    expect(words).toMatch(/My own.*Shown, not governed/s)
    expect(await page.getByRole('group', { name: 'What My own may do' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])

    // By keys alone: the arrow goes from Ask over Allow to Off.
    const other = await workbench.page({ context: page.context(), path: `/s/${sessionId}` })
    await openPanel(other, 'Tools')
    await page.bringToFront()
    await policy(page, 'Edit files').getByRole('radio', { name: 'Ask' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => updates(await logOf(page)).length).toBe(1)
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(async () => updates(await logOf(page)).at(-1))
      .toMatchObject({ policies: { 'code:edit-files': 'off' } })
    await other.bringToFront()
    await expect.poll(() => policy(other, 'Edit files').getByRole('radio', { name: 'Off' }).isChecked()).toBe(true)
    await panel(other).getByText('Your choice').waitFor()

    // A tool that is off is not offered to the agent any more.
    await send(other, 'call edit_files')
    await ended(other, 2)
    const events = await logOf(other)
    expect(events.some(event => event.type === 'tool.started' && event.name === 'edit_files')).toBe(false)

    await other.getByRole('button', { name: 'Take back your choice for Edit files' }).click()
    await expect.poll(() => policy(other, 'Edit files').getByRole('radio', { name: 'Ask' }).isChecked()).toBe(true)
    expect(await other.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')

    // What the server does not take is not claimed.
    await other.route('**/tools', route => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await policy(other, 'Send mail')
      .getByRole('radio', { name: 'Off' })
      .check({ force: true })
      .catch(() => {})
    await panel(other).getByText('Not changed.').waitFor()
    expect(await policy(other, 'Send mail').getByRole('radio', { name: 'Off' }).isChecked()).toBe(false)
    await page.context().close()
  })

  it('P-9704 five hundred of them are searched, and only those in sight are in the page', async () => {
    crowded = true
    const page = await workbench.page({ width: 390, height: 844 })
    await begin(page, 'hello')
    await ended(page)
    await openTools(page)
    await panel(page)
      .getByText(/50\d tools/)
      .waitFor()
    expect(await panel(page).getByRole('listitem').count()).toBeLessThan(100)
    await panel(page).getByRole('searchbox', { name: 'Find a tool' }).fill('service 417')
    await policy(page, 'Service 417').waitFor()
    expect(await panel(page).locator('.v-toolset-line').count()).toBe(1)
    await panel(page).getByRole('searchbox').fill('nothing of the kind')
    await panel(page).getByText('No tool has “nothing of the kind” in its name.').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    crowded = false
    await page.context().close()
  })
})

describe('what tools may do', () => {
  it('P-9710 P-9711 P-9712 is chosen before the first message, by keys, and allowing all has to be confirmed and stays in sight', async () => {
    const page = await workbench.page()
    await page.locator('.v-home-title').waitFor()
    await page.keyboard.press('Shift+F8')
    const menu = page.locator('.v-menu:popover-open')
    await menu.getByRole('button', { name: /^Ask/ }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'What tools may do: Ask' }).waitFor()
    await begin(page, 'call search_code')
    // What only reads would not have asked.
    const request = page.getByRole('region', { name: 'Run Search code?' })
    await request.waitFor()
    expect(updates(await logOf(page))).toMatchObject([{ mode: 'ask' }])
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await ended(page)

    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('permission mode')
    await page.keyboard.press('Enter')
    await menu.getByRole('button', { name: /^Allow all/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Allow everything in this session?' })
    await dialog.waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'What tools may do: Ask' }).click()
    await menu.getByRole('button', { name: /^Allow all/ }).click()
    await dialog.getByRole('button', { name: 'Allow all' }).click()
    const warns = page.getByRole('button', { name: 'What tools may do: Allow all' })
    await warns.waitFor()
    expect(await warns.getAttribute('data-tone')).toBe('danger')
    await send(page, 'call edit_files')
    await ended(page, 2)
    expect((await logOf(page)).some(event => event.type === 'tool.result')).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })
})

describe('what an answer and a session have used', () => {
  it('P-9720 P-9730 P-9740 P-9741 stands below the answer, in the composer, in the head and day by day', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    const facts = page.getByRole('button', { name: /meridian-2.*1\.5k tokens/i })
    await facts.click()
    const detail = page.getByRole('group', { name: 'How this answer came about' })
    await expect
      .poll(() => detail.textContent())
      .toMatch(
        /Model.*meridian-2.*First words after.*Tokens in.*1,200.*From the cache.*800.*Tokens out.*340.*For thinking.*40.*Cost.*\$0\.0123/s,
      )
    await page.keyboard.press('Escape')
    await page.getByRole('img', { name: '19% of 8k tokens in use' }).waitFor()
    await composer(page).fill('word '.repeat(1_000))
    await page.getByText('About 1.3k tokens').waitFor()
    await composer(page).fill('word '.repeat(6_000))
    await page.getByRole('img', { name: /More than the 8k tokens/ }).waitFor()
    await composer(page).fill('')

    // Another answer takes the place of the first: both were paid for.
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await ended(page, 2)
    await page.locator('header button.v-usage').click()
    await expect
      .poll(() => page.getByRole('group', { name: 'What this session used' }).textContent())
      .toMatch(/3\.1k tokens · \$0\.0246.*Answers that were replaced count too/s)
    await page.keyboard.press('Escape')

    await page.goto(new URL('/usage', page.url()).href)
    await page.getByText('Tokens a day').waitFor()
    expect(await page.locator('.v-usage-facts').textContent()).toMatch(/Today.*tokens/s)
    await page.getByRole('cell', { name: 'meridian-2' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })
})
