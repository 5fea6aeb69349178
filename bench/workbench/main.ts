import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@vitrine/protocol'
import type { Page } from 'playwright-core'
import { expect, percentile } from '../row.ts'
import type { Task } from './server.child.ts'
import { calibrated, linkTo, openStage } from './stage.ts'

// The budgets of the workbench: a session of 2,000 messages and 50,000 events, five streams of 200 tokens a second.
const TURNS = 100
const HISTORY = { kind: 'history', messages: 19, pieces: 25 } satisfies Task
const LONG: Task = { kind: 'long', characters: 400_000 }
const STREAMS = 5
const LIVE: Task = { kind: 'live', tokens: 6_000, perSecond: 200 }
const SHORT: Task = { kind: 'live', tokens: 1_000, perSecond: 200 }
const TIMES = 15
/** What the last piece of every message of a history says. */
const LAST_WORDS = `piece ${HISTORY.pieces - 1} says.`

/** Figures of one kind, beside what they may be. */
interface Measured {
  readonly name: string
  readonly budget: number
  readonly unit: string
  readonly values: readonly number[]
}

const stage = await openStage()
const { made, run, start, idle, get, addressOf } = stage

async function measure(): Promise<Measured[]> {
  const [old, other, long] = [await made('The long history'), await made('Another history'), await made('A long text')]
  for (let turn = 0; turn < TURNS; turn++) await run(old, HISTORY)
  for (let turn = 0; turn < 5; turn++) await run(other, HISTORY)
  await run(long, LONG)
  const events = await logOf(old)
  expect(events.length >= 50_000, `the history has ${events.length} events`)

  const page = await stage.page()
  await page.getByText('The long history').first().waitFor()
  const calm = await calibrated(page)
  const keys = await typed(page, long)
  const streams = await live(STREAMS)
  const busy = await calibrated(page)
  const opened = await openings(page, old, other)
  const older = await olderPages(page, old)
  const sent = await sending(page)
  const stopped = await interrupts(page)
  const wrong = await wrongs([...streams, sent.sessionId])
  return [
    { name: 'submit → first visible status', budget: 200, unit: 'ms', values: sent.status },
    {
      name: 'first delta → first text painted (commit and stream included)',
      budget: 50,
      unit: 'ms',
      values: sent.first,
    },
    { name: 'age of the oldest unpainted delta', budget: 100, unit: 'ms', values: sent.ages },
    { name: 'click on an old session → its title stands there', budget: 100, unit: 'ms', values: opened.shell },
    { name: 'click on an old session → messages painted and quiet', budget: 300, unit: 'ms', values: opened.stable },
    { name: 'a page of older history, from its answer until it is painted', budget: 150, unit: 'ms', values: older },
    { name: 'key in the composer of a session of 100,000 tokens → painted', budget: 50, unit: 'ms', values: keys },
    { name: 'interrupt → acknowledged', budget: 300, unit: 'ms', values: stopped },
    { name: 'gaps in seq, doubled finals, runs called completed that were not', budget: 0, unit: '', values: [wrong] },
    { name: 'calibration: 20 million additions, before the streams', budget: Number.NaN, unit: 'ms', values: calm },
    { name: 'calibration: the same beside the streams', budget: Number.NaN, unit: 'ms', values: busy },
  ]
}

async function live(count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, (_, index) => made(`Live ${index + 1}`)))
  for (const id of ids) await start(id, LIVE)
  return ids
}

async function logOf(sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page = (await get(`/sessions/${sessionId}/events?after=${after}`)) as {
      events: SessionEvent[]
      next: number | null
    }
    events.push(...page.events)
    after = page.next
  }
  return events
}

const composer = (page: Page) => page.locator('[data-composer]').last()

async function open(page: Page, sessionId: string): Promise<void> {
  await page.goto(addressOf(sessionId))
  await page.locator('[data-message]').last().waitFor()
}

async function typed(page: Page, sessionId: string): Promise<number[]> {
  await open(page, sessionId)
  await composer(page).click()
  await page.evaluate(() => window.bench.watchInput('keydown'))
  for (const key of 'the quick brown fox jumps over the lazy dog') {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    await sleep(30)
  }
  const inputs = await page.evaluate(() => window.bench.inputs())
  await composer(page).fill('')
  return inputs.map(({ at, painted }) => painted - at)
}

/** Goes from one old session to another and back by clicks in the list. */
async function openings(page: Page, first: string, second: string): Promise<{ shell: number[]; stable: number[] }> {
  await open(page, second)
  const [shell, stable]: number[][] = [[], []]
  for (let turn = 0; turn < TIMES; turn++) {
    const [title, id] = turn % 2 === 0 ? ['The long history', first] : ['Another history', second]
    await page.evaluate(() => window.bench.watchInput('click'))
    await page.evaluate(text => window.bench.watchConversation(text), LAST_WORDS)
    const shown = page.evaluate(text => window.bench.until('header h1', text), title!)
    await linkTo(page, id!).click()
    const at = await shown
    const { last } = await page.evaluate(() => window.bench.conversation(150))
    const clicked = (await page.evaluate(() => window.bench.inputs())).at(-1)!.at
    shell!.push(at - clicked)
    stable!.push(last - clicked)
  }
  return { shell: shell!, stable: stable! }
}

