import { createHash, randomBytes } from 'node:crypto'
import { constants, existsSync, type Stats } from 'node:fs'
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  opendir,
  realpath,
  rename,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { systemCode, ToolFailed } from '../failure.ts'
import { sizeInWords } from '../fit.ts'

/** A place in the folder: what people call it, and where it really is. */
export interface Place {
  /** From the folder on, with `/`; empty for the folder itself. */
  readonly path: string
  readonly real: string
}

/** A file as it was at one moment. */
export interface FileVersion extends Place {
  readonly bytes: Buffer
  readonly digest: string
  readonly mode: number
}

/** An entry of a folder. */
export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  readonly changedAt: number
}

const { O_CREAT, O_DIRECTORY = 0, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = constants
const MAX_PATH = 1_000
const MAX_DEPTH = 64
/** The end of the names of files that are being written. A crash may leave one behind. */
const UNFINISHED = '.vitrine-unfinished'

const isUnfinished = (name: string): boolean => name.endsWith(UNFINISHED)
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * A folder that nothing leaves. Names are resolved first, the file is opened without following a link, and then the open
 * file is compared with what stands at a place inside the folder, so that a link which appears in between gains nothing.
 */
export class Folder {
  readonly #given: string
  readonly #except: readonly string[]
  #root: string | undefined
  /** Where the folders really are that are left out. */
  #left: string[] = []

  constructor(given: string, except: readonly string[] = []) {
    if (typeof given !== 'string' || given === '') throw new TypeError('The file tools need a folder.')
    this.#given = given
    this.#except = except
  }

  /** The folder itself. It may be made after the tools. */
  async root(): Promise<string> {
    // They may be made, or become links, at any time.
    this.#left = await Promise.all(this.#except.map(path => realpath(path).catch(() => resolve(path))))
    if (this.#root !== undefined) return this.#root
    const real = await realpath(this.#given).catch(() => undefined)
    const found = real === undefined ? undefined : await stat(real).catch(() => undefined)
    if (real === undefined || !found?.isDirectory()) throw new ToolFailed('The folder of the file tools is not there.')
    this.#root = real
    return real
  }

  /** Where something is that exists. */
  async find(given: string): Promise<Place> {
    const path = checkedPath(given)
    const root = await this.root()
    const real = await realpath(join(root, path)).catch(error => {
      throw inWords(error, path)
    })
    return { path: this.#inside(root, real, path), real }
  }

  /** Where something is or will be: what is missing of its path is not made yet. */
  async findOrPlan(given: string): Promise<Place & { exists: boolean }> {
    const path = checkedPath(given)
    if (path === '') throw new ToolFailed('This is the folder itself. Name a file in it.')
    const root = await this.root()
    const missing: string[] = []
    for (let at = join(root, path); ; at = dirname(at)) {
      const real = await realpath(at).catch(error => {
        if (systemCode(error) === 'ENOENT') return undefined
        throw inWords(error, path)
      })
      if (real === undefined) {
        // A link that leads to nothing would be followed when the file is made.
        if ((await lstat(at).catch(() => undefined))?.isSymbolicLink()) throw leadsOut(path)
        missing.unshift(basename(at))
        continue
      }
      const there = join(real, ...missing)
      return { path: this.#inside(root, there, path), real: there, exists: missing.length === 0 }
    }
  }

  /** Reads a file of at most this many bytes. */
  async read(given: string, mostBytes: number): Promise<FileVersion> {
    const place = await this.find(given)
    const handle = await this.#open(place, O_RDONLY)
    try {
      return { ...place, ...(await contentOf(handle, place, mostBytes)) }
    } finally {
      await handle.close()
    }
  }

  /** The entries of a folder, at most so many, and whether there are more. */
  async list(given: string, most: number): Promise<Place & { entries: Entry[]; more: boolean }> {
    const place = await this.find(given)
    const entries: Entry[] = []
    let more = false
    const directory = await this.#directory(place)
    try {
      const reading = await opendir(directory.base).catch(error => {
        throw inWords(error, place.path)
      })
      for await (const { name } of reading) {
        if (isUnfinished(name)) continue
        if (entries.length >= most) {
          more = true
          break
        }
        const found = await lstat(join(directory.base, name)).catch(() => undefined)
        if (found) entries.push({ name, kind: kindOf(found), size: found.size, changedAt: found.mtimeMs })
      }
    } finally {
      await directory.handle.close()
    }
    entries.sort((a, b) => a.name.localeCompare(b.name, 'en'))
    return { ...place, entries, more }
  }

  /**
   * Writes a whole file: it is there as it was or as it should be, and nothing in between. `was` is the digest of what is
   * replaced, and null when the file is new; a file that is something else is left alone.
   */
  async write(given: string, bytes: Uint8Array, was: string | null, mode = 0o666): Promise<Place> {
    const place = await this.findOrPlan(given)
    const { path, real } = place
    if (place.exists) await access(real, constants.W_OK).catch(error => Promise.reject(inWords(error, path)))
    const directory = await this.#directoryFor(place)
    const name = basename(real)
    const target = join(directory.base, name)
    const unfinished = join(directory.base, `.${randomBytes(9).toString('base64url')}${UNFINISHED}`)
    try {
      const handle = await open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
      try {
        await this.#sameFile(handle, join(dirname(real), basename(unfinished)), path)
        await handle.writeFile(bytes)
        if (was !== null) await handle.chmod(mode)
        await handle.sync()
      } finally {
        await handle.close()
      }
      if ((await digestAt(target, place)) !== was) throw changedMeanwhile(path)
      await moveTo(unfinished, target, was === null, path)
      await directory.handle.sync().catch(() => {})
      return place
    } catch (error) {
      await unlink(unfinished).catch(() => {})
      throw inWords(error, path)
    } finally {
      await directory.handle.close()
    }
  }

  /** Removes a file that is what `was` says. */
  async remove(given: string, was: string): Promise<Place> {
    const place = await this.find(given)
    const directory = await this.#directory({ path: place.path, real: dirname(place.real) })
    const target = join(directory.base, basename(place.real))
    try {
      if ((await digestAt(target, place)) !== was) throw changedMeanwhile(place.path)
      await unlink(target)
      return place
    } catch (error) {
      throw inWords(error, place.path)
    } finally {
      await directory.handle.close()
    }
  }

  #inside(root: string, real: string, path: string): string {
    if (real === root) return ''
    const inside = relative(root, real)
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) throw leadsOut(path)
    if (this.#left.some(left => real === left || real.startsWith(left + sep))) {
      throw new ToolFailed(`${path} belongs to the server itself, and tools do not use it.`)
    }
    return inside.split(sep).join('/')
  }

  /** Opens what is at a place, and makes sure that it is inside the folder now that it is open. */
  async #open({ path, real }: Place, flags: number): Promise<FileHandle> {
    const before = await lstat(real).catch(error => Promise.reject(inWords(error, path)))
    // A pipe would wait for somebody, and opening a device may do something.
    if (!before.isFile() && !before.isDirectory()) {
      throw before.isSymbolicLink() ? leadsOut(path) : new ToolFailed(`${path} is no file that can be read.`)
    }
    const handle = await open(real, flags | O_NOFOLLOW | O_NONBLOCK).catch(error =>
      Promise.reject(inWords(error, path)),
    )
    try {
      await this.#sameFile(handle, real, path)
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** What is open stands at this place, and the place is inside the folder, also after all links. */
  async #sameFile(handle: FileHandle, place: string, path: string): Promise<void> {
    const root = await this.root()
    const real = await realpath(place).catch(() => undefined)
    if (real === undefined) throw leadsOut(path)
    this.#inside(root, real, path)
    const [opened, there] = [await handle.stat(), await lstat(real).catch(() => undefined)]
    if (!there || there.ino !== opened.ino || there.dev !== opened.dev) throw leadsOut(path)
  }

  /** An open folder. On Linux its entries are reached through the open folder, whatever becomes of its name. */
  async #directory(place: Place): Promise<{ handle: FileHandle; base: string }> {
    const found = await stat(place.real).catch(error => Promise.reject(inWords(error, place.path)))
    if (!found.isDirectory()) throw new ToolFailed(`${place.path || 'It'} is a file and no folder.`)
    const handle = await this.#open(place, O_RDONLY | O_DIRECTORY)
    return { handle, base: existsSync('/proc/self/fd') ? `/proc/self/fd/${handle.fd}` : place.real }
  }

  /** The folder of a file, which is made when it is missing. */
  async #directoryFor({ path, real }: Place): Promise<{ handle: FileHandle; base: string }> {
    const root = await this.root()
    const parts = relative(root, dirname(real)).split(sep).filter(Boolean)
    let at = root
    for (const part of parts) {
      const next = join(at, part)
      const directory = await this.#directory({ path, real: at })
      try {
        await mkdir(join(directory.base, part))
        // Without /proc the name may have led elsewhere: what was made there is taken away again.
        const real = await realpath(next).catch(() => undefined)
        if (real !== next) {
          await rmdir(join(directory.base, part)).catch(() => {})
          throw leadsOut(path)
        }
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw inWords(error, path)
      } finally {
        await directory.handle.close()
      }
      at = next
    }
    return this.#directory({ path, real: at })
  }
}

const leadsOut = (path: string): ToolFailed =>
  new ToolFailed(
    `${path} leads out of the folder, or changed while it was opened. Only files in the folder can be used.`,
  )

const changedMeanwhile = (path: string): ToolFailed =>
  new ToolFailed(`${path} was changed by somebody else meanwhile, so nothing was written. Read it again first.`)

/** A path from the folder on, or words about what is wrong with it. */
function checkedPath(given: string): string {
  const path = process.platform === 'win32' ? given.replaceAll('\\', '/') : given
  if (path.length > MAX_PATH) throw new ToolFailed(`The path is longer than ${MAX_PATH} characters.`)
  if (path.includes('\0') || !path.isWellFormed())
    throw new ToolFailed('The path has characters that no path can have.')
  if (isAbsolute(path) || path.startsWith('/')) {
    throw new ToolFailed('Paths begin in the folder, not at the root of the machine: use a path such as notes/plan.md.')
  }
  if (process.platform === 'win32' && path.includes(':'))
    throw new ToolFailed('The path has a colon, which is not used.')
  const parts = path.split('/').filter(part => part !== '' && part !== '.')
  if (parts.includes('..')) throw new ToolFailed('The path has `..`, and nothing outside of the folder can be used.')
  if (parts.length > MAX_DEPTH) throw new ToolFailed(`The path is deeper than ${MAX_DEPTH} folders.`)
  return parts.join('/')
}

async function contentOf(
  handle: FileHandle,
  { path }: Place,
  mostBytes: number,
): Promise<Pick<FileVersion, 'bytes' | 'digest' | 'mode'>> {
  const found = await handle.stat()
  if (found.isDirectory()) throw new ToolFailed(`${path || 'This'} is a folder. List it instead.`)
  if (!found.isFile()) throw new ToolFailed(`${path} is no file that can be read.`)
  const tooLarge = (): ToolFailed =>
    new ToolFailed(`${path} has ${sizeInWords(found.size)}, and ${sizeInWords(mostBytes)} are the most.`)
  if (found.size > mostBytes) throw tooLarge()
  const pieces: Buffer[] = []
  let size = 0
  // A file may grow while it is read, and files of the system say that they are empty.
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024)
    if (bytesRead === 0) break
    size += bytesRead
    if (size > mostBytes) throw tooLarge()
    pieces.push(buffer.subarray(0, bytesRead))
  }
  const bytes = Buffer.concat(pieces)
  return { bytes, digest: digestOf(bytes), mode: found.mode & 0o777 }
}

