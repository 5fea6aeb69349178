// What the agents of mockups.ts do and say on the drawn screens that show a conversation, its states and its tasks, and
// how the page comes to each of them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentContext, AgentOutput } from '@vitrine/server'
import type { Page } from 'playwright-core'
import {
  begin,
  composer,
  ended,
  openPanel,
  send,
  sessionOf,
  type Workbench,
} from '../../../apps/workbench/e2e/harness.ts'
import { CHECKOUT, keep } from './listed.ts'

const CAUSE = `Checkout waits for **two services one after the other**: tax (128 ms) and stock (94 ms). Neither needs the other's answer. Until 3 June they ran side by side; the change that added gift cards put an \`await\` between them.

The arithmetic agrees. With 64 orders in flight at 180 per second:

$$L = \\lambda \\cdot W \\quad\\Rightarrow\\quad W = \\frac{L}{\\lambda} = \\frac{64}{180\\,\\mathrm{s}^{-1}} \\approx 356\\,\\mathrm{ms}$$

The smallest change asks both at once:

\`\`\`ts
export async function placeOrder(cart: Cart) {
  const [tax, stock] = await Promise.all([
    taxFor(cart, { timeout: 250 }),
    reserve(cart.lines, { ttl: '10m' }),
  ])
  return orders.write({ ...cart, tax, stock })
}
\`\`\`

| Checkout | June | Now | Changed |
|---|---:|---:|---:|
| Median | 141 ms | 226 ms | 148 ms |
| 95th percentile | 262 ms | 356 ms | **264 ms** |
| Errors per 10,000 | 3.1 | 3.4 | 3.1 |
`

const WORDS = {
  profile:
    "This is last night's profile. Why does checkout take 356 ms now, and what is the smallest change that gets it under 300?",
  change: 'Make the change on a branch and prove it with the same load test.',
  july: 'Why did checkout get slower in July?',
  answer: 'Answer before the change',
  failing: 'Prove it once more',
  chinese: '这是昨晚的性能分析。为什么现在结账需要 356 毫秒？怎样改动最小才能低于 300 毫秒？',
  chineseChange: '在分支上改动，并用同一个压力测试证明。',
  arabic: 'هذا تحليل الأداء من الليلة الماضية. لماذا يستغرق الدفع 356 مللي ثانية؟',
  prove: 'Make the change and prove it',
  method: 'Check the method',
  price: 'Price the gain per order',
  translate: 'Translate 3 pages',
  forecast: 'Forecast June by region',
} as const

const CHINESE = `结账先后等待**两个服务**：先算税（128 毫秒），再占库存（94 毫秒）。两者互不依赖。6 月 3 日之前它们同时进行；加入礼品卡的改动在中间放了一个 \`await\`。

最小的改动是同时询问两者：

\`\`\`ts
const [tax, stock] = await Promise.all([taxFor(cart), reserve(cart.lines)])
\`\`\`

| 结账 | 六月 | 现在 | 改动后 |
|---|---:|---:|---:|
| 中位数 | 141 毫秒 | 226 毫秒 | 148 毫秒 |
| 第 95 百分位 | 262 毫秒 | 356 毫秒 | **264 毫秒** |
`

const ARABIC = `ينتظر الدفع **خدمتين واحدة بعد الأخرى**: الضريبة ثم المخزون. أضاف التغيير \`await\` بينهما.

1. اسأل الخدمتين معًا
2. أعد اختبار الحمل

The flag \`parallel-tax\` keeps the old path.

\`\`\`ts
const [tax, stock] = await Promise.all([taxFor(cart), reserve(cart.lines)])
\`\`\`
`

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
/** The files that the drawn approvals would change. */
export const CHANGES = [
  { path: 'src/orders/place.ts', line: 41, before: BEFORE, after: AFTER },
  {
    path: 'src/orders/place.test.ts',
    after: "it('asks tax and stock at the same time', async () => {\n  await placeOrder(cart)\n})\n",
  },
]

const text = (delta: string, partId = 'answer'): AgentOutput => ({ type: 'text.delta', partId, delta })
const used = (inputTokens: number, outputTokens: number, amount: number): AgentOutput => ({
  type: 'metric.changed',
  scope: 'run',
  usage: { inputTokens, outputTokens, cost: { amount, currency: 'USD' } },
})
const untilStopped = (signal: AbortSignal) => sleep(600_000, undefined, { signal }).catch(() => {})

