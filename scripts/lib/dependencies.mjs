import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { withLock } from './lock.mjs'
import { download } from './npm.mjs'
import { Stop } from './run.mjs'

/** @param {string} file */
const json = file => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Gives the folders that have a package.json: '' for the root, then the workspaces.
 * @param {string} folder
 * @returns {string[]}
 */
function workspaceFolders(folder) {
  /** @type {string[]} */
  const patterns = json(join(folder, 'package.json')).workspaces ?? []
  const expanded = patterns.flatMap(pattern => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    if (!existsSync(join(folder, parent))) return []
    return readdirSync(join(folder, parent))
      .sort()
      .map(name => `${parent}/${name}`)
  })
  return ['', ...expanded.filter(workspace => existsSync(join(folder, workspace, 'package.json')))]
}

/**
 * A fingerprint of everything that decides the contents of node_modules.
 * @param {string} folder
 */
export function fingerprint(folder) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const workspace of workspaceFolders(folder)) {
    hash.update(`\n${workspace}\n`).update(readFileSync(join(folder, workspace, 'package.json')))
  }
  return hash.update(readFileSync(join(folder, 'package-lock.json'))).digest('hex')
}

/**
 * Gives the workspaces whose package.json differs from what the lock file has recorded for them.
 * @param {string} folder
 * @returns {string[]}
 */
function notInLock(folder) {
  const locked = json(join(folder, 'package-lock.json')).packages
  return workspaceFolders(folder).filter(workspace => {
    const manifest = json(join(folder, workspace, 'package.json'))
    return ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].some(
      kind => !isDeepStrictEqual(manifest[kind] ?? {}, locked[workspace]?.[kind] ?? {}),
    )
  })
}

/**
 * Says whether node_modules holds what the lock file says. npm records what it installed in
 * node_modules/.package-lock.json. Optional packages (binaries of other platforms) may be missing on either side.
 * @param {string} folder
 */
export function isInstalledAsLocked(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(record) || notInLock(folder).length > 0) return false
  const installed = json(record).packages
  const locked = json(join(folder, 'package-lock.json')).packages
  const isOptional = (/** @type {{ optional?: boolean, devOptional?: boolean }} */ entry) =>
    entry.optional === true || entry.devOptional === true
  const isModule = (/** @type {string} */ path) => /(^|\/)node_modules\//.test(path)
  return (
    Object.entries(locked).every(([path, entry]) => {
      const found = installed[path]
      if (!isModule(path)) return true
      if (!found) return isOptional(entry)
      return found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link
    }) && Object.entries(installed).every(([path, entry]) => !isModule(path) || path in locked || isOptional(entry))
  )
}

/**
 * Installs what the lock file of `folder` says, when that is missing or has changed.
 * @param {{ folder: string, stamp: string, node: string }} place
 * @param {(doing: string) => void} announce
 * @returns {Promise<[outcome: string, value: undefined]>}
 */
export async function installLocked({ folder, stamp, node }, announce) {
  const upToDate = () => {
    const now = fingerprint(folder)
    const known = existsSync(stamp) && readFileSync(stamp, 'utf8') === now
    if (known ? existsSync(join(folder, 'node_modules', '.package-lock.json')) : isInstalledAsLocked(folder)) {
      if (!known) remember()
      return true
    }
    return false
  }
  const remember = () => {
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, fingerprint(folder))
  }
  if (upToDate()) return ['as locked', undefined]
  return withLock(
    `${stamp}.lock`,
    async ({ alsoHeldBy }) => {
      if (upToDate()) return ['as locked', undefined]
      const [stale] = notInLock(folder)
      if (stale !== undefined) {
        const manifest = join(stale, 'package.json')
        throw new Stop(`${manifest} and package-lock.json do not agree. Run npm install and commit the lock file.`)
      }
      announce('installing what the lock file says')
      // We do not use `npm ci`: it refuses a lock file that lacks the binaries of some platform, and
      // it removes files in use. NODE_ENV=production would leave out the tools that build and test.
      const install = ['install', '--no-save', '--include=dev']
      const failure = await download(node, install, { cwd: folder, started: alsoHeldBy })
      if (failure) {
        throw new Stop(
          `Dependencies could not be installed: ${failure}. Check the network (npm ping) and run the same command again.`,
        )
      }
      if (!isInstalledAsLocked(folder)) {
        throw new Stop(
          'npm did not install what package-lock.json says. Remove node_modules and run the same command again.',
        )
      }
      remember()
      return ['installed as locked', undefined]
    },
    { waiting: pid => announce(`waiting for the set-up of process ${pid}`) },
  )
}
