import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cache, run } from './run.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

/**
 * Counts the tests of a JSON report of Vitest. A run that failed without a failed test (a file that does not load, an
 * error outside of any test, no report at all) counts as one failure.
 * @param {string | undefined} report
 * @param {number} code
 * @returns {Totals}
 */
export function totalsOf(report, code) {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report)
  const broken = testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  ).length
  const failed = numFailedTests + broken
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  }
}

/**
 * The files whose process died in the middle: tests of them have neither passed nor failed, nor were they skipped.
 * @param {string | undefined} report
 * @returns {string[]}
 */
export function cutOff(report) {
  if (report === undefined) return []
  const { numTotalTests, numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    JSON.parse(report)
  if (numTotalTests === numPassedTests + numFailedTests + numPendingTests + numTodoTests) return []
  /** @typedef {{ name: string, assertionResults: { status: string }[] }} File */
  return testResults
    .filter((/** @type {File} */ { assertionResults }) => assertionResults.some(({ status }) => status === 'pending'))
    .map((/** @type {File} */ { name }) => name)
}

/**
 * @param {string} name
 * @param {{ node: string, env: NodeJS.ProcessEnv, tool: (name: 'vitest') => string }} tools
 * @param {string[]} options
 * @param {string[]} filters Files, or parts of their names; without one all files are run.
 * @returns {Promise<Totals>}
 */
export async function runVitest(name, tools, options, filters = []) {
  const first = await runOnce(name, tools, [...options, ...filters])
  const again = cutOff(first.report)
  if (again.length === 0) return totalsOf(first.report, first.code)
  // Node itself dies now and then where threads come and go (nodejs/node#64500). A file that kills its process by itself
  // does so again.
  console.log(`\nThe process of these files died, so they run once more: ${again.join(', ')}`)
  const known = JSON.parse(first.report ?? '')
  const others = known.testResults.filter((/** @type {{ name: string }} */ file) => !again.includes(file.name))
  const second = await runOnce(name, tools, [...options, ...again])
  return plus(countIn(others), totalsOf(second.report, second.code))
}

/**
 * @param {{ status: string, assertionResults: { status: string }[] }[]} files
 * @returns {Totals}
 */
function countIn(files) {
  const all = files.flatMap(({ assertionResults }) => assertionResults)
  const of = (/** @type {string[]} */ ...statuses) => all.filter(({ status }) => statuses.includes(status)).length
  const broken = files.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(test => test.status === 'failed'),
  ).length
  return { passed: of('passed'), failed: of('failed') + broken, skipped: of('pending', 'skipped', 'todo') }
}

/** @param {Totals} a @param {Totals} b @returns {Totals} */
const plus = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped })

/**
 * @param {string} name
 * @param {{ node: string, env: NodeJS.ProcessEnv, tool: (name: 'vitest') => string }} tools
 * @param {string[]} args
 */
async function runOnce(name, { node, env, tool }, args) {
  const report = join(cache, `report-${name}.json`)
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await run(node, [tool('vitest'), 'run', ...args, ...reporters], { env, show: true })
  return { code, report: existsSync(report) ? readFileSync(report, 'utf8') : undefined }
}