let calls = 0
interface Call {
  title: string
  summary?: string
  took?: number
  result?: string
  retryOf?: string
  failed?: string
  share?: readonly [number, number]
}

async function* call({ title, summary = '', took = 0, result, retryOf, failed, share }: Call) {
  const toolCallId = `call-${++calls}`
  const named = { name: title, title, summary, ...(retryOf && { retryOf }) }
  yield { type: 'tool.started', partId: toolCallId, toolCallId, ...named } satisfies AgentOutput
  await sleep(took)
  if (failed) {
    const error = { code: 'tool_failed_here', message: failed, retryable: true }
    yield { type: 'tool.failed', toolCallId, error } satisfies AgentOutput
  } else if (share) {
    yield { type: 'tool.progress', toolCallId, current: share[0], total: share[1] } satisfies AgentOutput
  } else if (result !== undefined) yield { type: 'tool.result', toolCallId, preview: result } satisfies AgentOutput
  return toolCallId
}

async function* thought(words: string, took: number): AsyncGenerator<AgentOutput> {
  yield { type: 'reasoning.delta', partId: `thought-${++calls}`, delta: words }
  await sleep(took)
}

/** What an agent does for a text of these scenes; nothing for others. */
export function sceneOf(said: string, context: AgentContext): AsyncGenerator<AgentOutput> | null {
  const scene = Object.entries(WORDS).find(([, words]) => said.startsWith(words))?.[0] as keyof typeof WORDS | undefined
  return scene === undefined ? null : scenes[scene](context)
}

const scenes: Record<keyof typeof WORDS, (context: AgentContext) => AsyncGenerator<AgentOutput>> = {
  async *profile() {
    yield* thought('The wide bar is not CPU, it is two waits in a row: tax, then stock', 1_200)
    yield* call({ title: 'Search code', summary: '“placeOrder” in services/checkout', took: 800, result: '14 files' })
    const query = { title: 'Query metrics', summary: 'checkout.p95, last 30 days' }
    const first = yield* call({ ...query, took: 300, failed: 'Timed out after 30 s. Nothing was lost.' })
    yield* call({ ...query, took: 2_100, result: '', retryOf: first })
    yield* call({ title: 'Read profile', summary: 'flamegraph.png', took: 1_400, result: '' })
    yield text(CAUSE)
    yield used(5_100, 1_100, 0.041)
    yield {
      type: 'metric.changed',
      scope: 'session',
      usage: { totalTokens: 41_300, cost: { amount: 0.27, currency: 'USD' } },
    }
  },
  async *change({ signal }) {
    yield* call({ title: 'Create branch', summary: 'perf/parallel-tax-stock', took: 400, result: '' })
    yield* call({ title: 'Run load test', summary: '11,160 of 18,000 orders', share: [11_160, 18_000] })
    yield* call({ title: 'Run tests', summary: '312 of 540 passed' })
    yield* call({ title: 'Post to #checkout', failed: 'Not signed in to chat' })
    yield used(3_000, 900, 0.031)
    await untilStopped(signal)
  },
  async *july() {
    yield* thought('compared the two profiles, then looked for the change', 1_200)
    yield text(`Tax and stock are asked one after the other. Until June they ran side by side and took 262 ms at the 95th percentile. The change that added gift cards put an \`await\` between them.

The smallest change asks both at once and keeps the old path behind a flag until the load test has passed. Stock may come first or later, because nothing reads stock before tax. A reservation that nobody uses ends by itself when tax fails.`)
    yield used(5_100, 1_100, 0.041)
  },
  async *answer() {
    yield* call({ title: 'Create branch', summary: 'perf/parallel-tax-stock', took: 400, result: '' })
    yield text('The branch is there, and the test has passed.')
    yield used(3_000, 200, 0.012)
  },
  async *failing({ signal }) {
    yield* call({ title: 'Create branch', took: 400, result: '' })
    yield* call({ title: 'Run load test', took: 1_600, result: '' })
    yield text('The first half of the answer stands here, and then ')
    await sleep(1_000, undefined, { signal })
    throw Object.assign(new Error('The model stopped answering.'), { code: 'model_silent' })
  },
  async *chinese({ signal }) {
    yield* thought('宽的那一段不是 CPU，而是先后两次等待：先算税，再占库存', 1_200)
    yield* call({ title: '搜索代码', summary: 'services/checkout 中的 “placeOrder”', took: 800, result: '14 个文件' })
    yield* call({ title: '查询指标', summary: 'checkout.p95，最近 30 天', took: 400, result: '' })
    yield text(CHINESE)
    yield used(5_100, 1_100, 0.041)
    await sleep(0, undefined, { signal })
  },
  async *chineseChange(context) {
    yield text('分支已经建好。我会改动下单的方式，并在压力测试通过之前用开关保留旧路径。')
    await context.ask({
      kind: 'approval',
      title: '修改 checkout-service 中的 2 个文件？',
      detail: '在分支 `perf/parallel-tax-stock` 上。涉及支付流程。可以撤销。',
      risk: 'medium',
      scope: { key: 'edit', label: '修改 checkout-service 的文件' },
      changes: CHANGES,
    })
  },
  async *arabic() {
    yield* call({ title: 'بحث في الشيفرة', summary: '“placeOrder” in services/checkout', took: 400, result: '' })
    yield text(ARABIC)
    yield used(5_100, 1_100, 0.041)
  },
  async *prove(context) {
    yield* call({ title: 'Run load test', summary: '11,160 of 18,000 orders', share: [11_160, 18_000] })
    yield* call({ title: 'Post to #checkout', took: 200, failed: 'Not signed in to chat. Nothing was posted.' })
    yield used(3_000, 900, 0.31)
    context.spawn('scout-73', WORDS.method, 'Scout').catch(() => {})
    await untilStopped(context.signal)
  },
  async *method(context) {
    yield text('The gain is larger than the arithmetic predicts.')
    context.spawn('ledger-13', WORDS.price, 'Ledger').catch(() => {})
    await untilStopped(context.signal)
  },
  async *price(context) {
    yield text('The gain depends on the rate.')
    await context.ask({ kind: 'question', title: 'Which exchange rate, of the day or of the month?' })
  },
  async *translate(context) {
    yield used(9_000, 800, 0.22)
    const options = [
      { value: 'vous', label: 'Vous, formal' },
      { value: 'tu', label: 'Tu, friendly' },
    ]
    await context.ask({ kind: 'choice', title: 'Which tone, formal or friendly?', options })
  },
  async *forecast({ signal }) {
    yield used(9_000, 800, 0.09)
    yield* call({ title: 'Query sales', summary: 'June, by region' })
    await untilStopped(signal)
  },
}

