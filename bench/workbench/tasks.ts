import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { median } from '../row.ts'
import { answers } from './answers.ts'
import { calibrated, linkTo, openStage, type Stage } from './stage.ts'
import { longestOf, type Tasks, tasksOf } from './trace.ts'

// What blocks the page: each answer is opened by a click in the list, read to its beginning, and written while one looks.
// A task counts by the time that its thread worked, because on a busy machine the clock counts the others too.
const { values } = parseArgs({ options: { only: { type: 'string' }, times: { type: 'string', default: '3' } } })
const TIMES = Number(values.times)
const VIEWS = 30
const LIMIT = 50

const stage = await openStage()

interface Figures {
  /** From the click until the first of the messages is painted. */
  painted: number
  opening: Tasks
  reading: Tasks
}

/** Opens a session from an empty one, and reads up to its beginning. */
async function opened(page: Page, { browser }: Stage, from: string, sessionId: string): Promise<Figures> {
  await linkTo(page, from).click()
  await page.locator('.v-answer', { hasText: 'Nothing but this' }).waitFor()
  const opening = await traced(page, browser, async () => {
    await page.evaluate(() => window.bench.watchInput('click'))
    await page.evaluate(() => window.bench.watchConversation(''))
    await linkTo(page, sessionId).click()
    await page.locator('.v-answer, .v-tool-line').last().waitFor()
    const { first } = await page.evaluate(() => window.bench.conversation(300))
    return first - (await page.evaluate(() => window.bench.inputs())).at(-1)!.at
  })
  const reading = await traced(page, browser, async () => {
    await page.locator('.v-scroller').hover()
    for (let view = 0; view < VIEWS; view++) {
      await page.mouse.wheel(0, -700)
      await page.evaluate(() => window.bench.painted())
      await sleep(30)
    }
  })
  return { painted: opening.value, opening: opening.tasks, reading: reading.tasks }
}

async function traced<T>(page: Page, browser: Stage['browser'], act: () => Promise<T>) {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-lighthouse', 'toplevel'] })
  const value = await act()
  return { value, tasks: tasksOf(await browser.stopTracing()) }
}

const round = (value: number) => String(Math.round(value)).padStart(9)

try {
  const chosen = Object.keys(answers).filter(name => name.includes(values.only ?? ''))
  const page = await stage.page()
  const calm = median(await calibrated(page))
  console.log(
    `calibration, 20 million additions: ${calm.toFixed(1)} ms. Longest task and what is over ${LIMIT} ms of all:`,
  )
  console.log(`${''.padEnd(30)}   painted  opening  blocked  reading  blocked  writing  blocked`)
  let over = 0
  for (const name of chosen) {
    const [sessionId, empty] = [await stage.made(name), await stage.made('Empty')]
    await stage.run(sessionId, { kind: 'answer', name })
    await stage.run(empty, { kind: 'say', text: 'Nothing but this' })
    const figures: Figures[] = []
    for (let turn = 0; turn < TIMES; turn++) figures.push(await opened(page, stage, empty, sessionId))
    // The same answer once more, while one looks.
    await linkTo(page, empty).click()
    await page.locator('.v-answer', { hasText: 'Nothing but this' }).waitFor()
    const again = await stage.made(`Written: ${name}`)
    await linkTo(page, again).click()
    const { tasks: writing } = await traced(page, stage.browser, async () => {
      await page.evaluate(() => window.bench.watchConversation(''))
      await stage.run(again, { kind: 'answer', name, seen: true })
      await page.evaluate(() => window.bench.conversation(300))
    })
    const cells = [
      median(figures.map(({ painted }) => painted)),
      ...(['opening', 'reading'] as const).flatMap(what => [
        median(figures.map(one => longestOf(one[what]))),
        median(figures.map(one => blocked(one[what]))),
      ]),
      longestOf(writing),
      blocked(writing),
    ]
    const longest = Math.max(cells[1]!, cells[3]!, cells[5]!)
    if (longest > LIMIT) over++
    console.log(`${name.padEnd(30)} ${cells.map(round).join('')}${longest > LIMIT ? '  OVER' : ''}`)
  }
  const after = median(await calibrated(page))
  console.log(
    `calibration afterwards: ${after.toFixed(1)} ms. ${over} of ${chosen.length} have a task over ${LIMIT} ms.`,
  )
} finally {
  await stage.close()
}

/** What of the tasks is over the limit, added up. */
function blocked(tasks: Tasks): number {
  return tasks.reduce((sum, { ms }) => sum + Math.max(0, ms - LIMIT), 0)
}
