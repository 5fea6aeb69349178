// Sets the product beside the drawn screens that it is built to: npm run screenshots -- mockups [folder of the drawn
// screens] [name …]. Agents of this file say what the drawn ones say, so that the two differ only where the product does.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Agent, AgentContext, AgentOutput } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { begin, ended, openPanel, openWorkbench, send, sessionOf } from '../../apps/workbench/e2e/harness.ts'
import { source, tool } from '../../apps/workbench/e2e/tool-sources.fixture.ts'
import { drawnScenes, uiOf } from './mockups/drawn.ts'
import { CHECKOUT, clear, drawnList, listedOf, listScenes } from './mockups/listed.ts'
import { awayScenes, CHANGES, type Cut, emptyScenes, type Scene, sceneOf, scenesOf, toTop } from './mockups/scenes.ts'

const root = join(import.meta.dirname, '../..')
const given = process.argv.slice(2)
const isDrawn = (folder: string) => existsSync(join(folder, 'a-home-light.png'))
const [drawn, wanted] =
  given[0] !== undefined && isDrawn(given[0])
    ? [given[0], given.slice(1)]
    : [join(root, '../shared/design/mockups/shots'), given]
/** The product alone, in full size. */
const alone = join(root, '.cache/screenshots/mockups')
/** Both beside each other. Without the drawn screens these pictures stay as they are. */
const target = isDrawn(drawn) ? join(root, 'docs/images/beside') : null
if (!target) console.log('The drawn screens are not here, so only the product is taken.')

const text = (delta: string, partId = 'answer'): AgentOutput => ({ type: 'text.delta', partId, delta })

const PLAN = [
  { id: 'branch', title: 'Create a branch', detail: 'perf/parallel-tax-stock' },
  { id: 'both', title: 'Ask tax and stock at the same time', detail: 'Edits 2 files, asks first' },
  { id: 'test', title: 'Run the same load test', detail: 'About 40 s' },
  { id: 'queue', title: 'Rewrite the order queue' },
  { id: 'pull', title: 'Open a pull request', detail: 'Reviewer: Jonas' },
]

const COURIER = {
  type: 'object',
  required: ['account', 'service', 'pickUp'],
  properties: {
    account: { type: 'string', title: 'Account number', minLength: 12, description: 'It has the form DE-0000-0000.' },
    service: {
      type: 'string',
      title: 'Service',
      enum: ['Return, 2 days', 'Return, 5 days'],
      default: 'Return, 2 days',
    },
    pickUp: { type: 'string', title: 'First pick-up', format: 'date', default: '2025-07-14' },
    print: { type: 'boolean', title: 'Print labels without asking again', default: true },
  },
}

const asks: Record<string, (context: AgentContext) => Promise<unknown>> = {
  approval: context =>
    context.ask({
      kind: 'approval',
      title: 'Edit 2 files in checkout-service?',
      detail: 'On the branch `perf/parallel-tax-stock`. Touches the payment path. You can undo it.',
      risk: 'medium',
      scope: { key: 'edit', label: 'editing files of checkout-service' },
      changes: CHANGES,
    }),
  two: context => Promise.all([asks.approval!(context), asks.delete!(context)]),
  delete: context =>
    context.ask({
      kind: 'approval',
      title: 'Delete 2 backups for good?',
      detail: '`orders-2023.tar.gz` and `orders-2024.tar.gz`, 18.4 GB. This cannot be undone.',
      risk: 'high',
    }),
  choice: context =>
    context.ask({
      kind: 'choice',
      title: 'Which tone for the French refund page?',
      detail: 'Scout found both in use on the site.',
      options: [
        { value: 'vous', label: 'Vous, formal', detail: 'Same as the terms and the invoices' },
        { value: 'tu', label: 'Tu, friendly', detail: 'Same as the app and the newsletter' },
      ],
    }),
  question: context => context.ask({ kind: 'question', title: 'Who should be told when a batch fails?' }),
  form: context =>
    context.ask({
      kind: 'form',
      title: 'Set up the courier account',
      detail: 'Front desk needs this once, to print return labels.',
      schema: COURIER,
    }),
  plan: context =>
    context.ask({
      kind: 'plan',
      title: 'Review plan',
      detail: 'Five steps, about 12 minutes and $0.60.',
      plan: PLAN,
    }),
  prices: context => context.ask({ kind: 'approval', title: 'Allow 3 price changes?', risk: 'medium' }),
  branch: context => context.ask({ kind: 'approval', title: 'Create a branch?', risk: 'low' }),
  tests: context =>
    context.ask({
      kind: 'approval',
      title: 'Allow Run tests?',
      detail: 'In this session, from now on. You can take it back in Tools.',
    }),
}

