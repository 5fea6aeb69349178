// Sets the product beside the drawn screens that it is built to: npm run screenshots -- mockups <folder of the drawn
// screens> [name …]. Agents of this file say what the drawn ones say, so that the two differ only where the product does.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Agent, AgentContext, AgentOutput } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { begin, ended, openWorkbench, send } from '../../apps/workbench/e2e/harness.ts'
import { listedOf, listScenes } from './mockups/listed.ts'
import { type Scene, sceneOf, scenesOf, toTop } from './mockups/scenes.ts'

const [drawn = '', ...wanted] = process.argv.slice(2)
if (!existsSync(join(drawn, 'a-home-light.png'))) {
  console.error('Give the folder of the drawn screens: npm run screenshots -- mockups <folder>')
  process.exit(2)
}
const target = join(import.meta.dirname, '../../docs/images/beside')

const text = (delta: string, partId = 'answer'): AgentOutput => ({ type: 'text.delta', partId, delta })

const PLAN = [
  { id: 'branch', title: 'Create a branch', detail: 'perf/parallel-tax-stock' },
  { id: 'both', title: 'Ask tax and stock at the same time', detail: 'Edits 2 files, asks first' },
  { id: 'test', title: 'Run the same load test', detail: 'About 40 s' },
  { id: 'queue', title: 'Rewrite the order queue' },
  { id: 'pull', title: 'Open a pull request', detail: 'Reviewer: Jonas' },
]

const BEFORE = `export async function placeOrder(cart: Cart) {
  const tax = await taxFor(cart)
  const stock = await reserve(cart.lines)
  return orders.write({ ...cart, tax, stock })
}
`
const AFTER = `export async function placeOrder(cart: Cart) {
  const [tax, stock] = await Promise.all([
    taxFor(cart, { timeout: 250 }),
    reserve(cart.lines, { ttl: '10m' }),
  ])
  return orders.write({ ...cart, tax, stock })
}
`
const CHANGES = [
  { path: 'src/orders/place.ts', line: 41, before: BEFORE, after: AFTER },
  {
    path: 'src/orders/place.test.ts',
    after: "it('asks tax and stock at the same time', async () => {\n  await placeOrder(cart)\n})\n",
  },
]

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
  plan: context => context.ask({ kind: 'plan', title: 'Review plan', plan: PLAN }),
}

async function* forge(input: { text: string }, context: AgentContext): AsyncIterable<AgentOutput> {
  const asked = /^Ask: (\w+)/.exec(input.text)?.[1]
  if (asked) {
    yield text(
      'The branch is ready. I will change how an order is placed and keep the old path behind a flag until the load test has passed.',
    )
    await asks[asked]?.(context)
  } else {
    const scene = listedOf(input.text, context, asks.choice!) ?? sceneOf(input.text, context)
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
    agent('forge', 'Forge', 'Writes code'),
    agent('scout', 'Scout', 'Checks facts'),
    agent('ledger', 'Ledger', 'Runs numbers'),
    agent('front-desk', 'Front desk', 'Takes calls'),
  ],
})

async function request(page: Page, kind: string): Promise<void> {
  await begin(page, `Ask: ${kind}`)
  await page.locator('.v-request').waitFor()
}

const requests = (kind: string, drawn: string): Scene => ({ drawn, go: page => request(page, kind) })
const screens: Record<string, Scene> = {
  'c1-approval': requests('approval', 'c1-approval'),
  'c2-requests': requests('choice', 'c2-requests'),
  'c2-requests-plan': requests('plan', 'c2-requests'),
  'c2-requests-delete': requests('delete', 'c2-requests'),
  'c2-requests-question': requests('question', 'c2-requests'),
  'k5c-approval-sheet': {
    drawn: 'k5c-approval-sheet',
    go: async page => {
      await begin(page, 'This is last night')
      await ended(page)
      await send(page, 'Ask: two')
      await page.locator('.v-request').first().waitFor()
      await toTop(page)
      await page.locator('.v-docked-title').tap()
      await page.locator('.v-request-sheet .v-diff-lines').waitFor()
    },
  },
  ...scenesOf(workbench),
  // The last ones: what they make would stand in the side bar of the others.
  ...listScenes,
}

/** One picture: the drawn screen on the left, the product on the right. */
async function beside(name: string, shot: string, product: Buffer, width: number): Promise<void> {
  const page = await workbench.browser.newPage({ viewport: { width: width * 2 + 24, height: 100 } })
  const image = (bytes: Buffer) => `<img width=${width} src="data:image/png;base64,${bytes.toString('base64')}">`
  await page.setContent(
    `<body style="margin:8px;display:flex;gap:8px;align-items:start;background:#888">${image(await readFile(shot))}${image(product)}</body>`,
  )
  await page.screenshot({ path: join(target, `${name}.jpg`), type: 'jpeg', quality: 72, fullPage: true })
  await page.close()
}

if (wanted.length === 0) await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
const failed: string[] = []
for (const [screen, { go, drawn: shot = screen, locale = 'en-GB', rtl = false, size }] of Object.entries(screens)) {
  if (wanted.length > 0 && !wanted.includes(screen)) continue
  for (const [suffix, width, height, shown] of [
    ['', ...(size ?? ([1440, 900] as const)), 900],
    ['-390', 390, 844, 390],
  ] as const) {
    const shots = (['light', 'dark'] as const).map(theme => {
      const narrow = join(drawn, `${shot}-${theme}${suffix}.png`)
      // The states are drawn once; on a phone they are compared with that.
      const path = existsSync(narrow) || shot === screen ? narrow : join(drawn, `${shot}-${theme}.png`)
      return { theme, path }
    })
    if (!shots.some(({ path }) => existsSync(path))) continue
    // A phone: its scroll bars lie over the page, and its targets are large.
    const phone = width < 720 && { isMobile: true, hasTouch: true }
    const viewport = { width, height }
    const context = await workbench.browser.newContext({ viewport, locale, reducedMotion: 'reduce', ...phone })
    await workbench.start()
    const page = await workbench.page({ context })
    try {
      await go(page)
      if (rtl) await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
      for (const { theme, path } of shots) {
        if (!existsSync(path)) continue
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await page.waitForTimeout(600)
        await beside(`${screen}-${theme}${suffix}`, path, await page.screenshot(), shown)
      }
    } catch (error) {
      failed.push(`${screen}${suffix}: ${(error as Error).message.split('\n')[0]}`)
    }
    await context.close()
  }
}
await workbench.close()
for (const line of failed) console.error(line)
console.log(`Pictures are in ${target}`)
process.exit(failed.length > 0 ? 1 : 0)
