import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Why a secret cannot be sealed or opened. The message says what to do, and names no path. */
export class SealsBroken extends Error {
  override name = 'SealsBroken'
  /** True when the secret itself cannot be opened, and others may be. */
  readonly lost: boolean

  constructor(message: string, { lost = false, cause }: { lost?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.lost = lost
  }
}

/**
 * Keeps secrets unreadable for everybody who has the database alone. `about` says what a secret belongs to: sealed for one
 * thing it cannot be opened as that of another. Both throw `SealsBroken`.
 */
export interface Seals {
  seal(secret: string, about: string): Promise<string>
  open(sealed: string, about: string): Promise<string>
  /** Why nothing can be sealed now, in words that say what to do; undefined when it can. */
  problem(): Promise<string | undefined>
}

const FORMAT = 'vitrine-seal-1'
const KEY_BYTES = 32
const IV_BYTES = 12

interface Key {
  bytes: Buffer
  /** Says which key has sealed something, and nothing about the key. */
  id: string
}

/**
 * Seals with AES-256-GCM by a key in a file of its own, which only the user of the server can read. The file is made when
 * the first secret is sealed. It is read each time, so that a file that was restored counts at once.
 */
export function fileSeals({ file, name = 'settings.key' }: { file: string; name?: string }): Seals {
  async function read(): Promise<Key | undefined> {
    let text: string
    try {
      text = await readFile(file, 'utf8')
      await keepToOwner()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return undefined
      const why = `The file ${name} in the data folder cannot be read (${code}), so stored keys cannot be used.`
      throw new SealsBroken(`${why} Let the user of the server read it.`, { cause: error })
    }
    const found = /^vitrine-key-1 ([\w-]{43})\n?$/.exec(text)?.[1]
    if (found !== undefined) return keyOf(Buffer.from(found, 'base64url'))
    const why = `The file ${name} in the data folder is damaged, so stored keys cannot be used.`
    throw new SealsBroken(`${why} Restore it from a backup, or delete it and enter the keys again.`)
  }

  /** Others may not read the file, whoever copied it here. Some file systems have no such modes. */
  async function keepToOwner(): Promise<void> {
    const { mode } = await stat(file)
    if ((mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => {})
  }

  /** The whole file is there under its name or nothing is; of two that make it at once one counts. */
  async function make(): Promise<Key> {
    const draft = `${file}.${randomUUID()}`
    try {
      await mkdir(dirname(file), { recursive: true })
      const handle = await open(draft, 'wx', 0o600)
      try {
        await handle.writeFile(`vitrine-key-1 ${randomBytes(KEY_BYTES).toString('base64url')}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await link(draft, file).catch(error => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const why = `The file ${name} cannot be made in the data folder (${code}), so keys cannot be stored.`
      throw new SealsBroken(`${why} Make room, or let the server write there.`, { cause: error })
    } finally {
      await rm(draft, { force: true }).catch(() => {})
    }
    const made = await read()
    if (made) return made
    throw new SealsBroken(`The file ${name} was removed while it was made. Try again.`)
  }

  return {
    async seal(secret, about) {
      const key = (await read()) ?? (await make())
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(about))
      const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${FORMAT}.${key.id}.${sealed.toString('base64url')}`
    },
    async open(sealed, about) {
      const key = await read()
      if (!key) {
        const why = `The file ${name} is not in the data folder, so this key cannot be opened.`
        throw new SealsBroken(`${why} Restore the file from a backup, or enter the key again.`, { lost: true })
      }
      const [format, keyId, text = ''] = sealed.split('.')
      if (format !== FORMAT || keyId !== key.id) {
        const why = `This key was stored with another ${name} than the one in the data folder.`
        throw new SealsBroken(`${why} Restore that file from a backup, or enter the key again.`, { lost: true })
      }
      try {
        const bytes = Buffer.from(text, 'base64url')
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES), { authTagLength: 16 })
        decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-16))
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -16)), decipher.final()]).toString()
      } catch (error) {
        throw new SealsBroken('The stored key is damaged. Enter it again.', { lost: true, cause: error })
      }
    },
    problem: () =>
      read().then(
        () => undefined,
        (error: Error) => error.message,
      ),
  }
}

const keyOf = (bytes: Buffer): Key => ({
  bytes,
  id: createHash('sha256').update('vitrine key').update(bytes).digest('base64url').slice(0, 8),
})

/** For a server that has no place for a key file: keys of the environment work, and none can be stored. */
export const noSeals: Seals = {
  seal: async () => {
    throw new SealsBroken(NO_PLACE)
  },
  open: async () => {
    throw new SealsBroken(NO_PLACE, { lost: true })
  },
  problem: async () => NO_PLACE,
}

const NO_PLACE = 'This server was started without a place for the key that seals others: give createServer `seals`.'