async function* forge(input: { text: string }, context: AgentContext): AsyncIterable<AgentOutput> {
  const asked = SAID[input.text] ?? /^Ask: (\w+)/.exec(input.text)?.[1]
  if (asked) {
    if (asked === 'steps') {
      await asks.plan!(context)
      await asks.branch!(context)
    }
    yield text(
      'The branch is ready. I will change how an order is placed and keep the old path behind a flag until the load test has passed.',
    )
    await asks[asked === 'steps' ? 'approval' : asked]?.(context)
  } else {
    const scene =
      listedOf(input.text, context, input.text.includes('Allow 3') ? asks.prices! : asks.choice!) ??
      uiOf(input.text, context) ??
      sceneOf(input.text, context)
    if (scene) yield* scene
    else yield text('There is nothing to say to that.')
  }
}

const commands = [
  { name: 'profile', description: 'Profile checkout and name the slowest call' },
  { name: 'review', description: 'Review the open pull request on pricing' },
  { name: 'tests', description: 'Write the missing tests for refunds' },
]

const agent = (agentId: string, name: string, description: string): Agent => ({
  agentId,
  name,
  description,
  commands,
  run: forge,
})
const workbench = await openWorkbench({
  agents: [
    // The faces come from the ids; these have the drawn ones.
    agent('forge-36', 'Forge', 'Writes code'),
    agent('scout-73', 'Scout', 'Checks facts'),
    agent('ledger-13', 'Ledger', 'Runs numbers'),
    agent('front-desk-82', 'Front desk', 'Takes calls'),
  ],
  tools: [
    source('code', 'Code', [
      tool('code', 'Search code', 'reads', 'Finds words in the code'),
      tool('code', 'Query metrics', 'reads', 'Reads what was measured'),
      tool('code', 'Run tests', 'outside', 'Runs the tests of a branch'),
      tool('code', 'Edit files', 'writes', 'Only on branches that it made'),
      tool('code', 'Open pull request', 'outside', 'Asks for a review'),
    ]),
    source(
      'talk',
      'Chat and mail',
      [
        tool('talk', 'Post to chat', 'outside', 'Needs the chat token'),
        tool('talk', 'Send mail', 'outside', 'To people of your company only'),
      ],
      () => ({ state: 'failed', message: 'The chat token is missing. Set it and check again.' }),
    ),
  ],
})

/** What a person says on the drawn screens, and what the agent asks then. */
const STEPS = 'Make the change on a branch and prove it with a load test.'
const BOTH = 'Make the change, and delete the old backups.'
const TESTS = 'You may run tests without asking. Everything that writes still asks.'
const SAID: Readonly<Record<string, string>> = { [STEPS]: 'steps', [BOTH]: 'two', [TESTS]: 'tests' }
/** Buttons of a request that has just come do not count yet. */
const ARMED_AFTER = 700

/** A word of the changes that has its colour. */
const COLOURED = '.v-diff-lines [class^="v-code-"]'

const titled = (page: Page) =>
  page.request.patch(new URL(`/api/sessions/${sessionOf(page)}`, page.url()).href, { data: { title: CHECKOUT } })

async function request(page: Page, kind: string): Promise<void> {
  await begin(page, `Ask: ${kind}`)
  await page.locator('.v-request').waitFor()
}