/** The digest of what stands at a place, or null when nothing does. */
async function digestAt(target: string, place: Place): Promise<string | null> {
  let handle: FileHandle
  try {
    handle = await open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw inWords(error, place.path)
  }
  try {
    return (await contentOf(handle, place, Number.MAX_SAFE_INTEGER)).digest
  } finally {
    await handle.close()
  }
}

/** A new file is linked to its name, which fails when the name has been taken meanwhile. */
async function moveTo(unfinished: string, target: string, isNew: boolean, path: string): Promise<void> {
  if (isNew) {
    try {
      await link(unfinished, target)
      await unlink(unfinished)
      return
    } catch (error) {
      if (systemCode(error) === 'EEXIST') throw changedMeanwhile(path)
      // Some file systems have no hard links.
      if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'].includes(systemCode(error) ?? '')) throw error
    }
  }
  await rename(unfinished, target)
}

function kindOf(found: Stats): Entry['kind'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'folder'
  return found.isSymbolicLink() ? 'link' : 'other'
}

const WORDS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: path => `${path} does not exist.`,
  ENOTDIR: path => `${path} leads through something that is no folder.`,
  EISDIR: path => `${path} is a folder.`,
  EACCES: path => `${path} may not be opened: the rights of the file do not allow it.`,
  EPERM: path => `${path} may not be changed: the rights of the file do not allow it.`,
  EROFS: path => `${path} is on a disk that can only be read.`,
  ENOSPC: () => 'The disk is full, and nothing was written.',
  EDQUOT: () => 'There is no room left for this person on the disk, and nothing was written.',
  ENAMETOOLONG: path => `The name of ${path.slice(0, 100)} is too long.`,
  EMFILE: () => 'Too many files are open at the moment. Try again.',
  ENXIO: path => `${path} is no file that can be read.`,
}

/** An error of the system without the paths of this machine. */
function inWords(error: unknown, path: string): Error {
  if (error instanceof ToolFailed) return error
  const code = systemCode(error)
  if (code === 'ELOOP') return leadsOut(path)
  return new ToolFailed(WORDS[code ?? '']?.(path) ?? `${path} could not be used${code ? ` (${code})` : ''}.`)
}
