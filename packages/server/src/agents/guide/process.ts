import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** How long the processes have to end by themselves before they are killed. */
const GRACE_MS = 300

/** Prepended to a script so that it ends with its parent. A crash of the server then leaves no process behind. */
const ENDS_WITH_PARENT = `process.stdin.on('end', () => process.exit(1)).on('error', () => process.exit(1)).resume()
process.stdout.on('error', () => process.exit(1))
`

export interface Work extends AsyncIterable<string> {
  readonly pid: number
  /** Stops the process and everything that it has started. Resolves when all of them have ended. */
  stop(): Promise<void>
}

/**
 * Runs a JavaScript program in its own process group and gives its output line by line. When the signal fires, the
 * whole group is ended, even when nobody reads the output any more. The program does not get the server's environment.
 */
export function startWork(script: string, args: readonly string[], signal: AbortSignal): Work {
  signal.throwIfAborted()
  const windows = process.platform === 'win32'
  const child = spawn(process.execPath, ['-e', ENDS_WITH_PARENT + script, '--', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: !windows,
    windowsHide: true,
    env: windows ? { SystemRoot: process.env.SystemRoot } : {},
  })
  const { pid } = child
  if (pid === undefined) {
    child.on('error', () => {})
    throw new Error('The work could not be started: the machine has no room for another process.')
  }
  child.stdin.on('error', () => {})
  const exited = once(child, 'exit').catch(() => {})

  const send = (name: NodeJS.Signals | 0): boolean => {
    try {
      return windows ? child.kill(name) : process.kill(-pid, name)
    } catch {
      return false
    }
  }

  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      signal.removeEventListener('abort', onAbort)
      const hard = setTimeout(() => send('SIGKILL'), GRACE_MS)
      send('SIGTERM')
      await exited
      clearTimeout(hard)
      // Children of the program may live longer than the program.
      // The group is empty when a signal finds no process in it.
      while (!windows && send('SIGKILL')) await new Promise(resolve => setTimeout(resolve, 5))
      child.stdout.destroy()
    })()
    return stopping
  }
  const onAbort = () => void stop()
  signal.addEventListener('abort', onAbort, { once: true })

  return {
    pid,
    stop,
    async *[Symbol.asyncIterator]() {
      try {
        for await (const line of createInterface({ input: child.stdout })) yield line
        await exited
      } finally {
        await stop()
      }
      signal.throwIfAborted()
    },
  }
}
