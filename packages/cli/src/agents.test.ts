import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { AgentRefused } from '@vitrine/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAgents } from './agents.ts'

describe('vitrine start --agent', () => {
  let folder = ''
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-agents-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('P-435 takes the default export of a module, one agent or several', async () => {
    const one = await file('one.mjs', `export default { agentId: 'one', async *run() {} }`)
    const two = await file(
      'two.mjs',
      `export default [{ agentId: 'a', name: 'A', run: async function* () {} }, { agentId: 'b', run() {} }]`,
    )
    const { agents, close } = await loadAgents([relative(process.cwd(), one), two])
    expect(agents.map(({ agentId, name }) => `${agentId} ${name}`)).toEqual(['one one', 'a A', 'b b'])
    await close()
  })

  it.each([
    ['a file that is not there', 'missing.mjs', undefined, 'could not be loaded'],
    ['no agent', 'none.mjs', 'export default 5', 'does not export an agent'],
    ['no run function', 'norun.mjs', `export default { agentId: 'x' }`, 'does not export an agent'],
    ['a file with a mistake', 'broken.mjs', 'export default {', 'could not be loaded'],
    ['a run that is no generator', 'star.mjs', `export default { agentId: 'x', async run() {} }`, 'with the star'],
  ])('P-435 says in one line what is wrong with %s', async (_name, path, text, message) => {
    const given = text === undefined ? join(folder, path) : await file(path, text)
    await expect(loadAgents([given])).rejects.toThrow(AgentRefused)
    await expect(loadAgents([given])).rejects.toThrow(message)
  })
})
