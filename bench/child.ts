import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a program beside this one and waits for what it says first; one that ends without a word is an error. */
export async function startChild<T>(program: string, ...args: string[]): Promise<{ child: ChildProcess; said: T }> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code} before it had said anything`)
  })
  const [said] = (await Promise.race([once(child, 'message'), ended])) as [T]
  return { child, said }
}
