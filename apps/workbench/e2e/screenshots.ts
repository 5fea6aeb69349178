// Pictures of every screen in every theme and width, to be looked at:
//   node --conditions=vitrine-source apps/workbench/e2e/screenshots.ts [folder] [name of a screen…]
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { begin, composer, openWorkbench, send } from './harness.ts'

const [folder = 'output/screenshots', ...only] = process.argv.slice(2)

const idle = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' })
const asked = async (page: Page, text: string) => {
  await begin(page, text)
  await page.locator('[data-safe]').first().waitFor()
}
const done = async (page: Page, text: string) => {
  await begin(page, text)
  await page.getByRole('button', { name: 'Copy the answer' }).first().waitFor()
  await idle(page)
}
const openDock = async (page: Page, tab: string) => {
  await page.getByRole('button', { name: 'Open the side panel' }).click()
  await page.getByRole('tab', { name: tab }).click()
}

/** A run that waits for an answer keeps one of the places for runs: the next screens need it. */
async function finish(page: Page) {
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  if (!(await stop.isVisible())) return
  await stop.click()
  await idle(page)
}

/** What to do before the picture is taken. Each begins on the first page, in a browser of its own. */
const screens: Record<string, (page: Page) => Promise<unknown>> = {
  home: page => composer(page).waitFor(),
  answer: page => done(page, 'Write a long answer'),
  streaming: async page => {
    await begin(page, 'Write a long answer')
    await page.locator('.v-answer').first().waitFor()
  },
  tools: async page => {
    await done(page, 'Run tools in parallel')
    await page.locator('.v-tool summary').first().click()
  },
  reasoning: async page => {
    await done(page, 'think')
    await page.locator('.v-reasoning summary').first().click()
  },
  retracted: async page => {
    await done(page, 'show a flaky tool')
    await page.locator('.v-retracted summary').click()
  },
  approval: page => asked(page, 'delete the old backups'),
  choice: page => asked(page, 'let me choose'),
  plan: page => asked(page, 'make a plan'),
  form: async page => {
    await begin(page, 'ask me with a form')
    await page.getByRole('button', { name: 'Submit' }).click({ delay: 500 })
  },
  queue: async page => {
    await begin(page, 'Work slowly so that I can interrupt')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await send(page, 'the first queued turn')
    await send(page, 'a second queued turn that is rather longer than the first, so that it has to be cut somewhere')
    await page.getByText('2 queued', { exact: true }).waitFor()
  },
  interrupted: async page => {
    await begin(page, 'Work slowly so that I can interrupt')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('region', { name: 'Interrupted' }).waitFor()
  },
  failed: async page => {
    await begin(page, 'fail on purpose')
    await page.getByRole('region', { name: 'Failed' }).waitFor()
  },
  child: async page => {
    await done(page, 'delegate to a child agent')
    await page.locator('.v-agent summary').click()
  },
  state: async page => {
    await done(page, 'show the shared state')
    await openDock(page, 'State')
  },
  permissions: async page => {
    await asked(page, 'delete the old backups')
    await page.getByRole('button', { name: 'Approve for this scope' }).click({ delay: 500 })
    await idle(page)
    await openDock(page, 'Permissions')
  },
  palette: async page => {
    await composer(page).waitFor()
    await page.keyboard.press('Control+k')
  },
}

const bench = await openWorkbench({ pace: 0.3 })
mkdirSync(resolve(folder), { recursive: true })
try {
  for (const [name, prepare] of Object.entries(screens)) {
    if (only.length > 0 && !only.includes(name)) continue
    for (const dark of [false, true]) {
      for (const width of [1280, 390]) {
        const page = await bench.page({ width, height: width < 720 ? 844 : 860, dark })
        await prepare(page)
        await page.waitForTimeout(300)
        const file = join(folder, `${name}-${dark ? 'dark' : 'light'}-${width}.png`)
        await page.screenshot({ path: file })
        console.log(file)
        await finish(page)
        await page.context().close()
      }
    }
  }
} finally {
  await bench.close()
}
