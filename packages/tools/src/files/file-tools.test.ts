import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Door, handsOn, openDoor } from '../door.fixture.ts'
import { createFileTools } from './file-tools.ts'

let base: string
let folder: string
let outside: string
let hands: Awaited<ReturnType<typeof handsOn>>

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'vitrine-files-'))
  folder = join(base, 'work')
  outside = join(base, 'outside')
  await mkdir(folder)
  await mkdir(outside)
  await writeFile(join(outside, 'canary.txt'), 'canary-outside')
  hands = await handsOn(createFileTools({ folder }))
})
afterEach(() => rm(base, { recursive: true, force: true }))

const write = (path: string, text: string | Uint8Array) => writeFile(join(folder, path), text)
const textOf = (path: string) => readFile(join(folder, path), 'utf8')

describe('reading files of a folder', () => {
  it('TK-1 a file is read with its lines, and a long one in pieces that say how to go on', async () => {
    await write('a.txt', 'one\ntwo\r\nthree\n')
    expect((await hands.run('files_read', { path: 'a.txt' })).text).toBe('a.txt, 3 lines.\n\none\ntwo\nthree')
    expect((await hands.run('files_read', { path: './a.txt', from: 2, to: 2 })).text).toBe(
      'a.txt, lines 2 to 2 of 3.\n\ntwo',
    )
    await write('long.txt', Array.from({ length: 3_000 }, (_, n) => `line ${n + 1}`).join('\n'))
    const pieces: string[] = []
    for (let from = 1; ; ) {
      const { text = '' } = await hands.run('files_read', { path: 'long.txt', from })
      expect(text.length).toBeLessThanOrEqual(8_000)
      pieces.push(text.slice(text.indexOf('\n\n') + 2))
      const next = /Go on with from: (\d+)\./.exec(text.split('\n', 1)[0]!)
      if (!next) break
      from = Number(next[1])
    }
    expect(pieces.join('\n').split('\n')).toEqual(Array.from({ length: 3_000 }, (_, n) => `line ${n + 1}`))
    await expect(hands.run('files_read', { path: 'a.txt', from: 9 })).rejects.toThrow(
      'a.txt has 3 lines, and line 9 is not there.',
    )
    await expect(hands.run('files_read', { path: 'a.txt', from: 3, to: 1 })).rejects.toThrow('before the first')
  })

  it('TK-2 an image is given as an image, and what is no text is said to be none', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20)])
    await write('shot.txt', png)
    expect(await hands.run('files_read', { path: 'shot.txt' })).toMatchObject({
      content: [{ kind: 'image', mediaType: 'image/png' }],
    })
    await write('a.pdf', '%PDF-1.7 …')
    await expect(hands.run('files_read', { path: 'a.pdf' })).rejects.toThrow('a.pdf is a PDF')
    await write('b.bin', Buffer.from([1, 2, 0, 3]))
    await expect(hands.run('files_read', { path: 'b.bin' })).rejects.toThrow('a binary file of 4 bytes, and no text')
    await write('old.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]))
    expect((await hands.run('files_read', { path: 'old.txt' })).text).toMatch(/Windows-1252.*\n\ncafé$/)
    await expect(hands.run('files_edit', { path: 'old.txt', edits: [{ old: 'caf', new: 'x' }] })).rejects.toThrow(
      'cannot be edited',
    )
    await write('wide.txt', Buffer.from('\ufeffhello', 'utf16le'))
    expect((await hands.run('files_read', { path: 'wide.txt' })).text).toMatch(/UTF-16.*\n\nhello$/)
    await write('empty.txt', '')
    expect((await hands.run('files_read', { path: 'empty.txt' })).text).toBe('empty.txt is empty.')
    const small = await handsOn(createFileTools({ folder, maxFileBytes: 100 }))
    await write('large.txt', 'x'.repeat(101))
    await expect(small.run('files_read', { path: 'large.txt' })).rejects.toThrow(
      'large.txt has 101 bytes, and 100 bytes are the most.',
    )
    await write('line.txt', 'y'.repeat(50_000))
    expect((await hands.run('files_read', { path: 'line.txt' })).text).toMatch(
      /longer than 2000 characters are cut[\s\S]*y…$/,
    )
  })

  it('TK-3 a folder is listed as text and as a table, and a missing one is said to be missing', async () => {
    await mkdir(join(folder, 'docs'))
    await write('b.txt', 'x'.repeat(2_048))
    await symlink('b.txt', join(folder, 'a-link'))
    const { text, uiHints } = await hands.run('files_list')
    expect(text).toBe('The folder has:\na-link (link)\nb.txt (2.0 KB)\ndocs/')
    expect(uiHints).toMatchObject({
      table: {
        columns: ['Name', 'Size', 'Changed'],
        rows: [
          ['a-link', 'link', expect.any(String)],
          ['b.txt', '2.0 KB', expect.any(String)],
          ['docs/', 'folder', expect.any(String)],
        ],
      },
    })
    expect((await hands.run('files_list', { path: 'docs' })).text).toBe('The folder is empty.\n')
    await expect(hands.run('files_list', { path: 'nowhere' })).rejects.toThrow('nowhere does not exist.')
    await expect(hands.run('files_list', { path: 'b.txt' })).rejects.toThrow('b.txt is a file and no folder.')
    const gone = await handsOn(createFileTools({ folder: join(base, 'gone') }))
    await expect(gone.run('files_list')).rejects.toThrow('The folder of the file tools is not there.')
  })

  it('TK-4 names and texts are searched, without what programs make and without secrets', async () => {
    await mkdir(join(folder, 'src/deep'), { recursive: true })
    await mkdir(join(folder, 'node_modules'))
    await write('src/deep/main.ts', 'const a = 1\nexport function main() {}\n')
    await write('src/other.js', 'function other() {}')
    await write('node_modules/x.ts', 'function hidden() {}')
    await write('.env', 'KEY=function')
    await symlink(outside, join(folder, 'src/out'))
    const found = async (args: Parameters<typeof hands.run>[1]) => (await hands.run('files_search', args)).text
    expect(await found({ names: '*.ts' })).toBe('src/deep/main.ts')
    expect(await found({ names: 'src/**/*.TS' })).toBe('src/deep/main.ts')
    expect(await found({ names: 'src/*' })).toBe('src/other.js')
    expect(await found({ pattern: '^export\\s+function \\w+', names: '*.ts' })).toBe(
      'src/deep/main.ts:2: export function main() {}',
    )
    expect(await found({ text: 'FUNCTION', ignoreCase: true })).toBe(
      'src/other.js:1: function other() {}\nsrc/deep/main.ts:2: export function main() {}\n1 files that may hold keys or passwords were not searched.',
    )
    expect(await found({ text: 'canary-outside' })).toContain('Nothing was found')
    expect(await found({ text: 'hidden', path: 'node_modules' })).toBe('node_modules/x.ts:1: function hidden() {}')
    await expect(found({ pattern: '(?=a)' })).rejects.toThrow('The pattern cannot be used')
  })

  it('TK-4 a pattern that would never end in other engines takes time in proportion to the text', async () => {
    await write('evil.txt', `${'a'.repeat(9_000)}!\n`.repeat(20))
    const { text } = await hands.run('files_search', { pattern: '(a+)+$' })
    expect(text).toContain('Nothing was found')
  })
})