/** Sessions of the scenes, which are made once and opened by every page. */
const made = new Map<string, Promise<string>>()
const once = (name: string, make: () => Promise<string>): Promise<string> => {
  const session = made.get(name) ?? make()
  made.set(name, session)
  return session
}

const FLAMES = `<body style="margin:0;background:#12141a"><svg width="352" height="200">${Array.from(
  { length: 46 },
  (_, at) => {
    const row = at % 8
    const x = 12 + ((at * 73) % 300)
    const colour = ['#e8703a', '#f0b54a', '#d9542f'][at % 3]
    return `<rect x="${x}" y="${176 - row * 20}" width="${34 + ((at * 41) % (90 - row * 8))}" height="17" rx="2" fill="${colour}"/>`
  },
).join('')}</svg></body>`

/** Scrolls the conversation to its beginning. */
export const toTop = (page: Page) =>
  page.getByRole('region', { name: 'Conversation' }).evaluate(element => element.scrollTo(0, 0))

export interface Scene {
  /** Brings the page to the state of the drawn screen. */
  go(page: Page): Promise<unknown>
  /** The drawn screen, when it has another name. */
  drawn?: string
  locale?: string
  rtl?: boolean
  size?: readonly [width: number, height: number]
  /** The one width at which it is drawn. */
  only?: 'wide' | 'narrow'
  /** The piece of the drawn screen that is meant, when several things are drawn on it. */
  cut?: Cut
  /** The part of the page that such a piece is compared with; the whole page when absent. */
  part?: string
  /** It is taken without the drawn list of sessions. */
  bare?: boolean
}

export type Cut = readonly [x: number, y: number, width: number, height: number]

