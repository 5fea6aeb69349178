// Runs processes and prints one line about each. It uses only built-in
// modules of Node 20, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
export const cache = join(root, '.cache')

/** A failure that the person can fix. Only its message is shown, without a stack. */
export class Stop extends Error {}

/** @param {() => Promise<number | undefined | void>} body */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0
  } catch (error) {
    console.error(error instanceof Stop ? `✗ ${error.message}` : error)
    process.exitCode = 1
  }
}

/** @param {number} ms */
export const seconds = ms => `${(ms / 1000).toFixed(1)} s`

/**
 * @param {string} mark
 * @param {string} name
 * @param {string} outcome
 * @param {number} ms
 */
export function line(mark, name, outcome, ms) {
  console.log(`${mark} ${name.padEnd(14)} ${outcome.padEnd(44)} ${seconds(ms).padStart(8)}`)
}

/**
 * Prints one line when the work is done. Work that takes a while
 * is announced, so that nobody looks at a silent terminal.
 * @template T
 * @param {string} name
 * @param {(announce: (doing: string) => void) => Promise<[outcome: string, value: T]>} body
 * @returns {Promise<T>}
 */
export async function step(name, body) {
  const since = performance.now()
  const [outcome, value] = await body(doing => console.log(`… ${name.padEnd(14)} ${doing}`))
  line('✓', name, outcome, performance.now() - since)
  return value
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
const ending = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

// Children are ended too: an installation that goes on alone would
// write into node_modules while the next set-up starts its own.
/** @param {NodeJS.Signals} signal */
function endWithChildren(signal) {
  for (const child of children) child.kill(signal)
  process.exit(128 + constants.signals[signal])
}

/**
 * Runs a process to its end. Its output is captured, or goes to the terminal with `show`.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, show?: boolean, limitMs?: number, started?: (pid: number) => void }} [options]
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>}
 */
export function run(command, args, options = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: options.show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    if (children.size === 0) for (const signal of ending) process.on(signal, endWithChildren)
    children.add(child)
    if (child.pid) options.started?.(child.pid)
    let output = ''
    let timedOut = false
    const limit = options.limitMs
      ? setTimeout(() => {
          timedOut = true
          child.kill('SIGKILL')
        }, options.limitMs)
      : undefined
    const take = (/** @type {string} */ text) => {
      output += text
    }
    child.stdout?.setEncoding('utf8').on('data', take)
    child.stderr?.setEncoding('utf8').on('data', take)
    const end = (/** @type {number} */ code) => {
      clearTimeout(limit)
      if (children.delete(child) && children.size === 0) {
        for (const signal of ending) process.off(signal, endWithChildren)
      }
      resolve({ code, output, timedOut })
    }
    child.on('error', error => {
      output += error.message
      end(127)
    })
    child.on('close', (code, signal) => end(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/**
 * Runs the long-lived process of a command. The process gets each signal once, and its exit code becomes ours. It has a
 * process group of its own, because Ctrl-C reaches us twice (from the terminal, then from npm), and a server takes a
 * second interrupt as "stop at once". The process is also stopped when the terminal is closed or npm is killed.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<number>}
 */
export function runForeground(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    stdio: 'inherit',
    detached: process.platform !== 'win32',
  })
  const passedAt = new Map()
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    if (performance.now() - (passedAt.get(signal) ?? Number.NEGATIVE_INFINITY) < 1000) return
    passedAt.set(signal, performance.now())
    child.kill(signal)
  }
  for (const signal of ending) process.on(signal, () => pass(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  stopWithNpm(() => pass('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/**
 * Calls `stop` when npm is gone. Otherwise this process would go on unseen after npm was killed, and keep the port.
 * @param {() => void} stop
 */
export function stopWithNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 500)
  watch.unref()
}

/**
 * @param {string} binary
 * @returns {string | undefined} what `binary --version` says, if it runs
 */
export function versionOf(binary) {
  const answer = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return answer.status === 0 ? answer.stdout.trim() : undefined
}
