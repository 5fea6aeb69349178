import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileSeals, SealsBroken } from './seals.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-seals-'))
  file = join(folder, 'settings.key')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the seals of keys', () => {
  it('SE-3 a sealed key opens again, also after a restart, and its text is nowhere in what is stored', async () => {
    const sealed = await fileSeals({ file }).seal('sk-secret-4821', 'ada')
    expect(sealed).not.toContain('sk-secret')
    expect(await fileSeals({ file }).open(sealed, 'ada')).toBe('sk-secret-4821')
    expect(await fileSeals({ file }).seal('sk-secret-4821', 'ada')).not.toBe(sealed)
  })

  it('SE-3 the file is made at first need, for its user alone, and by many at once only once', async () => {
    const seals = fileSeals({ file })
    expect(await seals.problem()).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
    const many = await Promise.all(Array.from({ length: 8 }, (_, at) => fileSeals({ file }).seal(`key ${at}`, 'ada')))
    for (const [at, sealed] of many.entries()) expect(await seals.open(sealed, 'ada')).toBe(`key ${at}`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['settings.key'])
    await chmod(file, 0o644)
    await seals.open(many[0]!, 'ada')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('SE-3 what is sealed for one thing does not open for another, and not when a byte was changed', async () => {
    const seals = fileSeals({ file })
    const sealed = await seals.seal('sk-secret', 'ada')
    await expect(seals.open(sealed, 'eve')).rejects.toMatchObject({ name: 'SealsBroken', lost: true })
    const changed = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2)
    await expect(seals.open(changed, 'ada')).rejects.toBeInstanceOf(SealsBroken)
    for (const odd of ['', 'x', 'vitrine-seal-1', 'a.b.c']) {
      await expect(seals.open(odd, 'ada')).rejects.toBeInstanceOf(SealsBroken)
    }
  })

  it('SE-4 a missing file is told, a new one is made for new keys, and the old keys count as lost', async () => {
    const seals = fileSeals({ file })
    const sealed = await seals.seal('sk-secret', 'ada')
    const copy = await readFile(file)
    await rm(file)
    await expect(seals.open(sealed, 'ada')).rejects.toThrow(/not in the data folder.*enter the key again/)
    const other = await seals.seal('sk-other', 'ada')
    await expect(seals.open(sealed, 'ada')).rejects.toThrow(/another settings.key/)
    expect(await seals.open(other, 'ada')).toBe('sk-other')
    await writeFile(file, copy)
    expect(await seals.open(sealed, 'ada')).toBe('sk-secret')
  })

  it('SE-4 a damaged file is told, is never written over, and no message names the folder', async () => {
    const seals = fileSeals({ file })
    for (const damage of ['', 'rubbish', `vitrine-key-1 ${'a'.repeat(42)}\n`, 'vitrine-key-2 x']) {
      await writeFile(file, damage)
      expect(await seals.problem()).toMatch(/damaged.*Restore it from a backup, or delete it/)
      const message = await seals.seal('sk', 'ada').catch((error: Error) => error.message)
      expect(message).toMatch(/damaged/)
      expect(message).not.toContain(folder)
      expect(await readFile(file, 'utf8')).toBe(damage)
    }
    const inFile = fileSeals({ file: join(file, 'settings.key') })
    const message = await inFile.seal('sk', 'ada').catch((error: Error) => error.message)
    expect(message).toMatch(/cannot be/)
    expect(message).not.toContain(folder)
  })
})
