import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { withLock } from './lock.mjs'
import { cache, root, run, Stop } from './run.mjs'

const ignored = new Set(['node_modules', 'dist', 'e2e', '.cache'])

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(path) {
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      if (ignored.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) return []
      return entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]
    })
}

/**
 * A fingerprint of what decides the built workbench: its sources,
 * the sources of the rooms in it, and the versions of the tools.
 * @param {string} base the folder of the repository
 */
export function workbenchFingerprint(base) {
  const rooms = ['client', 'genui', 'protocol', 'react']
  const files = [join(base, 'apps/workbench'), ...rooms.map(room => join(base, 'packages', room))].flatMap(filesUnder)
  const hash = createHash('sha256')
  for (const file of [join(base, 'package-lock.json'), ...files]) {
    hash.update(`\n${relative(base, file)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/**
 * Builds the workbench when its sources have changed since the last build.
 * @param {{ node: string, env: NodeJS.ProcessEnv, tool: (name: 'vite') => string }} tools
 * @param {(doing: string) => void} announce
 * @returns {Promise<[outcome: string, value: undefined]>}
 */
export async function buildWorkbench({ node, env, tool }, announce) {
  const stamp = join(cache, 'workbench.stamp')
  const out = join(root, 'apps/workbench/dist')
  // The published command carries the workbench in its own package.
  const published = join(root, 'packages/cli/dist/workbench')
  const upToDate = () =>
    [out, published].every(folder => existsSync(join(folder, 'index.html'))) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === workbenchFingerprint(root)
  if (upToDate()) return ['built before, unchanged', undefined]
  return withLock(
    `${stamp}.lock`,
    async ({ alsoHeldBy }) => {
      if (upToDate()) return ['built before, unchanged', undefined]
      announce('building')
      // The fingerprint is taken before the build, so that a source which changes meanwhile leads to another build.
      const built = workbenchFingerprint(root)
      rmSync(stamp, { force: true })
      const cwd = join(root, 'apps/workbench')
      // The sandboxes come second, because they stand in the folder that the workbench empties first.
      for (const more of [
        ['--outDir', out],
        ['--outDir', join(out, 'sandbox'), '--mode', 'sandboxes'],
      ]) {
        const args = [tool('vite'), 'build', ...more, '--emptyOutDir', '--logLevel', 'warn']
        const result = await run(node, args, { env, cwd, started: alsoHeldBy })
        if (result.code !== 0) throw new Stop(`The workbench could not be built:\n${result.output.trim()}`)
      }
      rmSync(published, { recursive: true, force: true })
      cpSync(out, published, { recursive: true })
      mkdirSync(cache, { recursive: true })
      writeFileSync(stamp, built)
      return ['built', undefined]
    },
    { waiting: pid => announce(`waiting for the build of process ${pid}`) },
  )
}
