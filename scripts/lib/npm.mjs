import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { cache, root, run } from './run.mjs'

/**
 * Gives an environment in which `node` is the given binary.
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(node) {
  const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter)
  return { ...process.env, PATH: path }
}

/** A registry may be slow or stall. So we use the cache, retry, and give up on a silent connection after a minute. */
const patience = [
  '--prefer-offline',
  '--fetch-retries=5',
  '--fetch-timeout=60000',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
]

/**
 * @param {string} node the binary that runs npm
 * @param {string[]} args
 * @param {{ cwd?: string, limitMs?: number, started?: (pid: number) => void }} [options]
 */
export function npm(node, args, options = {}) {
  const cli = process.env.npm_execpath
  const [command, before] = cli?.endsWith('npm-cli.js')
    ? [node, [cli]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
  return run(command, [...before, ...args], { ...options, env: environment(node) })
}

/**
 * Runs an npm command that downloads something, and tries it twice.
 * @param {string} node
 * @param {string[]} args
 * @param {{ cwd?: string, started?: (pid: number) => void }} options
 * @returns {Promise<string | undefined>} why it failed, in one line
 */
export async function download(node, args, options) {
  let failure = ''
  for (let attempt = 1; attempt <= 2; attempt++) {
    const result = await npm(node, [...args, ...patience], { ...options, limitMs: 10 * 60_000 })
    if (result.code === 0) return undefined
    const log = join(cache, 'npm.log')
    mkdirSync(cache, { recursive: true })
    writeFileSync(log, result.output)
    const said = result.output
      .split('\n')
      .filter(
        text =>
          /^npm (error|ERR!)/.test(text) && !/^npm (error|ERR!)\s*($|code |errno |syscall |A complete log)/.test(text),
      )
    const reason = result.timedOut ? 'no end after ten minutes' : (said[0] ?? 'npm failed').replace(/^npm \S+\s+/, '')
    failure = `${reason} (all of npm's output: ${log})`
  }
  return failure
}
