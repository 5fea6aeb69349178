import { readFileSync, writeFileSync } from 'node:fs'
import { JsonReporter } from 'vitest/node'

/**
 * The JSON report of Vitest, and with it the errors outside of any test, of which Vitest's own report says nothing.
 */
export default class Report extends JsonReporter {
  /**
   * @override
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<import('vitest').SerializedError>} [errors]
   */
  async onTestRunEnd(modules, errors = []) {
    await super.onTestRunEnd(modules)
    const { outputFile } = this.ctx.config
    if (typeof outputFile !== 'object' || outputFile.json === undefined) throw new Error('Give --outputFile.json')
    const report = JSON.parse(readFileSync(outputFile.json, 'utf8'))
    const files = modules.map(({ moduleId }) => moduleId)
    writeFileSync(
      outputFile.json,
      JSON.stringify({ ...report, strayErrors: errors.map(error => strayError(error, files)) }),
    )
  }
}

/**
 * @param {import('vitest').SerializedError} error
 * @param {string[]} files
 * @returns {import('./suites.mjs').StrayError}
 */
function strayError(error, files) {
  const message = error.cause ? `${error.message}\n${error.cause.message}` : (error.stack ?? error.message)
  return {
    file: error.VITEST_TEST_PATH ?? files.find(file => message.includes(file)) ?? '',
    message,
    deadProcess: message.includes('Worker exited unexpectedly'),
  }
}
