import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root, run } from './lib/run.mjs'
import { cutOff, joined, outcomeOf, type Report, told } from './lib/suites.mjs'

/** A report whose files have tests of these statuses. A file without a test did not load. */
function report(files: Record<string, Record<string, string>>, strayErrors: Report['strayErrors'] = []): Report {
  return {
    testResults: Object.entries(files).map(([name, tests]) => ({
      name: join(root, name),
      status: Object.keys(tests).length === 0 || Object.values(tests).includes('failed') ? 'failed' : 'passed',
      message: '',
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({
        fullName,
        status,
        failureMessages: status === 'failed' ? [`Error: ${fullName} went wrong\n    at a.ts:1:1`] : [],
      })),
    })),
    strayErrors,
  }
}

const death = (file: string) => ({ file: join(root, file), message: 'The process died', deadProcess: true })
const leftBehind = (file: string) => ({ file: join(root, file), message: 'Left behind', deadProcess: false })

/** The numbers of an outcome, as the table shows them. */
function counts(of: Report | undefined, code: number) {
  const { passed, skipped, failures } = outcomeOf(of, code)
  return { passed, failed: failures.length, skipped }
}

describe('R-11 totals', () => {
  it('count passed, failed and skipped tests', () => {
    const two = report({ a: { one: 'passed', two: 'failed' }, b: { three: 'skipped', four: 'passed', five: 'todo' } })
    expect(counts(two, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 })
  })

  it('count a file that does not load', () => {
    expect(counts(report({ a: { one: 'passed' }, b: {} }), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('count a run that failed outside of its tests, or left no report', () => {
    expect(counts(report({ a: { one: 'passed' } }), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(counts(report({ a: { one: 'passed' } }, [leftBehind('a')]), 1)).toMatchObject({ passed: 1, failed: 1 })
    expect(counts(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('P-9450 the end of a log tells what failed', () => {
  it('with the name, the file and the first lines of the message of each failed test, without colours and stack', () => {
    const one = report({ 'scripts/a.test.ts': { fine: 'passed', 'R-1 adds numbers': 'failed' } })
    const test = one.testResults[0]?.assertionResults[1]
    if (test) {
      test.failureMessages = ['\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n\n- 2\n+ 1\n    at x (a.ts:1:2)']
    }
    expect(told(outcomeOf(one, 1).failures)).toEqual([
      '✗ R-1 adds numbers',
      `  ${join('scripts', 'a.test.ts')}`,
      '    AssertionError: expected 1 to be 2',
      '    - 2',
      '    + 1',
    ])
  })

  it('also of files that did not load and of errors outside of any test', () => {
    const { failures } = outcomeOf(report({ a: { one: 'passed' }, b: {} }, [leftBehind('a')]), 1)
    expect(failures.map(({ file }) => file)).toEqual(['b', 'a'])
    expect(told(failures).join('\n')).toContain('    Left behind')
  })
})

describe('P-9451 a file whose process died runs once more', () => {
  const first = report(
    {
      a: { one: 'passed', two: 'failed', three: 'pending' },
      b: { four: 'failed', five: 'passed' },
      c: { six: 'passed' },
    },
    [death('a'), leftBehind('c')],
  )

  it('when tests of it were not reported, and when all were, or none', () => {
    expect(cutOff(first)).toEqual([join(root, 'a')])
    expect(cutOff(report({ a: { one: 'passed' }, b: { two: 'passed' } }, [death('b')]))).toEqual([join(root, 'b')])
    expect(cutOff(report({ a: {}, b: { two: 'passed' } }, [death('a')]))).toEqual([join(root, 'a')])
    expect(cutOff(report({ a: { one: 'failed', two: 'skipped' } }, [leftBehind('a')]))).toEqual([])
    expect(cutOff(undefined)).toEqual([])
  })

  it('and counts once, with every failure of both runs', () => {
    const second = report({ a: { one: 'passed', two: 'passed', three: 'passed' } })
    const { passed, failures } = outcomeOf(joined(first, second), 0)
    expect(passed).toBe(4)
    expect(failures.map(({ title }) => title)).toEqual(['two', 'four', 'There was an error outside of any test'])
  })

  it('and has failed when the second run dies too, or does not come to it', () => {
    expect(counts(joined(first, first), 1).failed).toBeGreaterThan(3)
    expect(counts(joined(first, undefined), 1).failed).toBe(4)
  })

  it('in the reports that Vitest really writes', async () => {
    const folder = mkdtempSync(join(root, '.cache/suites-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const begin = `import { it } from 'vitest'; const die = () => process.kill(process.pid, 'SIGKILL')\n`
    const files = {
      'import.test.ts': 'await new Promise(() => die())',
      'last.test.ts': "it('one', () => {}); it('two', () => new Promise(() => die()))",
      'stray.test.ts':
        "it('one', async () => { setTimeout(() => { throw new Error('stray') }); await new Promise(r => setTimeout(r, 50)) })",
      'whole.test.ts': "it('one', () => {}); it('two', () => { throw new Error('two') }); it.skip('three', () => {})",
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), begin + text)
    const path = join(folder, 'report.json')
    const reporters = [`--reporter=${join(root, 'scripts/lib/report.mjs')}`, `--outputFile.json=${path}`]
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { code } = await run(process.execPath, [vitest, 'run', `--root=${folder}`, ...reporters])
    const written: Report = JSON.parse(readFileSync(path, 'utf8'))
    expect(cutOff(written).toSorted()).toEqual([join(folder, 'import.test.ts'), join(folder, 'last.test.ts')])
    const { passed, skipped, failures } = outcomeOf(joined(written, undefined), code)
    expect({ passed, skipped }).toEqual({ passed: 2, skipped: 1 })
    expect(failures.map(({ file }) => file.split(/[\\/]/).at(-1)).toSorted()).toEqual(Object.keys(files))
    expect(told(failures).join('\n')).toContain('Error: stray')
  })
})