describe('nothing leaves the folder', () => {
  it.each([
    ['../outside/canary.txt', '`..`'],
    ['a/../../outside/canary.txt', '`..`'],
    ['..', '`..`'],
    ['/etc/passwd', 'begin in the folder'],
    ['a\0b', 'no path can have'],
    ['x'.repeat(1_001), 'longer than'],
    ['a/'.repeat(100), 'deeper than'],
    [`${'n'.repeat(300)}`, 'too long'],
  ])('TK-5 the path %j is refused in words', async (path, words) => {
    for (const [tool, args] of [
      ['files_read', { path }],
      ['files_write', { path, text: 'x' }],
      ['files_edit', { path, edits: [{ old: 'a', new: 'b' }] }],
      ['files_undo', { path }],
      ['files_list', { path }],
      ['files_search', { path, text: 'x' }],
    ] as [string, JsonObject][]) {
      await expect(hands.run(tool, args), tool).rejects.toThrow(words)
    }
    expect(await readFile(join(outside, 'canary.txt'), 'utf8')).toBe('canary-outside')
  })

  it('TK-5 a link that leads out is neither read nor written through, nor searched', async () => {
    await symlink(outside, join(folder, 'out'))
    await symlink(join(outside, 'canary.txt'), join(folder, 'file'))
    await symlink(join(outside, 'new.txt'), join(folder, 'dangling'))
    await symlink('loop', join(folder, 'loop'))
    for (const path of ['out/canary.txt', 'file', 'loop']) {
      await expect(hands.run('files_read', { path })).rejects.toThrow('leads out of the folder')
      await expect(hands.run('files_edit', { path, edits: [{ old: 'canary', new: 'x' }] })).rejects.toThrow('leads out')
    }
    for (const path of ['out/canary.txt', 'out/new.txt', 'out/deep/new.txt', 'file', 'dangling', 'dangling/x']) {
      await expect(hands.run('files_write', { path, text: 'x' }), path).rejects.toThrow('leads out of the folder')
    }
    expect((await hands.run('files_list')).text).toContain('out (link)')
    await expect(hands.run('files_list', { path: 'out' })).rejects.toThrow('leads out')
    expect(await readdir(outside)).toEqual(['canary.txt'])
    expect(await readFile(join(outside, 'canary.txt'), 'utf8')).toBe('canary-outside')
  })

  it('TK-5 a link that stays inside is followed, and what is written goes to the file itself', async () => {
    await mkdir(join(folder, 'real'))
    await write('real/a.txt', 'one')
    await symlink('real', join(folder, 'alias'))
    expect((await hands.run('files_read', { path: 'alias/a.txt' })).text).toBe('real/a.txt, 1 lines.\n\none')
    await hands.run('files_edit', { path: 'alias/a.txt', edits: [{ old: 'one', new: 'two' }] })
    expect(await textOf('real/a.txt')).toBe('two')
  })

  it('TK-6 a folder that becomes a link to elsewhere in the middle gains nothing', { timeout: 180_000 }, async () => {
    const { spawn } = await import('node:child_process')
    await mkdir(join(folder, 'dir'))
    await writeFile(join(folder, 'dir/canary.txt'), 'inside')
    await mkdir(join(base, 'spare'))
    // Another process swaps the folder and a link to the outside as fast as it can.
    const swapping = `
      const fs = require('node:fs')
      const [dir, spare, outside] = process.argv.slice(1)
      for (;;) {
        try { fs.renameSync(dir, spare + '/dir'); fs.symlinkSync(outside, dir) } catch {}
        for (let n = 0; n < 2000; n++);
        try { fs.unlinkSync(dir); fs.renameSync(spare + '/dir', dir) } catch {}
      }`
    const swapper = spawn(process.execPath, ['-e', swapping, join(folder, 'dir'), join(base, 'spare'), outside], {
      stdio: 'ignore',
    })
    const seen = new Set<string>()
    try {
      for (let n = 0; n < 30 || !['refused', 'files_read', 'files_write'].every(one => seen.has(one)); n++) {
        for (const [tool, args] of [
          ['files_read', { path: 'dir/canary.txt' }],
          ['files_list', { path: 'dir' }],
          ['files_write', { path: `dir/new-${n}.txt`, text: 'written' }],
          ['files_write', { path: `dir/sub-${n}/new.txt`, text: 'written' }],
        ] as const) {
          const said = await hands.run(tool, args).then(
            ({ text = '' }) => text,
            (error: Error) => {
              expect(error.name, error.stack).toBe('ToolFailed')
              return 'refused'
            },
          )
          expect(said).not.toContain('canary-outside')
          seen.add(said === 'refused' ? 'refused' : tool)
        }
      }
    } finally {
      swapper.kill('SIGKILL')
      await new Promise(resolve => swapper.once('exit', resolve))
    }
    expect(await readdir(outside)).toEqual(['canary.txt'])
    expect(await readFile(join(outside, 'canary.txt'), 'utf8')).toBe('canary-outside')
    expect(seen).toContain('refused')
    expect(seen).toContain('files_read')
    expect(seen).toContain('files_write')
  })

  it('TK-5 folders that belong to the server are left alone', async () => {
    const data = join(folder, 'data')
    const guarded = await handsOn(createFileTools({ folder, except: [data] }))
    await mkdir(data)
    await writeFile(join(data, 'secret.txt'), 'canary-data')
    await symlink('data', join(folder, 'alias'))
    for (const path of ['data', 'alias'])
      for (const [tool, args] of [
        ['files_list', { path }],
        ['files_read', { path: `${path}/secret.txt` }],
        ['files_write', { path: `${path}/new.txt`, text: 'x' }],
        ['files_search', { path, text: 'canary' }],
      ] as [string, JsonObject][])
        await expect(guarded.run(tool, args), tool).rejects.toThrow('belongs to the server itself')
    expect((await guarded.run('files_search', { text: 'canary-data' })).text).toContain('Nothing was found')
    expect(await readdir(data)).toEqual(['secret.txt'])
  })

  it('TK-7 a pipe, a device and a folder are no files, and nobody waits for them', async () => {
    const { execFileSync } = await import('node:child_process')
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await symlink('/dev/zero', join(folder, 'zero'))
    await mkdir(join(folder, 'dir'))
    await expect(hands.run('files_read', { path: 'pipe' })).rejects.toThrow('pipe is no file that can be read.')
    await expect(hands.run('files_read', { path: 'zero' })).rejects.toThrow('leads out')
    await expect(hands.run('files_read', { path: 'dir' })).rejects.toThrow('dir is a folder')
    await expect(hands.run('files_write', { path: 'dir', text: 'x' })).rejects.toThrow('dir is a folder')
    expect((await hands.run('files_search', { text: 'x' })).text).toContain('Nothing was found')
  })

  it('TK-7 no message has a path of the machine in it', async () => {
    await write('locked.txt', 'x')
    await chmod(join(folder, 'locked.txt'), 0)
    const said: string[] = []
    for (const path of ['missing.txt', 'locked.txt/x', 'locked.txt'])
      said.push(
        await hands.run('files_read', { path }).then(
          ({ text = '' }) => text,
          (error: Error) => error.message,
        ),
      )
    expect(said.join('\n')).not.toContain(base)
    expect(said.slice(0, 2)).toEqual([
      'missing.txt does not exist.',
      'locked.txt/x leads through something that is no folder.',
    ])
  })
})

