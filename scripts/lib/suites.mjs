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
 * @param {string} name
 * @param {{ node: string, env: NodeJS.ProcessEnv, tool: (name: 'vitest') => string }} tools
 * @param {string[]} args
 * @returns {Promise<Totals>}
 */
export async function runVitest(name, { node, env, tool }, args) {
  const report = join(cache, `report-${name}.json`)
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await run(node, [tool('vitest'), 'run', ...args, ...reporters], { env, show: true })
  return totalsOf(existsSync(report) ? readFileSync(report, 'utf8') : undefined, code)
}
