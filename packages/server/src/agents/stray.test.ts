import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const STRAY = new URL('./stray.ts', import.meta.url).href

/** A program that runs an agent and then executes this code outside of the agent. */
async function program(then: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `
    import { traced } from ${JSON.stringify(STRAY)}
    async function* agent() { setTimeout(() => { throw new Error('of the agent') }, 1); yield 1; await new Promise(() => {}) }
    const take = one => { console.log(one); return true }
    try { await traced(agent, take, () => {}) } catch (error) { console.log(error.code) }
    ${then}
    await new Promise(resolve => setTimeout(resolve, 200))
    console.log('end')`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    error => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  )
}

describe('H11 Node handles errors that belong to no agent as always', () => {
  it.each([
    ['nothing', '', 0, '1\nagent_crashed\nend\n', ''],
    ['a throw in a timer', 'setTimeout(() => { throw new Error("mine") }, 1)', 1, '1\nagent_crashed\n', 'Error: mine'],
    ['a rejection', 'Promise.reject(new Error("mine"))', 1, '1\nagent_crashed\n', 'Error: mine'],
    ['process.exit', 'process.exit(5)', 5, '1\nagent_crashed\n', ''],
    [
      'a listener of the program',
      'process.on("uncaughtException", error => console.log(error.message)); setTimeout(() => { throw new Error("mine") }, 1)',
      0,
      '1\nagent_crashed\nmine\nend\n',
      '',
    ],
  ])('H11 %s', async (_name, then, code, stdout, stderr) => {
    const result = await program(then)
    expect(result).toMatchObject({ code, stdout, stderr: expect.stringContaining(stderr) })
  })
})
