import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { runChecks } from './lib/checks.mjs'
import { findChromium } from './lib/chromium.mjs'
import { line, main, run, Stop, step } from './lib/run.mjs'
import { fromSource } from './lib/server.mjs'
import { runVitest } from './lib/suites.mjs'
import { buildWorkbench } from './lib/workbench.mjs'
import { setUp } from './setup.mjs'

const tarballs = 'scripts/packages.test.ts'
// Vitest leaves one core to itself, which on two cores is half of them. Most of our tests wait for disks and processes.
const workers = `--maxWorkers=${Math.max(2, availableParallelism())}`

/** @typedef {Awaited<ReturnType<typeof setUp>>} Tools */
/** @typedef {import('./lib/suites.mjs').Totals} Totals */
/** @type {Record<string, (tools: Tools, filters: string[]) => Promise<Totals>>} */
const suites = {
  async check(tools) {
    const { passed, failed } = await runChecks(tools)
    return { passed, failed: failed.length, skipped: 0 }
  },
  unit: (tools, filters) => runVitest('unit', tools, ['--project', 'unit', workers, '--exclude', tarballs], filters),
  async packages(tools) {
    await step('Workbench', announce => buildWorkbench(tools, announce))
    return runVitest('packages', tools, ['--project', 'unit'], [tarballs])
  },
  async browser(tools, filters) {
    const CHROMIUM_PATH = await step('Chromium', findChromium)
    await step('Workbench', announce => buildWorkbench(tools, announce))
    const env = { ...tools.env, CHROMIUM_PATH }
    return runVitest('browser', { ...tools, env }, ['--project', 'browser'], filters)
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

/** @param {Tools} tools @param {number} minutes @returns {Promise<Totals>} */
async function torture({ node, env }, minutes) {
  const args = [...fromSource, 'scripts/torture/main.ts', '--minutes', String(minutes)]
  const { code } = await run(node, args, { env, show: true })
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
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

  const tools = await setUp()
  /** @type {{ name: string, totals: Totals, ms: number }[]} */
  const results = []
  for (const name of chosen) {
    console.log(`\n── ${name}`)
    const since = performance.now()
    const totals = await all[name]?.(tools, positionals).catch(error => {
      console.error(error instanceof Stop ? `✗ ${error.message}` : error)
      return { passed: 0, failed: 1, skipped: 0 }
    })
    if (totals) results.push({ name, totals, ms: performance.now() - since })
  }

  console.log('')
  for (const { name, totals, ms } of results) {
    const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
    line(totals.failed === 0 ? '✓' : '✗', name, `${totals.passed} passed, ${totals.failed} failed${skipped}`, ms)
  }
  const passed = results.reduce((sum, { totals }) => sum + totals.passed, 0)
  const failed = results.reduce((sum, { totals }) => sum + totals.failed, 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
})
