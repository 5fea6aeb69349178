import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runChecks } from './lib/checks.mjs'
import { findChromium } from './lib/chromium.mjs'
import { cache, line, main, run, Stop, step } from './lib/run.mjs'
import { fromSource } from './lib/server.mjs'
import { runVitest, told } from './lib/suites.mjs'
import { buildWorkbench } from './lib/workbench.mjs'
import { setUp } from './setup.mjs'

const tarballs = 'scripts/packages.test.ts'
// Vitest leaves one core to itself, which on two cores is half of them. Most of our tests wait for disks and processes.
const workers = `--maxWorkers=${Math.max(2, availableParallelism())}`

// Each file of browser tests has its own server, data and Chromium, and waits for them half of the time.
const browsers = '--maxWorkers=2'

/** @typedef {Awaited<ReturnType<typeof setUp>>} Tools */
/** @typedef {import('./lib/suites.mjs').Outcome} Outcome */
/** @type {Record<string, (tools: Tools, filters: string[]) => Promise<Outcome>>} */
const suites = {
  check: runChecks,
  unit: (tools, filters) =>
    runVitest('unit', inMemory(tools), ['--project', 'unit', workers, '--exclude', tarballs], filters),
  async packages(tools) {
    await step('Workbench', announce => buildWorkbench(tools, announce))
    return runVitest('packages', tools, ['--project', 'unit'], [tarballs])
  },
  async browser(tools, filters) {
    const CHROMIUM_PATH = await step('Chromium', findChromium)
    await step('Workbench', announce => buildWorkbench(tools, announce))
    const env = { ...tools.env, CHROMIUM_PATH }
    return runVitest('browser', inMemory({ ...tools, env }), ['--project', 'browser', browsers], filters)
  },
  torture: tools => torture(tools, 1),
}

/** Suites that take too long for every change. `npm run test:long` runs them. */
/** @type {typeof suites} */
const longSuites = {
  sessions: tools => {
    const env = {
      ...tools.env,
      VITRINE_LONG_SESSIONS: '50',
      VITRINE_LONG_EVENTS: '50000',
      VITRINE_LONG_HEAP: '160',
    }
    return runVitest('sessions', { ...tools, env }, ['--project', 'unit'], ['long-sessions'])
  },
  'ui-schema': tools => {
    const env = { ...tools.env, VITRINE_FUZZ_UI: '1000000' }
    return runVitest('ui-schema', { ...tools, env }, ['--project', 'unit'], ['hints/fuzz'])
  },
  torture: tools => torture(tools, 10),
}

/**
 * The tools, with a folder for temporary files that is in memory where the machine has one: every commit of every test
 * would wait for the disk otherwise.
 * @param {Tools} tools
 * @returns {Tools}
 */
function inMemory(tools) {
  const memory = '/dev/shm'
  const free = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 }
  if (free.bavail * free.bsize < 4 * 2 ** 30) return tools
  const prefix = 'vitrine-test-'
  // A run that was killed could not remove its folder. One that goes on writes to its own every few seconds.
  for (const name of readdirSync(memory).filter(name => name.startsWith(prefix))) {
    const path = join(memory, name)
    const { uid, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
    const abandoned = uid === process.getuid?.() && Date.now() - (mtimeMs ?? 0) > 60 * 60_000
    if (abandoned) rmSync(path, { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(memory, prefix))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { ...tools, env: { ...tools.env, TMPDIR: folder } }
}

/**
 * A suite that is one thing, and failed.
 * @param {string} title
 * @param {string} message
 * @returns {Outcome}
 */
const broken = (title, message) => ({ passed: 0, skipped: 0, failures: [{ title, file: '', message }] })

/** @param {Tools} tools @param {number} minutes @returns {Promise<Outcome>} */
async function torture({ node, env }, minutes) {
  const args = [...fromSource, 'scripts/torture/main.ts', '--minutes', String(minutes)]
  const { code } = await run(node, args, { env, show: true })
  const title = 'The torture failed'
  return code === 0
    ? { passed: 1, skipped: 0, failures: [] }
    : broken(title, `Exit code ${code}; the output above tells what was wrong`)
}

await main(async () => {
  const options = /** @type {const} */ ({ only: { type: 'string' }, long: { type: 'boolean' } })
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const all = values.long ? longSuites : suites
  const chosen = values.only?.split(',') ?? Object.keys(all)
  const unknown = chosen.filter(name => !(name in all))
  if (unknown.length > 0) {
    throw new Stop(`There is no suite ${unknown.join(', ')}. --only takes ${Object.keys(all).join(', ')}.`)
  }

  const { env, ...others } = await setUp()
  // Tests start hundreds of threads and processes, and each of them would strip the types of our sources once more.
  const tools = { ...others, env: { ...env, NODE_COMPILE_CACHE: join(cache, 'compiled') } }
  /** @type {{ name: string, outcome: Outcome, ms: number }[]} */
  const results = []
  for (const name of chosen) {
    console.log(`\n── ${name}`)
    const since = performance.now()
    const outcome = await all[name]?.(tools, positionals).catch(error => {
      console.error(error instanceof Stop ? `✗ ${error.message}` : error)
      return broken(`The suite ${name} could not run`, error.message)
    })
    if (outcome) results.push({ name, outcome, ms: performance.now() - since })
  }

  console.log('')
  for (const { name, outcome, ms } of results) {
    const { passed, skipped, failures } = outcome
    const more = skipped > 0 ? `, ${skipped} skipped` : ''
    line(failures.length === 0 ? '✓' : '✗', name, `${passed} passed, ${failures.length} failed${more}`, ms)
  }
  const passed = results.reduce((sum, { outcome }) => sum + outcome.passed, 0)
  const failures = results.flatMap(({ outcome }) => outcome.failures)
  if (failures.length > 0) console.log(`\n${told(failures).join('\n')}`)
  console.log(`\n${passed} passed, ${failures.length} failed`)
  return failures.length === 0 && passed > 0 ? 0 : 1
})
