import { beforeEach, describe, expect, it } from 'vitest'
import { createCalculator } from '../calculator/calculator.ts'
import { handsOn, openDoor } from '../door.fixture.ts'
import { createCodeTools } from './code-tools.ts'

let hands: Awaited<ReturnType<typeof handsOn>>
beforeEach(async () => {
  hands = await handsOn(createCodeTools({ ms: 500 }))
})
const run = (code: string, input?: object) =>
  hands.run('run_javascript', { code, ...(input && { input: input as never }) })

describe('programs in JavaScript', () => {
  it.each([
    ['1 + 1', 'Result: 2'],
    ['const a = [3, 1, 2].sort(); a', 'Result: [1,2,3]'],
    ['console.log("x", { a: 1n }, new Map([[1, 2]])); "done"', 'It printed:\nx {"a":"1"} [[1,2]]\n\nResult: done'],
    ['const x = await Promise.resolve(5); return x * 2', 'Result: 10'],
    ['Promise.resolve([1])', 'Result: [1]'],
    ['(() => {})()', 'Result: undefined'],
    ['const a = {}; a.a = a; a', 'Result: [object Object]'],
    ['"ü😀".length', 'Result: 3'],
  ])('TK-17 %s gives what it prints and its last value', async (code, text) => {
    expect(await run(code)).toEqual({ text })
  })

  it('TK-17 data are given as input', async () => {
    expect(await run('input.rows.reduce((a, b) => a + b)', { rows: [1, 2, 3] })).toEqual({ text: 'Result: 6' })
  })

  it.each([
    ['throw new TypeError("no")', 'TypeError: no (line 1)'],
    ['let a = 1\nlet b = {}\nb.c.d', /^TypeError: .*\(line 3\)$/],
    ['let let = 1', /^SyntaxError: /],
    ['throw 5', 'It threw 5'],
    ['await Promise.reject(new RangeError("later"))', /^RangeError: later/],
    ['new Promise(() => {})', /it waits for something that never comes/],
    ['import fs from "node:fs"', /^SyntaxError: /],
    ['await import("node:fs")', /could not load module|Error: /],
    ['require("node:fs")', /require is not defined/],
    ['fetch("http://127.0.0.1")', /fetch is not defined/],
    ['setTimeout(() => {}, 1)', /setTimeout is not defined/],
    ['process.exit(1)', /process is not defined/],
  ])('TK-17 what goes wrong in %s is told in words', async (code, words) => {
    const { failed, text } = await run(code)
    expect(failed).toBe(true)
    expect(text).toMatch(words)
  })

  it('TK-18 nothing of the host can be reached', async () => {
    const { text = '' } = await run(
      `const names = Object.getOwnPropertyNames(globalThis)
       const outside = [
         console.log.constructor('return typeof process + typeof require + typeof fetch')(),
         (async () => {}).constructor('return 1') !== undefined && typeof WebAssembly,
       ]
       JSON.stringify([names.filter(name => /process|require|fetch|Worker|XML|Web|std|os$|scriptArgs|print|bjson/.test(name)), outside])`,
    )
    expect(text).toBe('Result: [[],["undefinedundefinedundefined","undefined"]]')
  })

  it.each([
    ['an endless loop', 'while (true) {}', /did not end within 0.5 s/],
    [
      'an endless loop that catches everything',
      'for (;;) { try { for (;;); } catch {} finally { continue } }',
      /did not end within 0.5 s/,
    ],
    ['promises without an end', '(function next() { Promise.resolve().then(next) })()', /did not end within 0.5 s/],
    ['an endless async loop', 'for (;;) await null', /did not end within 0.5 s/],
    ['a pattern that never ends', '/(a+)+$/.test("a".repeat(50) + "!")', /did not end within 0.5 s/],
    ['much memory', 'const a = []; for (;;) a.push(new Uint8Array(1e6))', /more memory|did not end/],
    ['many objects', 'const a = []; for (;;) a.push({})', /more memory|did not end/],
    ['a large array', 'new Array(1e9).fill(1)', /more memory|did not end/],
    ['a large text', '"x".repeat(2 ** 29)', /more memory|invalid string length/i],
    ['a deep recursion', '(function f() { return f() + 1 })()', /too deep/],
    [
      'a deep JSON',
      'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; JSON.stringify(a)',
      /too deep|did not end|more memory/,
    ],
    ['a large number', '10n ** 100000000n', /too large|did not end|more memory/],
    ['a getter that never ends', '({ toJSON() { for (;;); } })', /did not end within 0.5 s/],
    ['waiting for nobody', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', /./],
  ])('TK-19 %s ends with words', { timeout: 60_000 }, async (_name, code, words) => {
    const { failed, text } = await run(code).catch((error: Error) => ({ failed: true, text: error.message }))
    expect(failed).toBe(true)
    expect(text).toMatch(words)
  })

  it('TK-19 output without an end is cut, and the program is stopped', async () => {
    const endless = await run('for (;;) console.log("x".repeat(1000))')
    expect(endless.failed).toBe(true)
    expect(endless.text).toMatch(/did not end[\s\S]*It printed more, which is left out/)
    const large = await run('"y".repeat(1e6)')
    expect(large.text).toMatch(/y… \(1000000 characters\)$/)
    expect(endless.text!.length + large.text!.length).toBeLessThan(16_000)
  })

  it('TK-19 buffers count as memory', async () => {
    const patient = await handsOn(createCodeTools({ ms: 30_000, memoryBytes: 24 * 1024 * 1024 }))
    const { text } = await patient.run('run_javascript', { code: 'const a = []; for (;;) a.push(new Uint8Array(1e6))' })
    expect(text).toBe('It needed more memory than it may have, and was stopped.')
  })

  it('TK-20 nothing of a program is left for the next one', async () => {
    await run('globalThis.left = 1; Array.prototype.push = () => "broken"; Object.prototype.x = 1; console.log = null')
    expect(await run('console.log([1].push(2), typeof left, ({}).x)')).toEqual({
      text: 'It printed:\n2 undefined undefined\n\nResult: undefined',
    })
  })

  it('TK-19 a program that is stopped by a person ends at once, and those that wait leave the queue', async () => {
    const slow = await handsOn(createCodeTools({ ms: 30_000, atOnce: 1 }))
    const stopping = new AbortController()
    const calls = [1, 2, 3].map(() => slow.run('run_javascript', { code: 'for (;;);' }, { signal: stopping.signal }))
    stopping.abort(new Error('The run was stopped.'))
    const ends = await Promise.allSettled(calls)
    expect(ends.map(end => (end.status === 'rejected' ? end.reason.message : end))).toEqual(
      Array(3).fill('The run was stopped.'),
    )
    expect(await slow.run('run_javascript', { code: '7' })).toEqual({ text: 'Result: 7' })
  })

  it('TK-19 while a program runs without an end, the server answers others', async () => {
    const door = await openDoor([createCodeTools({ ms: 3_000 }), createCalculator()])
    const other = await openDoor([createCalculator()])
    try {
      await door.send('run_javascript', { code: 'for (;;);' })
      expect((await other.call('calculate', { expression: '6 * 7' })).result?.preview).toBe('42')
      expect((await door.told()).error).toMatchObject({
        code: 'tool_failed',
        message: 'It did not end within 3 s, and was stopped.',
      })
    } finally {
      await door.close()
      await other.close()
    }
  })
})
