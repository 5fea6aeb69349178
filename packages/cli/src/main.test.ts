import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SessionEvent } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './main.ts'

let folder: string
let children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-cli-'))
})
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  children = []
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the command in this process and gives what it wrote. */
async function run(...args: string[]) {
  const written = { out: '', err: '' }
  const io = {
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
    stdin: (async function* () {})(),
  }
  return { code: await main(args, io), ...written }
}

/** Runs the command in a process of its own, as people do. */
function launch(...args: string[]) {
  const file = join(import.meta.dirname, 'main.ts')
  const flags = ['--conditions=vitrine-source', '--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...flags, file, ...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder })
  children.push(child)
  const written = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    written.out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    written.err += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code, ...written }))
  const url = async () => {
    while (!written.out.includes('\n')) await once(child.stdout, 'data')
    return new URL(/http:\S+/.exec(written.out)![0])
  }
  return { child, ended, url, written }
}

describe('the command line', { timeout: 30_000 }, () => {
  it('P-430 --help and --version answer; nothing at all shows the help', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('vitrine start'), err: '' })
    expect(await run('start', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--port') })
    expect(await run('--version')).toEqual({ code: 0, out: '0.1.0\n', err: '' })
    expect(await run()).toMatchObject({ code: 2 })
  })

  it.each([
    [['begin']],
    [['--prot', '1']],
    [['start', '--prot', '1']],
    [['start', 'now']],
    [['start', '--port']],
    [['start', '--port', 'http']],
    [['start', '--port', '65536']],
    [['start', '--port', '-1']],
    [['start', '--host', '']],
    [['start', '--data', '']],
    [['rotate-token', '--data', '/nowhere']],
    [['rotate-token', '--port', '1']],
  ])('P-430 %j is one clear line and exit code 2', async args => {
    const { code, out, err } = await run(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^[A-Z-].{10,200} See vitrine --help\.\n$/)
  })

  it('P-430 ui goes to its own command', async () => {
    expect(await run('ui', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('vitrine ui validate') })
  })

  it('P-432 start prints one URL that works, and Ctrl-C ends it with 0', async () => {
    const { child, ended, url } = launch('start', '--port', '0', '--data', './data')
    const address = await url()
    expect(address.hostname).toBe('127.0.0.1')
    const signedIn = await fetch(address, { redirect: 'manual' })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    expect((await fetch(new URL('/api/agents', address), { headers: { cookie } })).status).toBe(200)
    expect(existsSync(join(folder, 'data/vitrine.db'))).toBe(true)
    child.kill('SIGINT')
    const { code, out, err } = await ended
    expect([code, err]).toEqual([0, ''])
    expect(out.match(/http/g)).toHaveLength(1)
    expect(out.trim().split('\n')).toHaveLength(1)
  })

  it('P-432 SIGTERM ends it too, with a stream open', async () => {
    const { child, ended, url } = launch('start', '--port', '0')
    const address = await url()
    const headers = { authorization: `Bearer ${address.searchParams.get('token')}` }
    const response = await fetch(new URL('/api/stream', address), { headers })
    child.kill('SIGTERM')
    expect(await response.text()).toContain('event: cut\ndata: {"reason":"stopping"')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  it('P-432 a second signal does not wait for what hangs', async () => {
    const { child, ended, url } = launch('start', '--port', '0')
    const { port, searchParams } = await url()
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const head = `POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${searchParams.get('token')}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: 9\r\n\r\n{`)
    await new Promise(resolve => setTimeout(resolve, 100))
    const from = performance.now()
    child.kill('SIGINT')
    await new Promise(resolve => setTimeout(resolve, 100))
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
    expect(performance.now() - from).toBeLessThan(2_000)
    socket.destroy()
  })

  it('P-431 a taken port is one clear line and exit code 1', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as { port: number }
    const { code, out, err } = await launch('start', '--port', `${port}`).ended
    holder.close()
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(new RegExp(`^Port ${port} on 127.0.0.1 is taken[^\n]*--port\\.\n$`))
  })

  it('P-431 a data folder that is foreign, no folder, in use or not writable is one clear line and exit code 1', async () => {
    mkdirSync(join(folder, 'foreign'))
    writeFileSync(join(folder, 'foreign/letter.txt'), 'Dear all')
    writeFileSync(join(folder, 'file'), '')
    const first = launch('start', '--port', '0', '--data', 'used')
    await first.url()
    for (const data of ['foreign', 'file', 'file/below', 'used', '/proc/unwritable']) {
      const { code, out, err } = await launch('start', '--port', '0', '--data', data).ended
      expect([data, code, out]).toEqual([data, 1, ''])
      expect(err).toMatch(/^[^\n]{20,}\n$/)
    }
  })

  it('P-431 a database of a newer version is one clear line and exit code 1', async () => {
    const first = launch('start', '--port', '0', '--data', 'data')
    await first.url()
    first.child.kill('SIGINT')
    await first.ended
    const db = new DatabaseSync(join(folder, 'data/vitrine.db'))
    db.exec('PRAGMA user_version = 999')
    db.close()
    const { code, err } = await launch('start', '--port', '0', '--data', 'data').ended
    expect(code).toBe(1)
    expect(err).toMatch(/^[^\n]*newer version of Vitrine[^\n]*\n$/)
  })

  it('H14 a data folder that lost its database is one clear line and exit code 1, until --accept-loss', async () => {
    const data = join(folder, 'data')
    const first = launch('start', '--port', '0', '--data', data)
    await first.url()
    first.child.kill('SIGTERM')
    await first.ended
    rmSync(join(data, 'vitrine.db'))
    const refused = await launch('start', '--port', '0', '--data', data).ended
    const line = /^[^\n]*vitrine.db was deleted or emptied[^\n]*--accept-loss[^\n]*\n$/
    expect([refused.code, refused.out, refused.err]).toEqual([1, '', expect.stringMatching(line)])
    const again = launch('start', '--port', '0', '--data', data, '--accept-loss')
    await again.url()
    again.child.kill('SIGTERM')
    expect((await again.ended).code).toBe(0)
  })

  it('P-443 another loopback address works: the printed URL, its cookie, the page and the API', async () => {
    const { url } = launch('start', '--port', '0', '--host', '127.0.0.2')
    const address = await url()
    expect(address.hostname).toBe('127.0.0.2')
    const signedIn = await fetch(address, { redirect: 'manual' })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    const headers = { cookie, origin: address.origin }
    expect((await fetch(new URL('/api/agents', address), { headers })).status).toBe(200)
  })

  it('P-446 rotate-token changes the token of a stopped server, and leaves a running one alone', async () => {
    const first = launch('start', '--port', '0', '--data', 'data')
    const old = (await first.url()).searchParams.get('token')
    const early = await launch('rotate-token', '--data', 'data').ended
    expect([early.code, early.out, early.err]).toEqual([1, '', expect.stringMatching(/^[^\n]*in use[^\n]*\n$/)])
    first.child.kill('SIGINT')
    await first.ended
    const { code, out, err } = await launch('rotate-token', '--data', 'data').ended
    expect([code, out, err]).toEqual([0, expect.stringMatching(/^The token was changed[^\n]*\n$/), ''])
    const address = await launch('start', '--port', '0', '--data', 'data').url()
    expect(address.searchParams.get('token')).not.toBe(old)
    const status = async (token: string | null) =>
      (await fetch(new URL('/api/health', address), { headers: { authorization: `Bearer ${token}` } })).status
    expect([await status(old), await status(address.searchParams.get('token'))]).toEqual([401, 200])
  })

  it('P-435 an agent of one’s own is in the list, and answers; a file that has none is one line and exit code 1', async () => {
    writeFileSync(
      join(folder, 'mine.mjs'),
      "export default { agentId: 'mine', async *run() { yield { type: 'text.delta', partId: 'p', delta: 'Hello from mine' } } }",
    )
    const { url } = launch('start', '--port', '0', '--data', 'data', '--agent', 'mine.mjs')
    const address = await url()
    const headers = {
      authorization: `Bearer ${address.searchParams.get('token')}`,
      'content-type': 'application/json',
      accept: 'application/json',
    }
    const call = async (path: string, body?: object) => {
      const post = body && { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(new URL(`/api${path}`, address), { headers, ...post })).text()
    }
    expect(await call('/agents')).toContain('"agentId":"mine"')
    await call('/sessions', { sessionId: 's', agentId: 'mine' })
    await call('/sessions/s/turns', { turnId: 't', text: 'hi' })
    await expect.poll(() => call('/sessions/s/events')).toContain('Hello from mine')
    writeFileSync(join(folder, 'none.mjs'), 'export default 5')
    const { code, out, err } = await launch('start', '--port', '0', '--data', 'other', '--agent', 'none.mjs').ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^[^\n]*none\.mjs[^\n]*does not export an agent[^\n]*\n$/)
  })

  it('TK-30 agents have tools to compute and to look things up, and with --folder the files of a folder', {
    timeout: 120_000,
  }, async () => {
    mkdirSync(join(folder, 'work'))
    writeFileSync(join(folder, 'work/plan.md'), 'The plan of the day')
    writeFileSync(
      join(folder, 'caller.mjs'),
      `export default { agentId: 'caller', async *run({ text }, { tools }) {
        const [name, args] = text.split(' ')
        const tool = tools.find(one => one.name === name)
        const said = tool ? await tool.call(JSON.parse(args)) : tools.map(one => one.name + ' ' + one.effects)
        yield { type: 'text.delta', partId: 'p', delta: JSON.stringify(said) }
      } }`,
    )
    const { url } = launch('start', '--port', '0', '--data', 'data', '--agent', 'caller.mjs', '--folder', '.')
    const address = await url()
    const headers = {
      authorization: `Bearer ${address.searchParams.get('token')}`,
      'content-type': 'application/json',
      accept: 'application/json',
    }
    const call = async (path: string, body?: object) => {
      const post = body && { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(new URL(`/api${path}`, address), { headers, ...post })).text()
    }
    await call('/sessions', { sessionId: 's', agentId: 'caller' })
    let turns = 0
    const says = async (text: string, words: string) => {
      const turnId = `t${++turns}`
      await call('/sessions/s/turns', { turnId, text })
      const ended = async (): Promise<boolean> => {
        const { events } = JSON.parse(await call('/sessions/s/events?after=0')) as { events: SessionEvent[] }
        return events.some(event => event.type === 'run.finished' && event.turnId === turnId)
      }
      await expect.poll(ended, { timeout: 60_000 }).toBe(true)
      expect(await call('/sessions/s/events?after=0')).toContain(words)
    }
    await says('list', 'calculate none')
    const listed = await call('/sessions/s/events?after=0')
    for (const tool of ['files_read reads', 'files_write writes', 'web_fetch outside', 'query_table reads'])
      expect(listed).toContain(tool)
    await says('files_read {"path":"work/plan.md"}', 'The plan of the day')
    await says('calculate {"expression":"6*7"}', '\\"42\\"')
    await says('run_javascript {"code":"6*8"}', 'Result: 48')
    // The server keeps its own data to itself, although it is inside of the folder.
    await says('files_list {"path":"data"}', 'data belongs to the server itself')
    const { code, err } = await run('start', '--folder', 'nowhere')
    expect([code, err]).toEqual([2, '--folder takes a folder that is there: nowhere is none. See vitrine --help.\n'])
  })

  it('P-471 P-431 two agents of the same id are one clear line and exit code 1', async () => {
    writeFileSync(join(folder, 'twice.mjs'), "const a = { agentId: 'x', async *run() {} }; export default [a, a]")
    const { code, out, err } = await launch('start', '--port', '0', '--agent', 'twice.mjs').ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^Two agents are called "x"[^\n]*\n$/)
  })

  it('H09 P-431 a host beyond this machine is one clear line and exit code 1', async () => {
    const { code, err } = await launch('start', '--port', '0', '--host', '0.0.0.0').ended
    expect([code, err]).toEqual([1, expect.stringMatching(/^Listening on 0\.0\.0\.0[^\n]*sign-in[^\n]*\n$/)])
  })

  it('A2-305 --catalog takes a public document or a module, and --catalog-module the module that draws it', async () => {
    const gauge = { type: 'object', description: 'A dial.', properties: { component: { const: 'Gauge' } } }
    const document = { catalogId: 'https://example.com/energy', components: { Gauge: gauge } }
    writeFileSync(join(folder, 'energy.json'), JSON.stringify(document))
    writeFileSync(join(folder, 'module.js'), 'export default () => ({ components: {} })')
    const heat = { ...document, catalogId: 'https://example.com/heat' }
    writeFileSync(join(folder, 'heat.mjs'), `export default ${JSON.stringify(heat)}`)
    const flags = ['--catalog', 'energy.json', '--catalog-module', 'module.js', '--catalog', 'heat.mjs']
    const started = launch('start', '--port', '0', '--data', 'data', ...flags)
    const url = await started.url()
    const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
    const { catalogs } = (await (await fetch(new URL('/api/catalogs', url), { headers })).json()) as {
      catalogs: { ids: string[]; module: string | null }[]
    }
    expect(catalogs.map(({ ids, module }) => [ids[0], module === null])).toEqual([
      ['https://example.com/energy', false],
      ['https://example.com/heat', true],
    ])
    const module = await fetch(new URL(catalogs[0]!.module!, url), { headers })
    expect(await module.text()).toBe('export default () => ({ components: {} })')
    started.child.kill('SIGINT')
    expect((await started.ended).code).toBe(0)
  })

  it('A2-304 A2-305 A2-403 a catalog that cannot be used is refused in one line that names the flag', async () => {
    const at = (name: string) => join(folder, name)
    writeFileSync(at('broken.json'), '{')
    writeFileSync(at('empty.json'), '{}')
    const start = (...flags: string[]) => run('start', '--port', '0', '--data', at('data'), ...flags)
    expect(await start('--catalog', at('broken.json'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/broken\.json could not be read: .* The flag is --catalog\.\n$/),
    })
    expect((await start('--catalog', at('empty.json'))).err).toMatch(/empty\.json has no catalog: it needs a catalogId/)
    const Foo = { type: 'object', propertis: {}, properties: { a: { $ref: 'common_types.json#/$defs/DynamicStrin' } } }
    writeFileSync(at('typos.json'), JSON.stringify({ catalogId: 'x', components: { Foo } }))
    expect((await start('--catalog', at('typos.json'))).err).toMatch(
      /typos\.json cannot be used: .*\/components\/Foo\/propertis: .*; \/components\/Foo\/properties\/a\/\$ref: /,
    )
    expect((await start('--catalog', at('nothing.json'))).err).toMatch(/nothing\.json could not be read/)
    expect(await start('--catalog-module', at('module.js'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('--catalog-module stands after the --catalog that it draws.'),
    })
    expect(existsSync(at('data'))).toBe(false)
  })
})