/** Scrolls up, page by page. What the network takes is not the page's time. */
async function olderPages(page: Page, sessionId: string): Promise<number[]> {
  await open(page, sessionId)
  const times: number[] = []
  for (let turn = 0; turn < TIMES; turn++) {
    const answered = page.waitForResponse(answer => answer.url().includes('/messages?'))
    await page.evaluate(() => window.bench.watchConversation(''))
    await page.locator('.v-scroller').evaluate(scroller => {
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }))
      scroller.scrollTop = 0
    })
    await (await answered).finished()
    const { last } = await page.evaluate(() => window.bench.conversation(150))
    const since = await page.evaluate(() => window.bench.answered('/messages?'))
    times.push(Math.max(0, last - since))
  }
  return times
}

/** A turn in a session of its own, beside the streams. */
async function sending(page: Page) {
  const sessionId = await made('Sent from here')
  await run(sessionId, { kind: 'history', messages: 1, pieces: 2 })
  await open(page, sessionId)
  const [status, first, ages]: number[][] = [[], [], []]
  for (let turn = 0; turn < 5; turn++) {
    const marker = JSON.stringify({ ...SHORT, turn })
    await composer(page).fill(marker)
    await page.evaluate(() => window.bench.watchInput('keydown'))
    await page.evaluate(() => window.bench.watchTokens())
    const shown = page.evaluate(text => window.bench.until('.v-conversation', text), `"turn":${turn}`)
    await page.keyboard.press('Enter')
    const at = await shown
    const pressed = (await page.evaluate(() => window.bench.inputs())).at(-1)!.at
    status!.push(at - pressed)
    await idle(sessionId)
    // What is sent before the page knows it would be queued.
    await page.evaluate(() => window.bench.gone('.v-stop'))
    const seen = await page.evaluate(() => window.bench.tokenAges())
    first!.push(seen.first)
    ages!.push(...seen.ages)
  }
  return { sessionId, status: status!, first: first!, ages: ages! }
}

async function interrupts(page: Page): Promise<number[]> {
  const sessionId = await made('Stopped from here')
  await page.goto(addressOf(sessionId))
  await composer(page).waitFor()
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    await start(sessionId, SHORT)
    const stop = page.getByRole('button', { name: 'Stop', exact: true })
    await stop.waitFor()
    await page.evaluate(() => window.bench.watchInput('click'))
    // The button stops at once; it has another name, or goes, when the server has said that the run stops.
    const over = page.evaluate(() => window.bench.gone('.v-stop[aria-label="Stop"]'))
    await stop.click()
    const at = await over
    const clicked = (await page.evaluate(() => window.bench.inputs())).at(-1)!.at
    times.push(at - clicked)
    await idle(sessionId)
  }
  return times
}

/** What must never happen, counted in the logs. */
async function wrongs(sessions: readonly string[]): Promise<number> {
  let count = 0
  for (const sessionId of sessions) {
    await idle(sessionId)
    const events = await logOf(sessionId)
    count += events.filter(({ seq }, index) => seq !== index + 1).length
    const finals = events.flatMap(event => (event.type === 'text.final' ? [event.partId] : []))
    count += finals.length - new Set(finals).size
    const ended = events.filter(event => event.type === 'run.finished' || event.type === 'run.failed').length
    count += events.filter(event => event.type === 'run.started').length - ended
  }
  return count
}

function print(measured: readonly Measured[]): void {
  const shown = (value: number) => (Number.isFinite(value) ? String(Math.round(value * 10) / 10) : '')
  console.log(`${''.padEnd(68)}${'p50'.padStart(8)}${'p95'.padStart(8)}${'budget'.padStart(8)}`)
  let missed = 0
  for (const { name, budget, unit, values } of measured) {
    const [p50, p95] = [percentile(values, 0.5), percentile(values, 0.95)]
    const over = Number.isFinite(budget) && p95 > budget
    if (over) missed++
    const cells = [p50, p95, budget].map(value => shown(value).padStart(8)).join('')
    console.log(`${name.padEnd(68)}${cells} ${unit}${over ? '  MISSED' : ''}`)
  }
  console.log(
    `\n${missed === 0 ? 'Every budget is kept' : `${missed} budgets are missed`}; ${TIMES} openings, five streams beside`,
  )
}

try {
  print(await measure())
} finally {
  await stage.close()
}