export function scenesOf(workbench: Workbench): Record<string, Scene> {
  const picture = async () => {
    const page = await workbench.browser.newPage({ viewport: { width: 352, height: 200 } })
    await page.setContent(FLAMES)
    const buffer = await page.screenshot()
    await page.close()
    return { name: 'flamegraph.png', mimeType: 'image/png', buffer }
  }
  const attach = async (page: Page) => {
    await page
      .locator('input[type="file"]')
      .setInputFiles([
        await picture(),
        { name: 'june-baseline.csv', mimeType: 'text/csv', buffer: Buffer.from('checkout,p50,p95\n'.repeat(900)) },
      ])
    await page.getByText('june-baseline.csv').first().waitFor()
  }
  const onPage = async (work: (page: Page) => Promise<unknown>) => {
    const page = await workbench.page()
    await work(page)
    const session = sessionOf(page)
    await keep(page)
    await page.context().close()
    return session
  }
  const rename = (page: Page, title: string) =>
    page.request.patch(new URL(`/api/sessions/${sessionOf(page)}`, page.url()).href, { data: { title } })
  const checkout = () =>
    once('checkout', () =>
      onPage(async page => {
        await page.locator('input[type="file"]').setInputFiles([await picture()])
        await page.getByText('Image, ').waitFor()
        await begin(page, WORDS.profile)
        await ended(page)
        await rename(page, CHECKOUT)
        await send(page, WORDS.change)
        await page.getByText('Post to #checkout').first().waitFor()
        await send(page, 'Open a pull request and ask Jonas to review it')
        await page.getByText('Next', { exact: true }).waitFor()
        for (const task of [WORDS.forecast, `${WORDS.forecast}, again`, WORDS.translate]) {
          await page.getByRole('radio', { name: 'New task' }).check({ force: true })
          await send(page, task)
          await page.getByRole('button', { name: 'Close', exact: true }).first().click()
        }
        await page.getByRole('button', { name: /2 running.*1 needs you/ }).waitFor()
      }),
    )
  const show = async (page: Page, sessionId: string) => {
    await page.goto(new URL(`/s/${sessionId}`, page.url()).href)
    await page.locator('.v-conversation:not(.v-skeleton)').waitFor()
    await page.waitForTimeout(700)
  }
  const conversation = async (page: Page) => {
    await show(page, await checkout())
  }
  const failing = async (page: Page) => {
    await begin(page, WORDS.failing)
    for (const words of ['Open a pull request', 'Tell the team']) await send(page, words)
    await page.locator('.v-run-end').waitFor()
  }
  const versions = () =>
    once('versions', () =>
      onPage(async page => {
        await begin(page, `${WORDS.july} First`)
        await ended(page)
        await rename(page, CHECKOUT)
        await page.getByRole('button', { name: /^Edit/ }).first().click({ force: true })
        await page.locator('.v-edit textarea, textarea.v-edit-input, .v-message textarea').first().fill(WORDS.july)
        await page.keyboard.press('Control+Enter')
        await ended(page, 2)
        await send(page, WORDS.answer)
        await ended(page, 3)
      }),
    )
  const workspace = async (page: Page, panel: string) => {
    await conversation(page)
    await page.keyboard.press('Control+.')
    await openPanel(page, panel)
  }
  return {
    'a-home': {
      async go(page) {
        await page.reload()
        await page.getByRole('heading', { name: 'What should we work on?' }).waitFor()
        await attach(page)
        await composer(page).fill(
          "Compare last night's load test with the June baseline and find out what made checkout slower.",
        )
      },
    },
    'b-conversation-top': {
      async go(page) {
        await conversation(page)
        await toTop(page)
      },
    },
    'b-conversation-end': { go: conversation },
    'j1-states-loading': {
      drawn: 'j1-states',
      cut: [498, 22, 446, 298],
      async go(page) {
        const session = await checkout()
        await page.route(/\/api\/sessions\/[^/]+\?messages/, () => {})
        await page.goto(new URL(`/s/${session}`, page.url()).href)
        await page.locator('.v-skeleton').waitFor()
        await page.waitForTimeout(2_200)
      },
    },
    'j1-states-failed': { drawn: 'j1-states', cut: [32, 336, 446, 298], go: failing },
    'j1-states-stopped': {
      drawn: 'j1-states',
      cut: [498, 336, 446, 298],
      async go(page) {
        await begin(page, WORDS.change)
        await page.getByText('Post to #checkout').first().waitFor()
        await page.getByRole('button', { name: 'Stop', exact: true }).click()
        await page.getByText('You stopped this run').waitFor()
      },
    },
    'j1-states-panels': { drawn: 'j1-states', cut: [964, 336, 446, 298], go: page => workspace(page, 'Permissions') },
    'j1-states-toasts': {
      drawn: 'j1-states',
      cut: [32, 650, 1080, 84],
      async go(page) {
        for (const words of [WORDS.answer, `${WORDS.answer} 2`]) {
          await begin(page, words)
          await ended(page)
          await page.getByRole('button', { name: 'More for this session' }).first().click()
          await page.locator('.v-menu:popover-open').getByRole('button', { name: 'Delete' }).click()
          await page.getByRole('button', { name: 'Undo' }).first().waitFor()
        }
      },
    },
    'j2-sign-in': {
      async go(page) {
        await page.context().clearCookies()
        await page.goto(new URL('/', page.url()).href)
        await page.getByRole('textbox').first().fill('0123456789abcdefgh')
      },
    },
    'j3-palette': {
      async go(page) {
        await conversation(page)
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').waitFor()
        await page.keyboard.type('bra')
        await page.waitForTimeout(600)
      },
    },
    'j4-shortcuts': {
      async go(page) {
        await conversation(page)
        await page.keyboard.press('Control+/')
        await page.getByRole('dialog').waitFor()
      },
    },
    'k1-tasks': {
      async go(page) {
        const session = await once('tasks', () =>
          onPage(async made => {
            await begin(made, WORDS.prove)
            await made
              .getByRole('button', { name: /needs you/ })
              .first()
              .waitFor()
            await rename(made, CHECKOUT)
          }),
        )
        await show(page, session)
        await page.locator('.v-capsule').click()
        await page.waitForTimeout(900)
      },
    },
    'k2-citation-versions': {
      async go(page) {
        await show(page, await versions())
        await toTop(page)
        await page.locator('.v-message').getByRole('button', { name: /^Edit/ }).last().dispatchEvent('click')
        await page
          .locator('.v-message textarea')
          .fill(`${WORDS.answer}, twice, on a machine with nothing else running.`)
        await page.locator('.v-message textarea').scrollIntoViewIfNeeded()
      },
    },
    'k6a-zh-conversation': {
      locale: 'zh-CN',
      async go(page) {
        const session = await once('chinese', () =>
          onPage(async made => {
            await begin(made, WORDS.chinese)
            await ended(made)
          }),
        )
        await page.goto(new URL(`/s/${session}`, page.url()).href)
        await page.waitForTimeout(900)
      },
    },
    'k6b-zh-approval': {
      locale: 'zh-CN',
      async go(page) {
        await begin(page, WORDS.chineseChange)
        await page.locator('.v-request .v-diff-lines [class^="v-code-"]').first().waitFor()
        await page.locator('.v-request [data-safe]').focus()
      },
    },
    'g2-settings': {
      async go(page) {
        await conversation(page)
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('Settings')
        await page.getByRole('option', { name: 'Settings' }).first().click()
        await page.getByRole('dialog', { name: 'Settings' }).waitFor()
      },
    },
    'k9a-rtl': {
      rtl: true,
      async go(page) {
        const session = await once('arabic', () =>
          onPage(async made => {
            await begin(made, WORDS.arabic)
            await ended(made)
          }),
        )
        await show(page, session)
      },
    },
    'k9b-zoom': { size: [360, 225], only: 'wide', go: conversation },
  }
}

/** Before there is anything. */
export const emptyScenes: Record<string, Scene> = {
  'j1-states-empty': {
    drawn: 'j1-states',
    cut: [32, 22, 446, 298],
    bare: true,
    go: page => page.getByRole('heading').first().waitFor(),
  },
}

/** The server is stopped here, which ends the runs of the others: they come last. */
export const awayScenes = (workbench: Workbench): Record<string, Scene> => ({
  'j1-states-offline': {
    drawn: 'j1-states',
    cut: [964, 22, 446, 298],
    async go(page) {
      await begin(page, WORDS.change)
      await page.getByText('Post to #checkout').first().waitFor()
      await workbench.stop()
      await page.getByText('The server cannot be reached').first().waitFor()
      await composer(page).fill('Open a pull request and ask Jonas')
      await composer(page).press('Enter')
      await page.waitForTimeout(2_500)
    },
  },
})
