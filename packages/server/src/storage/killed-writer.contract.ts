// Run as a process of its own: node killed-writer.contract.ts <module> <export that opens a storage> <its options as JSON>.
// Appends to several sessions at once until it is killed, and writes a line for each append that was acknowledged.
import { writeSync } from 'node:fs'
import type { SessionEvent } from '@vitrine/protocol'
import type { Storage } from './storage.ts'

const [module, name, options] = process.argv.slice(2)
const open = (await import(module!))[name!] as (options: unknown) => Promise<Storage>
const storage = await open(JSON.parse(options!))
await Promise.all((await storage.unfinished()).map(row => appendForEver(row.sessionId)))

async function appendForEver(sessionId: string): Promise<void> {
  let { epoch, seq } = await storage.lease(sessionId, `process ${process.pid}`)
  for (;;) {
    const size = 1 + Math.floor(Math.random() * 5)
    // Each event says which append it belongs to: a half one would show.
    const delta = JSON.stringify({ first: seq + 1, size, padding: 'x'.repeat(Math.random() * 2_000) })
    const events = Array.from(
      { length: size },
      (_, index): SessionEvent => ({
        type: 'text.delta',
        seq: seq + 1 + index,
        sessionId,
        at: 1,
        runId: 'run',
        messageId: 'message',
        partId: 'part',
        delta,
      }),
    )
    seq += size
    await storage.append({ sessionId, epoch, events, row: { messageCount: seq } })
    say(`${sessionId} ${seq}\n`)
  }
}

/** Writes straight to the pipe, because what the process still buffers would die with it. A full pipe is tried again. */
function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, line)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
