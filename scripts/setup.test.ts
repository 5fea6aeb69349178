import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fingerprint, installLocked, isInstalledAsLocked } from './lib/dependencies.mjs'
import { folderWith } from './lib/folder.ts'
import { withLock } from './lib/lock.mjs'
import { findNode, isNewEnough } from './lib/node.mjs'
import { workbenchFingerprint } from './lib/workbench.mjs'

const repository = resolve(import.meta.dirname, '..')
const quiet = () => {}

/** Starts a program in a process of its own and collects what it prints. */
function program(source: string, ...args: string[]) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source, '--', ...args])
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    printed += text
  })
  const says = async (text: string) => {
    while (!printed.includes(text)) await once(child.stdout, 'data')
  }
  return { child, says, printed: () => printed, ended: once(child, 'close') as Promise<[number | null, string | null]> }
}

const library = (name: string) => JSON.stringify(new URL(`./lib/${name}.mjs`, import.meta.url).href)

describe('R-01 Node', () => {
  it('tells which versions are too old', () => {
    expect(['20.20.2', '22.0.0', '24.0.0', '26.1.0'].map(isNewEnough)).toEqual([false, false, true, true])
  })

  it('uses the running one when it is new enough', async () => {
    const [outcome, node] = await findNode(quiet)
    expect(node).toBe(process.execPath)
    expect(outcome).toContain('the installed one')
  })
})

describe('R-02 locked dependencies', () => {
  const manifest = { name: 'root', workspaces: ['packages/*'], dependencies: { a: '1.0.0' } }
  const entries = {
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/only-elsewhere': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  }
  const lock = { packages: { '': manifest, 'packages/x': { name: 'x' }, ...entries } }
  const installed = { packages: { 'node_modules/a': entries['node_modules/a'], 'packages/x': { name: 'x' } } }
  const files = {
    'package.json': manifest,
    'packages/x/package.json': { name: 'x' },
    'package-lock.json': lock,
    'node_modules/.package-lock.json': installed,
  }

  it('sees that the lock is installed', () => {
    expect(isInstalledAsLocked(folderWith(files))).toBe(true)
  })

  it.each([
    ['nothing is installed', { 'node_modules/.package-lock.json': { packages: {} } }],
    [
      'another version is',
      { 'node_modules/.package-lock.json': { packages: { 'node_modules/a': { version: '2.0.0' } } } },
    ],
    [
      'a workspace declares more than the lock',
      { 'packages/x/package.json': { name: 'x', dependencies: { b: '1.0.0' } } },
    ],
    [
      'something was removed from the lock',
      {
        'package-lock.json': { packages: { '': { ...manifest, dependencies: {} } } },
        'package.json': { name: 'root' },
      },
    ],
  ])('sees when %s', (_, change) => {
    expect(isInstalledAsLocked(folderWith({ ...files, ...change }))).toBe(false)
  })

  it('takes a binary of this platform that the lock does not know', () => {
    const extra = { 'node_modules/only-here': { version: '1.0.0', optional: true } }
    const record = { packages: { ...installed.packages, ...extra } }
    expect(isInstalledAsLocked(folderWith({ ...files, 'node_modules/.package-lock.json': record }))).toBe(true)
  })

  it('says which package.json the lock does not know, before it touches anything', async () => {
    const folder = folderWith({ ...files, 'packages/x/package.json': { name: 'x', dependencies: { b: '1.0.0' } } })
    const place = { folder, stamp: join(folder, '.cache/dependencies.stamp'), node: '/nowhere/node' }
    await expect(installLocked(place, quiet)).rejects.toThrow(
      'packages/x/package.json and package-lock.json do not agree. Run npm install',
    )
  })

  it('installs nothing when they are there, and remembers it', async () => {
    const folder = folderWith(files)
    const stamp = join(folder, '.cache/dependencies.stamp')
    // This node does not exist, so starting npm with it would fail.
    const place = { folder, stamp, node: '/nowhere/node' }
    expect(await installLocked(place, quiet)).toEqual(['as locked', undefined])
    expect(readFileSync(stamp, 'utf8')).toBe(fingerprint(folder))
    expect(await installLocked(place, quiet)).toEqual(['as locked', undefined])
  })

  it('changes its fingerprint with the lock and with the package.json of a workspace', () => {
    const folder = folderWith(files)
    const prints = [fingerprint(folder)]
    writeFileSync(join(folder, 'packages/x/package.json'), '{ "name": "x", "version": "2.0.0" }')
    prints.push(fingerprint(folder))
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    prints.push(fingerprint(folder))
    expect(new Set(prints).size).toBe(3)
  })
})

describe('R-03 set-ups at the same time', () => {
  const holdLock = `
    import { withLock } from ${library('lock')}
    import { appendFileSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    const [lock, log] = process.argv.slice(1)
    await withLock(lock, async () => {
      appendFileSync(log, 'in ')
      await setTimeout(20)
      appendFileSync(log, 'out ')
    })`

  it('come one after another, also when the lock was abandoned', async () => {
    const folder = folderWith({ lock: '2000000000 1' })
    const log = join(folder, 'log')
    const all = Array.from({ length: 8 }, () => program(holdLock, join(folder, 'lock'), log))
    const codes = await Promise.all(all.map(async ({ ended }) => (await ended)[0]))
    expect(codes).toEqual(all.map(() => 0))
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(8))
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  }, 30_000)

  it('wait for the child of a set-up that was killed', async () => {
    const folder = folderWith({})
    const lock = join(folder, 'lock')
    const holder = program(
      `
      import { withLock } from ${library('lock')}
      import { spawn } from 'node:child_process'
      await withLock(process.argv[1], async ({ alsoHeldBy }) => {
        const child = spawn('sleep', ['60'])
        alsoHeldBy(child.pid)
        console.log('child', child.pid, '.')
        await new Promise(() => setInterval(() => {}, 1000))
      })`,
      lock,
    )
    await holder.says('.')
    const orphan = Number.parseInt(holder.printed().split(' ')[1] ?? '', 10)
    holder.child.kill('SIGKILL')
    await holder.ended
    let entered = false
    const next = withLock(lock, async () => {
      entered = true
    })
    await new Promise(done => setTimeout(done, 300))
    expect(entered).toBe(false)
    process.kill(orphan, 'SIGKILL')
    await next
    expect(entered).toBe(true)
  })

  it('release the lock after a failure', async () => {
    const lock = join(folderWith({}), 'lock')
    await expect(
      withLock(lock, async () => {
        throw new Error('broken')
      }),
    ).rejects.toThrow('broken')
    expect(existsSync(lock)).toBe(false)
  })
})

