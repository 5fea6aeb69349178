// Takes pictures of every screen of the workbench, in light and dark, wide and narrow:
// npm run screenshots -- workbench [name of a screen …]
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGuide, createScout } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { answers, begin, composer, ended, openPanel, openWorkbench, send } from '../../apps/workbench/e2e/harness.ts'

const folder = join(import.meta.dirname, '../../.cache/screenshots/workbench')
const wanted = process.argv.slice(2)
const sizes = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } }
const themes = ['light', 'dark'] as const

const workbench = await openWorkbench({ agents: [createGuide({ pace: 0.05 }), createScout({ pace: 0 })] })

const region = (page: Page, name: string) => page.getByRole('region', { name }).first()

async function play(page: Page, ...turns: string[]): Promise<void> {
  for (const [n, turn] of turns.entries()) {
    if (n === 0) await begin(page, turn)
    else await send(page, turn)
    await ended(page, n + 1)
  }
  await answers(page).last().waitFor()
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Open the side panel' }).click()
  await openPanel(page, name)
}

async function queueAndSteer(page: Page): Promise<void> {
  await begin(page, '/approval')
  await region(page, 'Delete 2 backups for good?').waitFor()
  await page.getByRole('radio', { name: 'Queue' }).check({ force: true })
  await send(page, 'Then write a summary of what was deleted, and why, for the people who were not there')
  await send(page, 'And a short list of what is left')
  await region(page, 'Queue').getByText('And a short list').waitFor()
  await page.getByRole('radio', { name: 'Steer' }).check({ force: true })
  await send(page, 'Keep the newest backup in any case')
  await page.getByText('Waiting for the run to take it:').waitFor()
  await composer(page).fill('A draft that\nhas two lines')
}

