import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { cache, root, run } from './run.mjs'

/** @typedef {{ title: string, file: string, message: string }} Failure What failed, where, and why. */
/** @typedef {{ passed: number, skipped: number, failures: Failure[] }} Outcome */

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} Test */
/** @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} File */
/** @typedef {{ file: string, message: string, deadProcess: boolean }} StrayError An error outside of any test. */
/** @typedef {{ testResults: File[], strayErrors: StrayError[] }} Report What scripts/lib/report.mjs writes. */

/**
 * Counts the tests of a report and says what failed. A file that does not load, an error outside of any test and a run
 * without a report are failures too.
 * @param {Report | undefined} report
 * @param {number} code
 * @returns {Outcome}
 */
export function outcomeOf(report, code) {
  if (!report) return { passed: 0, skipped: 0, failures: [failure('The run left no report', '', `Exit code ${code}`)] }
  const all = report.testResults.flatMap(file => file.assertionResults.map(test => ({ file: file.name, ...test })))
  const of = (/** @type {string[]} */ ...statuses) => all.filter(({ status }) => statuses.includes(status))
  const failures = [
    ...of('failed').map(test => failure(test.fullName.trim(), test.file, test.failureMessages[0] ?? '')),
    ...report.testResults
      .filter(file => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'))
      .map(file => failure('The file failed outside of its tests', file.name, file.message)),
    ...report.strayErrors.map(({ file, message }) => failure('There was an error outside of any test', file, message)),
  ]
  if (failures.length === 0 && code !== 0) failures.push(failure('The run failed', '', `Exit code ${code}`))
  return { passed: of('passed').length, skipped: of('skipped', 'todo').length, failures }
}

/**
 * The files whose process died. What it did not report is still pending.
 * @param {Report | undefined} report
 * @returns {string[]}
 */
export function cutOff(report) {
  if (!report) return []
  const dead = report.strayErrors.filter(({ deadProcess }) => deadProcess).map(({ file }) => file)
  return report.testResults
    .filter(file => dead.includes(file.name) || file.assertionResults.some(({ status }) => status === 'pending'))
    .map(({ name }) => name)
}

/**
 * Puts the second run of files in the place of their first one. A test that failed in either run has failed.
 * @param {Report} first
 * @param {Report | undefined} second
 * @returns {Report}
 */
export function joined(first, second) {
  const repeated = new Map(second?.testResults.map(file => [file.name, file]))
  const testResults = first.testResults.map(file => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    const { assertionResults, ...rest } = repeated.get(file.name) ?? file
    const tests = assertionResults.map(test => failed.find(({ fullName }) => fullName === test.fullName) ?? test)
    return { ...rest, assertionResults: tests }
  })
  const remaining = first.strayErrors.filter(({ file, deadProcess }) => !(deadProcess && repeated.has(file)))
  return { testResults, strayErrors: [...remaining, ...(second?.strayErrors ?? [])] }
}

/**
 * What the end of a log says about each failure: the test, its file and the first lines of the message.
 * @param {Failure[]} failures
 * @returns {string[]}
 */
export function told(failures) {
  return failures.flatMap(({ title, file, message }) => [
    `✗ ${title}`,
    ...(file === '' ? [] : [`  ${file}`]),
    ...firstLines(message).map(line => `    ${line}`),
  ])
}

/**
 * The lines of a message that say something, without colours and without its stack.
 * @param {string} message
 */
function firstLines(message) {
  const lines = stripVTControlCharacters(message).split('\n')
  const stack = lines.findIndex(line => /^\s+at /.test(line))
  return lines
    .slice(0, stack === -1 ? undefined : stack)
    .map(line => line.trimEnd().slice(0, 200))
    .filter(line => line !== '')
    .slice(0, 6)
}

/**
 * @param {string} title
 * @param {string} file
 * @param {string} message
 * @returns {Failure}
 */
const failure = (title, file, message) => ({ title, file: file && relative(root, file), message })

/**
 * @param {string} name
 * @param {{ node: string, env: NodeJS.ProcessEnv, tool: (name: 'vitest') => string }} tools
 * @param {string[]} options
 * @param {string[]} filters Files, or parts of their names; without one all files are run.
 * @returns {Promise<Outcome>}
 */
export async function runVitest(name, tools, options, filters = []) {
  const first = await runOnce(name, tools, [...options, ...filters])
  const again = cutOff(first.report)
  if (!first.report || again.length === 0) return outcomeOf(first.report, first.code)
  // Node itself dies now and then where threads come and go (nodejs/node#64500). A file that kills its process by itself
  // does so again.
  console.log(`\nThe process of these files died, so they run once more: ${again.join(', ')}`)
  const second = await runOnce(name, tools, [...options, ...again])
  const report = joined(first.report, second.report)
  writeFileSync(second.path, JSON.stringify(report))
  return outcomeOf(report, second.code)
}

/**
 * @param {string} name
 * @param {{ node: string, env: NodeJS.ProcessEnv, tool: (name: 'vitest') => string }} tools
 * @param {string[]} args
 * @returns {Promise<{ code: number, path: string, report: Report | undefined }>}
 */
async function runOnce(name, { node, env, tool }, args) {
  const path = join(cache, `report-${name}.json`)
  mkdirSync(cache, { recursive: true })
  rmSync(path, { force: true })
  const reporters = ['--reporter=default', '--reporter=./scripts/lib/report.mjs', `--outputFile.json=${path}`]
  const { code } = await run(node, [tool('vitest'), 'run', ...args, ...reporters], { env, show: true })
  return { code, path, report: existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined }
}
