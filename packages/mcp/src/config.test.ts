import { describe, expect, it } from 'vitest'
import { McpConfigRefused, readMcpFile, readMcpServer } from './config.ts'

/** A reference to the environment, as a file of servers writes it. */
const ref = (name: string): string => `$${`{${name}}`}`
const file = (mcpServers: object): string => JSON.stringify({ mcpServers })

describe('the file of MCP servers', () => {
  it('MC-23 that many programs share is read, with what is ours beside it', () => {
    const text = file({
      'My Files': {
        command: 'npx',
        args: ['-y', 'server', `${ref('HOME')}/notes`],
        env: { LEVEL: ref('LEVEL:-info') },
      },
      git: {
        type: 'http',
        url: 'https://git.example.org/mcp',
        headers: { Authorization: `Bearer ${ref('TOKEN')}` },
        trusted: true,
      },
      off: { command: 'off', disabled: true },
    })
    expect(readMcpFile(text, { env: { HOME: '/home/ann', TOKEN: 't0' } })).toEqual([
      {
        id: 'My-Files',
        name: 'My Files',
        enabled: true,
        transport: { kind: 'stdio', command: 'npx', args: ['-y', 'server', '/home/ann/notes'], env: { LEVEL: 'info' } },
      },
      {
        id: 'git',
        name: 'git',
        enabled: true,
        trusted: true,
        transport: { kind: 'http', url: 'https://git.example.org/mcp', headers: { Authorization: 'Bearer t0' } },
      },
      { id: 'off', name: 'off', enabled: false, transport: { kind: 'stdio', command: 'off' } },
    ])
  })

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'no object `mcpServers`'],
    [file({ a: 7 }), 'The MCP server a is no object'],
    [file({ a: {} }), 'neither a command nor a url'],
    [file({ a: { url: 'ftp://x' } }), 'begins with http:// or https://'],
    [file({ a: { type: 'sse', url: 'http://x' } }), 'use its address for streamable HTTP'],
    [file({ a: { command: 'x', env: { A: 1 } } }), 'env has a text for each name'],
    [file({ a: { command: 'x', args: 'y' } }), 'args is a list of texts'],
    [file({ a: { command: 'x', policies: { t: 'maybe' } } }), '`allow`, `ask` or `off`'],
    [file({ a: { command: ref('MISSING') } }), 'needs MISSING, and the environment does not have it'],
  ])('MC-23 %s is refused with words', (text, words) => {
    expect(() => readMcpFile(text)).toThrow(words)
    expect(() => readMcpFile(text)).toThrow(McpConfigRefused)
  })

  it('MC-23 gives servers whose names look alike ids of their own', () => {
    const ids = readMcpFile(file({ 'a b': { command: 'x' }, 'a/b': { command: 'y' }, 漢字: { command: 'z' } }))
    expect(ids.map(({ id }) => id)).toEqual(['a-b', 'a-b-2', 'server'])
  })

  it.each([
    [{ id: 'a b', name: 'A', transport: { kind: 'stdio', command: 'x' } }, '1 to 50 letters'],
    [{ id: 'a', name: '', transport: { kind: 'stdio', command: 'x' } }, 'give it a name'],
    [{ id: 'a', name: 'A' }, 'say how it is reached'],
    [{ id: 'a', name: 'A', transport: { kind: 'carrier pigeon' } }, '`stdio` or `http`'],
    [{ id: 'a', name: 'A', transport: { kind: 'stdio', command: 'x' }, startMs: -1 }, 'number of milliseconds'],
    [{ id: 'a', name: 'A', transport: { kind: 'stdio', command: 'x' }, trusted: 'yes' }, 'trusted is a boolean'],
    [null, 'is an object'],
  ])('MC-23 a configuration such as %j is refused with words', (given, words) => {
    expect(() => readMcpServer(given)).toThrow(words)
  })
})
