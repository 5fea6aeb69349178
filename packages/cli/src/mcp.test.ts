import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './main.ts'
import { loadMcp } from './mcp.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-mcp-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = async (name: string, content: string): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, content)
  return file
}

describe('vitrine start --mcp', () => {
  it('MC-30 connects the servers of the file', async () => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
    const mcpServers = { Everything: { command: process.execPath, args: [entry], trusted: true } }
    const loaded = await loadMcp([await write('mcp.json', JSON.stringify({ mcpServers }))], () => {})
    try {
      const [source] = loaded.sources()
      while (source!.health!().state === 'starting') await new Promise(resolve => setTimeout(resolve, 20))
      const tools = await source!.tools({ owner: 'ann', sessionId: 's', agentId: 'a' })
      expect(tools.map(({ toolId }) => toolId)).toContain('mcp.Everything:echo')
    } finally {
      await loaded.close()
    }
  })

  it.each([
    ['missing', undefined, 'cannot be read'],
    ['broken', '{', 'is not JSON'],
    ['empty', '{"mcpServers": {"a": {}}}', 'neither a command nor a url'],
  ])('MC-30 says in one line what is wrong with a file that is %s', async (name, content, words) => {
    const file = content === undefined ? join(folder, name) : await write(name, content)
    const written = { out: '', err: '' }
    const io = {
      stdout: { write: (text: string) => (written.out += text) },
      stderr: { write: (text: string) => (written.err += text) },
      stdin: (async function* () {})(),
    }
    expect(await main(['start', '--port', '0', '--data', join(folder, 'data'), '--mcp', file], io)).toBe(1)
    expect(written.err).toContain(words)
    expect(written.err.trim().split('\n')).toHaveLength(1)
    expect(written.err).toContain('The flag is --mcp.')
  })

  it('MC-30 refuses a server that two files name', async () => {
    const text = '{"mcpServers": {"a": {"command": "x", "disabled": true}}}'
    const files = [await write('1.json', text), await write('2.json', text)]
    await expect(loadMcp(files, () => {})).rejects.toThrow('Two files name an MCP server a.')
  })
})