describe('writing files of a folder', () => {
  it('TK-8 a new file is made with its folders, and one that was not read is not replaced', async () => {
    expect((await hands.run('files_write', { path: 'a/b/c.txt', text: 'one\ntwo\n' })).text).toBe(
      'Made a/b/c.txt, which has 2 lines now. files_undo takes it back.',
    )
    expect(await textOf('a/b/c.txt')).toBe('one\ntwo\n')
    await write('there.txt', 'precious')
    await expect(hands.run('files_write', { path: 'there.txt', text: 'x' })).rejects.toThrow('Read it first')
    await hands.run('files_read', { path: 'there.txt' })
    await chmod(join(folder, 'there.txt'), 0o640)
    await hands.run('files_write', { path: 'there.txt', text: 'new' })
    expect(await textOf('there.txt')).toBe('new')
    expect((await stat(join(folder, 'there.txt'))).mode & 0o777).toBe(0o640)
    expect((await readdir(folder)).sort()).toEqual(['a', 'there.txt'])
  })

  it('TK-9 an edit replaces a text that stands there exactly once, and all edits are made or none', async () => {
    await write('a.ts', 'let a = 1\nlet b = 1\nlet c = 3\n')
    await expect(hands.run('files_edit', { path: 'a.ts', edits: [{ old: '= 1', new: '= 2' }] })).rejects.toThrow(
      'more than once',
    )
    await expect(
      hands.run('files_edit', {
        path: 'a.ts',
        edits: [
          { old: 'let a = 1', new: 'let a = 9' },
          { old: 'let z', new: '' },
        ],
      }),
    ).rejects.toThrow('The old text of edit 2 does not stand in a.ts.')
    expect(await textOf('a.ts')).toBe('let a = 1\nlet b = 1\nlet c = 3\n')
    await hands.run('files_edit', {
      path: 'a.ts',
      edits: [
        { old: 'let a = 1', new: 'let a = $&' },
        { old: 'let c = 3\n', new: '' },
      ],
    })
    expect(await textOf('a.ts')).toBe('let a = $&\nlet b = 1\n')
    await write('dos.txt', 'one\r\ntwo\r\nthree\r\n')
    await hands.run('files_edit', { path: 'dos.txt', edits: [{ old: 'one\ntwo', new: '1\n2' }] })
    expect(await textOf('dos.txt')).toBe('1\r\n2\r\nthree\r\n')
    await write('bom.txt', '\ufeffhello')
    await hands.run('files_edit', { path: 'bom.txt', edits: [{ old: 'hello', new: 'bye' }] })
    expect(await textOf('bom.txt')).toBe('\ufeffbye')
    await expect(hands.run('files_edit', { path: 'no.txt', edits: [{ old: 'a', new: 'b' }] })).rejects.toThrow(
      'no.txt does not exist.',
    )
  })

  it('TK-10 a file that somebody else changed since it was read, or since it was shown, is left alone', async () => {
    await write('a.txt', 'one')
    await hands.run('files_read', { path: 'a.txt' })
    await write('a.txt', 'one, by somebody else')
    await expect(hands.run('files_edit', { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] })).rejects.toThrow(
      'changed since it was read',
    )
    await expect(hands.run('files_write', { path: 'a.txt', text: 'two' })).rejects.toThrow('changed since it was read')
    expect(await textOf('a.txt')).toBe('one, by somebody else')
    // Nobody has read it in this session, and it changes while the person looks at the difference.
    const tool = hands.tools.get('files_edit')!
    const call = hands.call({ sessionId: 'another' })
    const args = { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] }
    expect(await tool.describe!(args, call)).toEqual({
      changes: [{ path: 'a.txt', before: 'one, by somebody else', after: 'two, by somebody else' }],
    })
    await write('a.txt', 'one, changed again')
    await expect(tool.execute(args, call)).rejects.toThrow('changed after it was shown')
    const fresh = hands.tools.get('files_write')!
    const making = hands.call()
    await fresh.describe!({ path: 'new.txt', text: 'mine' }, making)
    await write('new.txt', 'theirs')
    await expect(fresh.execute({ path: 'new.txt', text: 'mine' }, making)).rejects.toThrow('Read it first')
    expect(await textOf('new.txt')).toBe('theirs')
  })

  it('TK-11 changes of one file at the same time are all made, one after another', async () => {
    await write('a.txt', Array.from({ length: 20 }, (_, n) => `<${n}>`).join('\n'))
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        hands.run('files_edit', { path: 'a.txt', edits: [{ old: `<${n}>`, new: `[${n}]` }] }),
      ),
    )
    expect(await textOf('a.txt')).toBe(Array.from({ length: 20 }, (_, n) => `[${n}]`).join('\n'))
    expect(await readdir(folder)).toEqual(['a.txt'])
  })

  it('TK-12 changes are undone one after another, also after a restart, and never over the work of others', async () => {
    const undoFolder = join(base, 'undo')
    const first = await handsOn(createFileTools({ folder, undoFolder }))
    await write('a.txt', 'one')
    await first.run('files_edit', { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] })
    await first.run('files_edit', { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] })
    await first.run('files_write', { path: 'b.txt', text: 'new' })
    const again = await handsOn(createFileTools({ folder, undoFolder }))
    expect((await again.run('files_undo')).text).toBe('Removed b.txt, which was new.')
    const undo = again.tools.get('files_undo')!
    expect(await undo.describe!({}, again.call())).toEqual({
      changes: [{ path: 'a.txt', before: 'three', after: 'two' }],
    })
    await again.run('files_undo', { path: 'a.txt' })
    expect(await textOf('a.txt')).toBe('two')
    await expect(again.run('files_undo', {}, { sessionId: 'another' })).rejects.toThrow(
      'There is no change in this session',
    )
    await write('a.txt', 'theirs')
    await expect(again.run('files_undo')).rejects.toThrow('their work would be lost')
    await write('a.txt', 'two')
    expect((await again.run('files_undo')).text).toBe('a.txt is again as it was before.')
    expect(await textOf('a.txt')).toBe('one')
    await expect(again.run('files_undo')).rejects.toThrow('There is no change')
    expect(await readdir(undoFolder)).toEqual([])
  })

  it('TK-13 a file that may hold secrets is read only after an extra word, and its text is in no request', async () => {
    await write('.env', 'KEY=canary-secret')
    const asked: unknown[] = []
    const answering = (outcome: string) => ({
      ask: async (request: object) => {
        asked.push(request)
        return { outcome, value: null, by: { kind: 'person', id: 'ann', name: 'Ann' } } as never
      },
    })
    await expect(hands.run('files_read', { path: '.env' }, answering('denied'))).rejects.toThrow(
      'did not allow reading it',
    )
    expect((await hands.run('files_read', { path: '.env' }, answering('approved'))).text).toContain('canary-secret')
    expect(asked[0]).toMatchObject({ kind: 'approval', title: 'Read .env?', risk: 'high' })
    const shown = await hands.tools.get('files_edit')!.describe!(
      { path: '.env', edits: [{ old: 'KEY', new: 'OTHER' }] },
      hands.call(),
    )
    expect(JSON.stringify(shown)).not.toContain('canary-secret')
    expect(shown.detail).toContain('may hold keys or passwords')
    for (const path of [
      '.env.local',
      'deploy/id_rsa',
      'server.PEM',
      '.ssh/config',
      'credentials.json',
      'secrets.yaml',
    ]) {
      const { mayHoldSecrets } = await import('./secret-files.ts')
      expect([path, mayHoldSecrets(path)]).toEqual([path, true])
    }
    const { mayHoldSecrets } = await import('./secret-files.ts')
    for (const path of ['.env.example', 'keys.ts', 'src/secret-santa.ts', 'keyboard.md', 'environment.ts'])
      expect([path, mayHoldSecrets(path)]).toEqual([path, false])
  })
})