/** Brings the page to a screen. The history that the screen needs is made by talking to the guide. */
const screens: Record<string, (page: Page) => Promise<unknown>> = {
  empty: page => page.getByRole('list', { name: 'Suggestions' }).waitFor(),
  answer: page => play(page, '/long-answer'),
  'answer-start': async page => {
    await play(page, '/long-answer')
    await page.getByRole('region', { name: 'Conversation' }).evaluate(element => element.scrollTo(0, 0))
  },
  reasoning: async page => {
    await play(page, '/reasoning', '/retried-tool')
    await page
      .getByText(/^Thought/)
      .first()
      .click()
  },
  retracted: async page => {
    await play(page, '/retried-tool')
    await page.getByText(/^Withdrawn/).click()
  },
  streaming: async page => {
    await begin(page, '/long-answer')
    await answers(page).first().waitFor()
  },
  tools: async page => {
    await play(page, '/tools')
    await page.getByText('Read the access log').click()
  },
  'large-output': async page => {
    await play(page, '/tools')
    await page.getByText('Read the access log').click()
    await page.getByRole('button', { name: /Show all/ }).click()
    await page.getByRole('button', { name: /more character/ }).scrollIntoViewIfNeeded()
  },
  'tools-running': async page => {
    await begin(page, '/slow-work 600')
    await page.getByText(/process \d+, 2 of/).waitFor()
  },
  approval: async page => {
    await begin(page, '/approval')
    await region(page, 'Delete 2 backups for good?').waitFor()
  },
  choice: async page => {
    await begin(page, '/choice')
    await region(page, 'Where would you go?').waitFor()
  },
  form: async page => {
    await begin(page, '/form')
    await region(page, 'Reserve a table').waitFor()
    await page.waitForTimeout(500)
    await page.getByRole('button', { name: 'Send answers' }).click()
    await page.getByText('Required', { exact: true }).first().waitFor()
  },
  plan: async page => {
    await begin(page, '/plan')
    await region(page, 'Start with these 4 steps?').waitFor()
  },
  queue: queueAndSteer,
  interrupted: async page => {
    await begin(page, '/slow-work 600')
    await page.getByText(/process \d+/).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await region(page, 'Stopped').waitFor()
    await page.getByText('Work for 600 seconds').click()
  },
  failed: async page => {
    await begin(page, '/failing-run')
    await region(page, 'Failed').getByRole('button', { name: 'Try again' }).click()
    await ended(page, 2)
    await page.getByText('Attempt 2 worked.').waitFor()
  },
  tasks: async page => {
    await begin(page, '/slow-work 600')
    await page.getByRole('radio', { name: 'New task' }).check({ force: true })
    for (const task of ['/slow-work 600', '/approval', '/failing-run', '/reasoning']) {
      await send(page, task)
      await composer(page).and(page.locator(':placeholder-shown')).waitFor()
    }
    await page.getByRole('button', { name: /1 needs you/ }).click()
    await page.getByRole('tabpanel', { name: 'Tasks' }).waitFor()
    await page.waitForTimeout(1000)
  },
  notices: async page => {
    await begin(page, '/slow-work 600')
    await page.getByRole('radio', { name: 'New task' }).check({ force: true })
    for (const task of ['hello', 'hello again']) {
      await send(page, task)
      await composer(page).and(page.locator(':placeholder-shown')).waitFor()
    }
    await page.getByRole('main').getByText('New task started').waitFor()
  },
  state: async page => {
    await play(page, '/state')
    await openTab(page, 'State')
  },
  permissions: async page => {
    await begin(page, '/approval')
    await page.getByLabel('Type allow to go on').fill('allow')
    await page.waitForTimeout(500)
    await page.getByRole('button', { name: 'Always allow in this session' }).click()
    await ended(page)
    await openTab(page, 'Permissions')
  },
  'plan-panel': async page => {
    await begin(page, '/plan')
    await region(page, 'Start with these 4 steps?').waitFor()
    await openTab(page, 'Plan')
  },
  diagnostics: async page => {
    await play(page, '/diagnostic')
    await openTab(page, 'Diagnostics')
  },
  child: async page => {
    await play(page, '/subagent')
    await page.getByText('Find a quiet place to work nearby.').click()
  },
  generated: page => play(page, '/booking-form', '/dashboard'),
  artifact: page => play(page, '/artifact', '/compaction'),
  palette: async page => {
    await play(page, 'hello')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  },
  keys: async page => {
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  },
  settings: async page => {
    if (page.viewportSize()!.width < 720) await page.getByRole('button', { name: 'Sessions' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.waitForTimeout(200)
  },
  sessions: async page => {
    for (const text of [
      'hello',
      'A session whose name is very long, because nobody has found the time to give it a better one',
      'hello again',
      '你好',
    ]) {
      await play(page, text)
    }
    await begin(page, '/approval')
    await region(page, 'Delete 2 backups for good?').waitFor()
    await begin(page, '/slow-work 600')
    await page.getByText(/process \d+/).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await region(page, 'Stopped').waitFor()
    await begin(page, '/slow-work 600')
    await page.getByText(/process \d+/).waitFor()
    if (page.viewportSize()!.width < 720) await page.getByRole('button', { name: 'Sessions' }).click()
  },
  'not-loaded': async page => {
    await page.route(/gallery.*\.js/, route => route.abort())
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.type('gallery')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Reload the page' }).waitFor()
  },
  'long-words': page =>
    play(
      page,
      `${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(6)} and https://example.com/${'a/very/long/path/'.repeat(12)}`,
    ),
  gone: async page => {
    await page.goto(new URL('/s/none', page.url()).href)
    await page.getByText('This session no longer exists.').waitFor()
  },
  offline: async page => {
    await play(page, 'hello')
    await workbench.stop()
    await page.getByRole('main').getByText('Offline.').waitFor()
    await send(page, 'This cannot be sent now')
    await page.getByText('Sends when you are back').waitFor()
  },
}

/** The same screens in Chinese, where words are shorter and the font is another one. */
const chinese: Record<string, (page: Page) => Promise<unknown>> = {
  'zh-empty': page => page.getByRole('button', { name: '发送' }).waitFor(),
  'zh-approval': async page => {
    await composer(page).or(page.locator('[data-composer]')).first().fill('删除旧备份')
    await page.locator('[data-composer]').press('Enter')
    await page.waitForURL(/\/s\//)
    await page
      .getByRole('region')
      .filter({ has: page.getByRole('button') })
      .last()
      .waitFor()
    await page.waitForTimeout(800)
  },
  'zh-tools': async page => {
    await page.locator('[data-composer]').fill('并行运行工具')
    await page.locator('[data-composer]').press('Enter')
    await page.waitForURL(/\/s\//)
    await ended(page)
    await page.waitForTimeout(300)
  },
}

if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const failed: string[] = []
const all = [
  ...Object.entries(screens).map(([name, go]) => ({ name, go, locale: 'en-GB' })),
  ...Object.entries(chinese).map(([name, go]) => ({ name, go, locale: 'zh-CN' })),
]
for (const { name, go, locale } of all) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const [width, size] of Object.entries(sizes)) {
    const page = await workbench.page({ ...size, locale })
    try {
      await go(page)
      // The theme changes while the page is open, as it does when the system changes its theme.
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) })
      }
    } catch (error) {
      failed.push(`${name} ${width}: ${(error as Error).message.split('\n')[0]}`)
      await page.screenshot({ path: join(folder, `${name}-${width}-FAILED.png`) })
    }
    await page.context().close()
    // Interrupts the runs that the screen has left, because they would take the places of the next runs.
    await workbench.restart()
  }
}
await workbench.close()
console.log(failed.length === 0 ? `Pictures are in ${folder}` : failed.join('\n'))
process.exitCode = failed.length === 0 ? 0 : 1