describe('R-04 the workbench', () => {
  const files = {
    'package-lock.json': '{}',
    'apps/workbench/src/main.tsx': '1',
    'apps/workbench/e2e/a.test.ts': '1',
    'packages/protocol/src/index.ts': '1',
    'packages/protocol/src/index.test.ts': '1',
    'packages/server/src/index.ts': '1',
  }

  it.each([
    ['apps/workbench/src/main.tsx', true],
    ['packages/protocol/src/index.ts', true],
    ['package-lock.json', true],
    ['packages/protocol/src/index.test.ts', false],
    ['apps/workbench/e2e/a.test.ts', false],
    ['packages/server/src/index.ts', false],
  ])('%s changed: built again is %s', (path, again) => {
    const folder = folderWith(files)
    const before = workbenchFingerprint(folder)
    writeFileSync(join(folder, path), '2')
    expect(workbenchFingerprint(folder) !== before).toBe(again)
  })

  it('is built again when a source was removed', () => {
    const folder = folderWith(files)
    const before = workbenchFingerprint(folder)
    rmSync(join(folder, 'packages/protocol/src/index.ts'))
    expect(workbenchFingerprint(folder)).not.toBe(before)
  })
})

describe('R-05 signals and exit codes', () => {
  const foreground = `
    import { runForeground } from ${library('run')}
    process.exitCode = await runForeground(process.execPath, ['--eval', process.argv[1]])`
  const counting = `
    let count = 0
    process.on('SIGINT', () => count++ === 0 && setTimeout(() => { console.log('interrupts', count); process.exit(3) }, 300))
    setInterval(() => {}, 1000)
    console.log('ready')`

  it('passes the exit code through', async () => {
    expect((await program(foreground, 'process.exit(7)').ended)[0]).toBe(7)
  })

  it('passes an interrupt on once, though the terminal and npm both send it', async () => {
    const { child, says, ended, printed } = program(foreground, counting)
    await says('ready')
    child.kill('SIGINT')
    await new Promise(done => setTimeout(done, 50))
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(3)
    expect(printed()).toContain('interrupts 1')
  })

  it('stops what it set up with, and then only the process in front', async () => {
    const source = `
      import { run } from ${library('run')}
      await run('true', [])${foreground}`
    const { child, says, ended, printed } = program(source, counting)
    await says('ready')
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(3)
    expect(printed()).toContain('interrupts 1')
  })

  it('takes its set-up along when it is stopped', async () => {
    const source = `
      import { run } from ${library('run')}
      run('sleep', ['60'], { show: true, started: () => console.log('started') })`
    const { child, says, ended } = program(source)
    await says('started')
    child.kill('SIGTERM')
    // The streams close when the last process that uses them has ended.
    expect((await ended)[0]).toBe(143)
  })

  it('stops when the npm that started it was killed', async () => {
    const source = `
      import { spawn } from 'node:child_process'
      const env = { ...process.env, npm_lifecycle_event: 'start' }
      const args = ['--input-type=module', '--eval', ${JSON.stringify(foreground)}, '--', process.argv[1]]
      spawn(process.execPath, args, { stdio: 'inherit', env })`
    const { child, says, ended, printed } = program(source, "console.log('ready'); setInterval(() => {}, 1000)")
    await says('ready')
    child.kill('SIGKILL')
    await ended
    expect(printed()).toBe('ready\n')
  })

  it('reports a process that a signal ended', async () => {
    expect((await program(foreground, "process.kill(process.pid, 'SIGKILL')").ended)[0]).toBe(137)
  })
})

describe('R-12 lock files', () => {
  it.each(['package-lock.json', 'bench/package-lock.json'])('%s holds no download addresses', file => {
    expect(readFileSync(join(repository, file), 'utf8')).not.toMatch(/"resolved": "\w+:/)
  })
})
