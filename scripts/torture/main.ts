// Kills, cuts and floods the real server, and compares its promises with what is there (CONTRIBUTING.md, "Torture").
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Fault, Finding } from './judge.ts'
import { createRandom } from './random.ts'
import { scenarios } from './scenarios.ts'
import { killAll } from './server.ts'
import { World } from './world.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' }, only: { type: 'string' } },
})
const minutes = Number(values.minutes)
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const chosen = values.only?.split(',') ?? Object.keys(scenarios)
const unknown = chosen.filter(name => !(name in scenarios))
if (!(minutes > 0 && minutes <= 600) || !Number.isInteger(seed) || unknown.length > 0) {
  console.error(
    `--minutes takes up to 600, --seed a whole number, --only some of: ${Object.keys(scenarios).join(', ')}.`,
  )
  process.exit(2)
}

const HOSTILE = 'hostile agents'

interface Row {
  rounds: number
  judged: number
  hit: number
  findings: Finding[]
}
const faults: readonly Fault[] = ['lost', 'doubled', 'false success', 'stopped', 'unclear']
const rows = new Map<string, Row>(chosen.map(name => [name, { rounds: 0, judged: 0, hit: 0, findings: [] }]))
const deadline = Date.now() + minutes * 60_000
const random = createRandom(seed)
// There are many kinds of hostile agents, so one of them comes between any two other scenarios.
const cycle = chosen.flatMap(name => (name === HOSTILE || !chosen.includes(HOSTILE) ? [] : [name, HOSTILE]))
const order = cycle.length > 0 ? cycle : chosen
const shuffled = new Map(chosen.map(name => [name, random.shuffle(scenarios[name]!)]))
console.log(`Torture for ${minutes} min, seed ${seed}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => killAll().finally(() => process.exit(130)))
}

/** Each scenario has a data folder of its own, which all its rounds use. */
const worlds = new Map<string, World>()
try {
  for (let turn = 0; Date.now() < deadline; turn++) {
    const name = order[turn % order.length]!
    const kinds = shuffled.get(name)!
    const row = rows.get(name)!
    await round(name, row, kinds[row.rounds % kinds.length]!)
  }
} finally {
  for (const world of worlds.values()) await world.end()
  await killAll()
}

async function round(name: string, row: Row, scenario: (typeof scenarios)[string][number]): Promise<void> {
  let world = worlds.get(name)
  const broken = async (error: unknown) => {
    row.findings.push({ fault: 'stopped', what: (error as Error).message })
    // The scenario did not finish, so its world cannot be used for the next round.
    await world?.end()
    worlds.delete(name)
  }
  try {
    if (!world) {
      world = new World(random)
      worlds.set(name, world)
      await world.restart()
    }
    await scenario(world, (fault, what) => row.findings.push({ fault, what }))
    await world.judge()
    world.forget()
    // A fault that stays is found again in every round. It counts once.
    const known = new Set(row.findings.map(({ what }) => what))
    row.findings.push(...world.findings.splice(0).filter(({ what }) => !known.has(what)))
    row.judged += world.judged
    row.hit += world.hit
    world.judged = 0
    world.hit = 0
  } catch (error) {
    await broken(error)
  }
  row.rounds++
}

const widths = [17, 7, 8, 13, ...faults.map(fault => fault.length + 2)]
const line = (cells: readonly (string | number)[]) =>
  cells.map((cell, i) => (i === 0 ? `${cell}`.padEnd(widths[i]!) : `${cell}`.padStart(widths[i]!))).join('')
console.log(`\n${line(['scenario', 'rounds', 'facts', 'unanswered', ...faults])}`)
let failed = false
for (const [name, { rounds, judged, hit, findings }] of rows) {
  const counts = faults.map(fault => findings.filter(finding => finding.fault === fault).length)
  failed ||= counts.some(count => count > 0)
  console.log(line([name, rounds, judged, hit, ...counts]))
}
for (const [name, { findings }] of rows) {
  for (const { fault, what } of findings.slice(0, 12)) console.log(`  ${name}: ${fault}: ${what.slice(0, 300)}`)
  if (findings.length > 12) console.log(`  ${name}: and ${findings.length - 12} more`)
}
console.log(
  `\n${failed ? `Something was found. Repeat with: npm run torture -- --seed ${seed}` : 'Nothing was found.'}`,
)
process.exit(failed ? 1 : 0)
