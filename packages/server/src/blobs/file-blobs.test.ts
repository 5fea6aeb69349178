import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BlobDamaged, BlobTooLarge } from './blobs.ts'
import { openFileBlobs } from './file-blobs.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-blobs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fileOf = (digest: string) => join(folder, 'blobs', digest.slice(0, 2), digest.slice(2))
const noted = async () => {}
const text = (value: string) => new TextEncoder().encode(value)

describe('file blobs', () => {
  it('P-320 bytes come back by their SHA-256, also after reopening', async () => {
    const bytes = randomBytes(100_000)
    const ref = await (await openFileBlobs({ folder })).put(bytes, 'image/png', noted)
    const digest = createHash('sha256').update(bytes).digest('hex')
    expect(ref).toEqual({ ref: `sha256:${digest}`, size: 100_000, digest, mediaType: 'image/png' })
    expect(Buffer.compare((await (await openFileBlobs({ folder })).get(digest))!, bytes)).toBe(0)
    expect(await readFile(fileOf(digest))).toEqual(bytes)
  })

  it('P-320 a view of a larger buffer and no bytes at all are blobs too', async () => {
    const blobs = await openFileBlobs({ folder })
    const view = new Uint8Array(text('--inside--').buffer, 2, 6)
    for (const bytes of [view, new Uint8Array()]) {
      const { digest } = await blobs.put(bytes, 'text/plain', noted)
      expect(Buffer.compare((await blobs.get(digest))!, bytes)).toBe(0)
    }
  })

  it('P-321 the same bytes put many times at once are one whole file and nothing else', async () => {
    const blobs = await openFileBlobs({ folder })
    const refs = await Promise.all(Array.from({ length: 20 }, () => blobs.put(text('same'), 'text/plain', noted)))
    const { digest } = refs[0]!
    expect(new Set(refs.map(ref => ref.digest))).toEqual(new Set([digest]))
    expect(await readdir(join(folder, 'blobs', digest.slice(0, 2)))).toEqual([digest.slice(2)])
    expect(await readdir(join(folder, 'blobs', 'partial'))).toEqual([])
  })

  it('P-321 what a crash left half written is removed, what is being written is not', async () => {
    await openFileBlobs({ folder })
    const partial = join(folder, 'blobs', 'partial')
    await writeFile(join(partial, 'old'), 'half')
    await writeFile(join(partial, 'new'), 'half')
    await utimes(join(partial, 'old'), 0, 0)
    await openFileBlobs({ folder })
    expect(await readdir(partial)).toEqual(['new'])
  })

  it('P-9613 who is alone in the folder removes at once whatever a killed server left half written', async () => {
    await openFileBlobs({ folder })
    const partial = join(folder, 'blobs', 'partial')
    await writeFile(join(partial, 'received.new'), 'half')
    const blobs = await openFileBlobs({ folder, alone: true })
    expect(await readdir(partial)).toEqual([])
    // What is written from now on is its own.
    await writeFile(join(partial, 'received.own'), 'half')
    await blobs.prune()
    expect(await readdir(partial)).toEqual(['received.own'])
  })

  it('P-321 a failed write leaves nothing under the final name', async () => {
    const blobs = await openFileBlobs({ folder })
    const digest = createHash('sha256').update('x').digest('hex')
    // A file where the shelf should be makes the write fail after its bytes are on disk.
    await writeFile(join(folder, 'blobs', digest.slice(0, 2)), '')
    await expect(blobs.put(text('x'), 'text/plain', noted)).rejects.toThrow()
    expect(await readdir(join(folder, 'blobs', 'partial'))).toEqual([])
  })

  it('P-322 changed bytes are reported on reading, and repaired by putting them again', async () => {
    const blobs = await openFileBlobs({ folder })
    const { digest } = await blobs.put(text('right'), 'text/plain', noted)
    await writeFile(fileOf(digest), 'wrong')
    await expect(blobs.get(digest)).rejects.toBeInstanceOf(BlobDamaged)
    await blobs.put(text('right'), 'text/plain', noted)
    expect(await blobs.get(digest)).toEqual(Buffer.from('right'))
  })

  it.each([
    '',
    '../../../../etc/passwd',
    '..',
    `../${'a'.repeat(61)}`,
    'A'.repeat(64),
    `${'a'.repeat(64)}\n`,
    `${'a'.repeat(63)}\0`,
    `${'a'.repeat(31)}/${'a'.repeat(32)}`,
    'partial',
  ])('P-325 %j is no digest and finds nothing', async digest => {
    const blobs = await openFileBlobs({ folder })
    expect(await blobs.get(digest)).toBeUndefined()
  })

  it('P-325 a file that is there, beside the blobs, is neither read nor removed by a name that leads to it', async () => {
    const blobs = await openFileBlobs({ folder })
    await writeFile(join(folder, 'beside'), 'secret')
    const name = '../beside'
    expect(await readFile(fileOf(name), 'utf8')).toBe('secret')
    expect(await blobs.get(name)).toBeUndefined()
    await blobs.remove(name, async () => false)
    expect(await readFile(fileOf(name), 'utf8')).toBe('secret')
  })

  it('P-320 an unknown digest finds nothing', async () => {
    expect(await (await openFileBlobs({ folder })).get('0'.repeat(64))).toBeUndefined()
  })

  it('P-323 a blob over the limit is refused and not written', async () => {
    const blobs = await openFileBlobs({ folder, maxBytes: 4 })
    await expect(blobs.put(text('12345'), 'text/plain', noted)).rejects.toBeInstanceOf(BlobTooLarge)
    expect(await readdir(join(folder, 'blobs'))).toEqual(['partial'])
    await blobs.put(text('1234'), 'text/plain', noted)
  })

  it('P-324 only the user of the server can read the files', async () => {
    const { digest } = await (await openFileBlobs({ folder })).put(text('private'), 'text/plain', noted)
    expect((await stat(fileOf(digest))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'blobs'))).mode & 0o777).toBe(0o700)
  })

  it('P-332 a blob that nobody needs is removed, and one that somebody needs stays', async () => {
    const blobs = await openFileBlobs({ folder })
    const { digest } = await blobs.put(text('gone'), 'text/plain', noted)
    await blobs.remove(digest, async () => true)
    expect(await blobs.get(digest)).toBeDefined()
    await blobs.remove(digest, async () => false)
    await blobs.remove(digest, async () => false)
    await blobs.remove('../../etc/passwd', async () => false)
    expect(await blobs.get(digest)).toBeUndefined()
  })

  it('P-332 a blob is never removed between its bytes and the note of who needs it', async () => {
    const blobs = await openFileBlobs({ folder })
    const needed = new Set<number>()
    const work = Array.from({ length: 60 }, async (_, index) => {
      const { digest } = await blobs.put(text('shared'), 'text/plain', async () => {
        await new Promise(resolve => setTimeout(resolve, Math.random() * 3))
        needed.add(index)
      })
      expect(await blobs.get(digest)).toBeDefined()
      await new Promise(resolve => setTimeout(resolve, Math.random() * 10))
      expect(await blobs.get(digest)).toBeDefined()
      needed.delete(index)
      await blobs.remove(digest, async () => needed.size > 0)
    })
    await Promise.all(work)
  })

  async function* piecesOf(...pieces: (string | Error)[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece
      yield text(piece)
    }
  }
  const left = async () =>
    (await readdir(join(folder, 'blobs'), { recursive: true })).filter(name => name !== 'partial')

  it('P-9102 bytes that come in pieces are one blob, and the same bytes are the same blob', async () => {
    const blobs = await openFileBlobs({ folder })
    const refs = await Promise.all([
      blobs.receive(piecesOf('one ', 'two'), 'text/plain', 100, noted),
      blobs.receive(piecesOf('one two'), 'text/plain', 100, noted),
      blobs.put(text('one two'), 'text/plain', noted),
    ])
    expect(new Set(refs.map(({ digest }) => digest)).size).toBe(1)
    expect(refs[0]).toMatchObject({ size: 7, mediaType: 'text/plain' })
    expect(await blobs.get(refs[0]!.digest)).toEqual(Buffer.from('one two'))
    expect(await readdir(join(folder, 'blobs', 'partial'))).toEqual([])
    const empty = await blobs.receive(piecesOf(), 'text/plain', 0, noted)
    expect(empty.size).toBe(0)
  })

  it('P-9102 bytes that break off, are too many or are not wanted leave nothing', async () => {
    const blobs = await openFileBlobs({ folder, maxBytes: 10 })
    const broken = new Error('cut off')
    await expect(blobs.receive(piecesOf('one', broken), 'text/plain', 100, noted)).rejects.toBe(broken)
    await expect(blobs.receive(piecesOf('12345', '6'), 'text/plain', 5, noted)).rejects.toBeInstanceOf(BlobTooLarge)
    await expect(blobs.receive(piecesOf('12345678901'), 'text/plain', 99, noted)).rejects.toBeInstanceOf(BlobTooLarge)
    const refused = async () => Promise.reject(broken)
    await expect(blobs.receive(piecesOf('one'), 'text/plain', 5, refused)).rejects.toBe(broken)
    expect(await left()).toEqual([])
    expect(await readdir(join(folder, 'blobs', 'partial'))).toEqual([])
  })

  it('P-9108 a part of the bytes is read, and damaged ones are reported also when they were whole before', async () => {
    const blobs = await openFileBlobs({ folder })
    const { digest } = await blobs.put(text('0123456789'), 'text/plain', noted)
    const read = async (start: number, end: number) => {
      let all = ''
      for await (const piece of (await blobs.read(digest, start, end))!) all += Buffer.from(piece).toString()
      return all
    }
    expect([await read(0, 10), await read(2, 5), await read(9, 10), await read(3, 3)]).toEqual([
      '0123456789',
      '234',
      '9',
      '',
    ])
    expect(await blobs.read('0'.repeat(64), 0, 1)).toBeUndefined()
    expect(await blobs.read('../../etc/passwd', 0, 1)).toBeUndefined()
    await writeFile(fileOf(digest), '0123456780')
    await utimes(fileOf(digest), 1, 1)
    await expect(blobs.read(digest, 0, 1)).rejects.toBeInstanceOf(BlobDamaged)
  })

  it('P-9106 what a crash left of an upload is removed by its age', async () => {
    const blobs = await openFileBlobs({ folder })
    const partial = join(folder, 'blobs', 'partial')
    await writeFile(join(partial, 'received.old'), 'half')
    await writeFile(join(partial, 'received.new'), 'half')
    await utimes(join(partial, 'received.old'), 0, 0)
    await blobs.prune()
    expect(await readdir(partial)).toEqual(['received.new'])
  })
})