describe('file tools in a session of a server', () => {
  let door: Door
  beforeEach(async () => {
    door = await openDoor([createFileTools({ folder })])
  })
  afterEach(() => door.close())

  it('TK-14 reading needs no word, and writing is asked for with the difference; what is approved is done', async () => {
    await write('a.txt', 'one\ntwo\n')
    expect((await door.call('files_read', { path: 'a.txt' })).result?.preview).toContain('one\ntwo')
    await door.send('files_edit', { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] })
    const asked = await door.asked()
    expect(asked.request).toMatchObject({
      kind: 'approval',
      title: 'Run Edit a file?',
      risk: 'medium',
      changes: [{ path: 'a.txt', before: 'one\ntwo\n', after: 'one\nthree\n' }],
    })
    expect(await textOf('a.txt')).toBe('one\ntwo\n')
    await door.answer(asked, { decision: 'approve' })
    expect((await door.told()).result?.preview).toContain('Changed a.txt')
    expect(await textOf('a.txt')).toBe('one\nthree\n')
  })

  it('TK-14 what is denied is not done, and what a person edits first is what is done', async () => {
    await door.send('files_write', { path: 'new.txt', text: 'mine' })
    const denied = await door.asked()
    expect(denied.request).toMatchObject({ changes: [{ path: 'new.txt', after: 'mine' }] })
    await door.answer(denied, { decision: 'deny', text: 'Not there.' })
    expect((await door.told()).error).toMatchObject({ code: 'denied', message: expect.stringContaining('Not there.') })
    expect(await readdir(folder)).toEqual([])
    await door.send('files_write', { path: 'new.txt', text: 'mine' })
    await door.answer(await door.asked(), { decision: 'approve', value: { path: 'other.txt', text: 'yours' } })
    expect((await door.told()).result?.preview).toContain('Made other.txt')
    expect(await readdir(folder)).toEqual(['other.txt'])
    expect(await textOf('other.txt')).toBe('yours')
  })

  it('TK-14 a request says when a change cannot be made, and then it fails with words', async () => {
    await write('a.txt', 'one')
    await door.send('files_edit', { path: '../outside/canary.txt', edits: [{ old: 'canary', new: 'x' }] })
    const asked = await door.asked()
    expect(asked.request).toMatchObject({ detail: expect.stringContaining('cannot be shown') })
    await door.answer(asked, { decision: 'approve' })
    expect((await door.told()).error).toMatchObject({
      code: 'tool_failed',
      message: expect.stringContaining('outside of the folder'),
    })
  })

  it('TK-13 reading a secret file asks in the middle of the call', async () => {
    await write('.env', 'KEY=1234')
    await door.send('files_read', { path: '.env' })
    const asked = await door.asked()
    expect(asked.request).toMatchObject({ title: 'Read .env?', risk: 'high' })
    await door.answer(asked, { decision: 'deny' })
    expect((await door.told()).error?.message).toContain('did not allow reading it')
  })
})
