import { describe, expect, it } from 'vitest'
import { alive } from './context.test.kit.ts'
import { startWork } from './process.ts'

/** A program that starts a child process which ignores SIGTERM, prints both process ids, and never ends. */
const STUBBORN = `
const child = require('node:child_process').spawn(process.execPath, ['-e',
  "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)"], { stdio: ['ignore', 'pipe', 'ignore'] })
child.stdout.once('data', () => console.log(process.pid + ' ' + child.pid))
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
`

describe('work in a process of its own', () => {
  it('P-509 an abort ends the process and what it has started, also when they ignore the request', async () => {
    const stop = new AbortController()
    const work = startWork(STUBBORN, [], stop.signal)
    const lines = work[Symbol.asyncIterator]()
    const { value } = await lines.next()
    const pids = String(value).split(' ').map(Number)
    expect(pids).toHaveLength(2)
    expect(pids.every(alive)).toBe(true)
    stop.abort()
    await expect(lines.next()).rejects.toThrow()
    expect(pids.filter(alive)).toEqual([])
  })

  it('P-509 the process ends even when nobody reads its output after the abort', async () => {
    const stop = new AbortController()
    const work = startWork('setInterval(() => console.log(1), 50)', [], stop.signal)
    stop.abort()
    await work.stop()
    expect(alive(work.pid)).toBe(false)
  })

  it('P-509 the process ends when its reader stops early', async () => {
    const work = startWork('setInterval(() => console.log(1), 10)', [], new AbortController().signal)
    for await (const _line of work) break
    expect(alive(work.pid)).toBe(false)
  })

  it('P-509 the process sees nothing of the server’s environment', async () => {
    process.env.GUIDE_TEST_SECRET = 'secret'
    const work = startWork(
      'console.log(String(process.env.GUIDE_TEST_SECRET)); process.exit()',
      [],
      new AbortController().signal,
    )
    const lines: string[] = []
    for await (const line of work) lines.push(line)
    delete process.env.GUIDE_TEST_SECRET
    expect(lines).toEqual(['undefined'])
  })
})
