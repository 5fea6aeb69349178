import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openDatabase, openReader } from './database.ts'
import { type Failure, failureOf } from './failures.ts'
import { createGroups, createReads, type Reply, type Request } from './groups.ts'

/** What the worker is started with. */
export interface WorkerOptions {
  role: 'read' | 'write'
  folder: string
  /** Open the database although it has lost something. */
  acceptLoss: boolean
  pauseCommits: SharedArrayBuffer | undefined
}

/** What it says: ready or refused once, then the replies of one group at a time. */
export type FromWorker = { ready: true } | { refused: Failure } | Reply[]
/** `null` asks it to close, after everything that was sent before. */
export type ToWorker = readonly Request[] | null

/** Bounds how long the first of a group waits for the others. */
const MAX_GROUP = 1_000

const port = parentPort!
const say = (message: FromWorker) => port.postMessage(message)

function open({ role, folder, acceptLoss, pauseCommits }: WorkerOptions) {
  if (role === 'read') {
    const { db, close } = openReader(folder)
    return { run: createReads(db, folder), close }
  }
  const { db, committed, close } = openDatabase(folder, acceptLoss)
  return { run: createGroups(db, { folder, committed, pauseCommits }), close }
}

function serve(options: WorkerOptions): void {
  const { role } = options
  const { run, close } = open(options)
  port.on('message', (first: ToWorker) => {
    const group: Request[] = []
    let next: ToWorker | undefined = first
    while (next) {
      group.push(...next)
      if (group.length >= MAX_GROUP) break
      next = receiveMessageOnPort(port)?.message as ToWorker | undefined
    }
    if (role === 'write' && group.length > 0) say(run(group))
    // Reads have nothing to share: nobody waits for the next one.
    if (role === 'read') for (const request of group) say(run([request]))
    if (next !== null) return
    close()
    port.close()
  })
  say({ ready: true })
}

const options = workerData as WorkerOptions
try {
  serve(options)
} catch (error) {
  say({ refused: failureOf(error, options.folder) })
}
