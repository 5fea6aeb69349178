import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openDatabase } from './database.ts'
import { createGroups, type Reply, type Request } from './groups.ts'

/** What the worker is started with. */
export interface WorkerOptions {
  folder: string
  holdCommits: SharedArrayBuffer | undefined
}

/** What it says: ready or refused once, then the replies of one group at a time. */
export type FromWorker = { ready: true } | { refused: { name: string; message: string } } | Reply[]
/** `null` asks it to close, after everything that was sent before. */
export type ToWorker = Request | null

/** Bounds how long the first of a group waits for the others. */
const MAX_GROUP = 1_000

const port = parentPort!
const say = (message: FromWorker) => port.postMessage(message)

function serve({ folder, holdCommits }: WorkerOptions): void {
  const { db, close } = openDatabase(folder)
  const run = createGroups(db, holdCommits)
  port.on('message', (first: ToWorker) => {
    const group: Request[] = []
    let next: ToWorker | undefined = first
    while (next) {
      group.push(next)
      if (group.length === MAX_GROUP) break
      next = receiveMessageOnPort(port)?.message as ToWorker | undefined
    }
    if (group.length > 0) say(run(group))
    if (next !== null) return
    close()
    port.close()
  })
  say({ ready: true })
}

try {
  serve(workerData as WorkerOptions)
} catch (error) {
  const { name, message } = error as Error
  say({ refused: { name, message } })
}