const requests = (kind: string, cut?: Cut): Scene => ({
  drawn: 'c2-requests',
  ...(cut && { cut, part: '.v-request' }),
  go: page => request(page, kind),
})
const screens: Record<string, Scene> = {
  ...emptyScenes,
  'c1-approval': {
    async go(page) {
      await begin(page, STEPS)
      await titled(page)
      for (const name of ['Start', 'Allow once']) {
        const button = page.locator('.v-request').getByRole('button', { name, exact: true })
        await button.waitFor()
        await page.waitForTimeout(ARMED_AFTER)
        await button.click()
      }
      await page.locator(`.v-request ${COLOURED}`).first().waitFor()
      // The ring shows to those who use keys.
      await page.keyboard.press('Tab')
      await page.locator('.v-request [data-safe]').focus()
    },
  },
  'g3-tools': {
    async go(page) {
      await begin(page, TESTS)
      await titled(page)
      await page.locator('.v-request').waitFor()
      await page.getByRole('button', { name: 'Open the side panel' }).click()
      await openPanel(page, 'Tools')
      const choice = (name: string, policy: string) =>
        page.getByRole('group', { name: `What ${name} may do` }).getByRole('radio', { name: policy })
      await choice('Post to chat', 'Off').check({ force: true })
      await page.getByText('Your choice').waitFor()
    },
  },
  'c2-requests-choice': {
    ...requests('choice', [32, 22, 448, 376]),
    async go(page) {
      await request(page, 'choice')
      await page.getByRole('radio', { name: 'Vous, formal' }).check({ force: true })
    },
  },
  'c2-requests-form': {
    ...requests('form', [498, 22, 448, 356]),
    async go(page) {
      await request(page, 'form')
      await page.getByRole('textbox', { name: 'Account number' }).fill('DE-4471-88')
      await page.getByRole('textbox', { name: 'Account number' }).blur()
    },
  },
  'c2-requests-plan': {
    ...requests('plan', [964, 22, 448, 460]),
    async go(page) {
      await request(page, 'plan')
      await page.locator('.v-request').getByRole('checkbox').nth(3).uncheck({ force: true })
    },
  },
  'c2-requests-approval': requests('delete', [32, 414, 448, 252]),
  'c2-requests-question': {
    ...requests('question', [498, 394, 448, 210]),
    async go(page) {
      await request(page, 'question')
      await page.locator('.v-request').getByRole('textbox').fill('Jonas by day, the on-call list at night')
    },
  },
  'k5c-approval-sheet': {
    only: 'narrow',
    go: async page => {
      await begin(page, 'Why did checkout get slower in July?')
      await ended(page)
      await titled(page)
      await send(page, BOTH)
      await page.locator('.v-request').first().waitFor()
      await toTop(page)
      await page.locator('.v-docked-title').tap()
      await page.locator(`.v-request-sheet ${COLOURED}`).first().waitFor()
    },
  },
  ...drawnScenes,
  ...scenesOf(workbench),
  ...listScenes,
  ...awayScenes(workbench),
}

const themes = ['light', 'dark'] as const
const QUALITY = 62
/** How wide a whole page is drawn in the picture, and what stands between two of them. */
const SHOWN = { wide: 960, narrow: 390 }

interface Side {
  words: string
  png: Buffer
  /** The pixels of the picture that are shown; all of them when absent. */
  cut?: Cut | undefined
  /** The width of the whole picture as it is shown. */
  width: number
}

const figure = ({ words, png, cut, width }: Side): string => {
  const source = `src="data:image/png;base64,${png.toString('base64')}"`
  const picture = cut
    ? `<div style="inline-size:${cut[2]}px;block-size:${cut[3]}px;overflow:hidden"><img ${source} style="margin:${-cut[1]}px 0 0 ${-cut[0]}px"></div>`
    : `<img ${source} style="inline-size:${width}px">`
  return `<figure style="margin:0"><figcaption>${words}</figcaption>${picture}</figure>`
}

