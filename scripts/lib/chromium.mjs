import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run, Stop, versionOf } from './run.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** @param {string} name */
function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  return folders.map(folder => join(folder, name)).find(existsSync)
}

function installed() {
  const candidates = [...names.map(onPath), ...elsewhere.filter(existsSync)]
  // On Ubuntu chromium-browser may be a script that only tells to install a snap. So a candidate has to run.
  return candidates.find(path => path !== undefined && versionOf(path) !== undefined)
}

/**
 * Finds the browser for the browser tests: CHROMIUM_PATH, else
 * the system's, else Debian's package when we may install it.
 * @param {(doing: string) => void} announce
 * @returns {Promise<[outcome: string, path: string]>}
 */
export async function findChromium(announce) {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    const version = versionOf(chosen)
    if (!version) throw new Stop(`CHROMIUM_PATH is ${chosen}, which does not run. Unset it or point it to a Chromium.`)
    return [version, chosen]
  }
  const found = installed()
  if (found) return [versionOf(found) ?? found, found]
  const mayInstall = process.getuid?.() === 0 && onPath('apt-get')
  if (mayInstall) {
    announce("installing Debian's package chromium")
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', 'chromium']]) {
      const result = await run('apt-get', args, { env, limitMs: 15 * 60_000 })
      if (result.code !== 0) {
        throw new Stop(`apt-get ${args.join(' ')} failed:\n${result.output.trim().split('\n').slice(-5).join('\n')}`)
      }
    }
    const now = installed()
    if (now) return [`${versionOf(now)}, installed`, now]
  }
  const how = onPath('apt-get') ? 'run: sudo apt-get install -y chromium' : 'install Chromium or Google Chrome'
  throw new Stop(`The browser tests need Chromium. Please ${how}; or set CHROMIUM_PATH to one that is elsewhere.`)
}