/** One picture with the drawn screen and the product next to each other, in light and dark. Chromium puts it together. */
async function compose(name: string, rows: readonly (readonly Side[])[]): Promise<void> {
  const page = await workbench.browser.newPage({ viewport: { width: 2_400, height: 100 } })
  await page.setContent(`<style>
    body { margin: 0; inline-size: max-content; padding: 12px; background: #8a8a8a; font: 13px/1 Inter, sans-serif }
    div.row { display: flex; gap: 12px; align-items: start }
    div.row + div.row { margin-block-start: 12px }
    figcaption { padding-block-end: 6px; color: #fff }
    img { display: block }
  </style>${rows.map(row => `<div class=row>${row.map(figure).join('')}</div>`).join('')}`)
  await page.evaluate(() => Promise.all([...document.images].map(image => image.decode())))
  const { width, height } = (await page.locator('body').boundingBox())!
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: Math.ceil(width), height: Math.ceil(height), scale: 1 },
  })
  await writeFile(join(target!, `${name}.webp`), Buffer.from(data, 'base64'))
  await page.close()
}

/** The drawn screen for a picture of the product, when there is one. */
async function drawnOf({ drawn: shot, cut }: Scene, screen: string, theme: string, narrow: boolean) {
  const path = join(drawn, `${shot ?? screen}-${theme}${narrow && !cut ? '-390' : ''}.png`)
  return existsSync(path) ? readFile(path) : null
}

async function take(screen: string, scene: Scene, narrow: boolean): Promise<void> {
  const { go, locale = 'en-GB', rtl = false, size, cut, part } = scene
  const [width, height] = narrow ? [390, 844] : (size ?? [1440, 900])
  const name = narrow ? `${screen}-390` : screen
  // A phone: its scroll bars lie over the page, and its targets are large.
  const phone = narrow && { isMobile: true, hasTouch: true }
  const context = await workbench.browser.newContext({
    viewport: { width, height },
    locale,
    reducedMotion: 'reduce',
    ...phone,
  })
  try {
    await workbench.start()
    const page = await workbench.page({ context })
    page.setDefaultTimeout(30_000)
    if (!scene.bare) await drawnList(page)
    await go(page)
    if (rtl) await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    const sides: Side[][] = []
    await page.mouse.move(0, 0)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.waitForTimeout(600)
      const product = await (part ? page.locator(part).first() : page).screenshot()
      await writeFile(join(alone, `${name}-${theme}.png`), product)
      const before = await drawnOf(scene, screen, theme, narrow)
      const shown = narrow ? SHOWN.narrow : SHOWN.wide
      const own = part ? (await page.locator(part).first().boundingBox())!.width : shown
      sides.push([
        ...(before ? [{ words: `Drawn, ${theme}`, png: before, cut, width: shown }] : []),
        { words: `Product, ${theme}`, png: product, width: own },
      ])
    }
    if (target) await compose(name, narrow ? [sides.flat()] : sides)
    await workbench.start()
    await clear(page)
  } catch (error) {
    await context.pages()[0]?.screenshot({ path: join(alone, `${name}-failed.png`) })
    throw error
  } finally {
    await context.close()
  }
}

if (target && wanted.length === 0) await rm(target, { recursive: true, force: true })
for (const folder of [alone, ...(target ? [target] : [])]) await mkdir(folder, { recursive: true })
const failed: string[] = []
for (const [screen, scene] of Object.entries(screens)) {
  if (wanted.length > 0 && !wanted.includes(screen)) continue
  for (const narrow of [false, true]) {
    if (scene.only && (scene.only === 'narrow') !== narrow) continue
    await take(screen, scene, narrow).catch(error => {
      failed.push(`${screen}${narrow ? '-390' : ''}: ${(error as Error).message.split('\n')[0]}`)
    })
  }
}
await workbench.close()
for (const line of failed) console.error(line)
console.log(`Pictures are in ${target ?? alone}`)
process.exit(failed.length > 0 ? 1 : 0)
