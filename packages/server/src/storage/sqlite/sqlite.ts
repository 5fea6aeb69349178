import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Append, SeqConflict, StaleLease, type Storage, StorageRefused } from '../storage.ts'
import type { Calls, Reply, Request } from './groups.ts'
import type { AppendRequest } from './operations.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './worker.ts'

export interface SqliteOptions {
  /** Holds the database, its lock and its backups; made when missing. */
  folder: string
  /** The `buffer` of createCommitHold: a test can then stand between write and commit. */
  holdCommits?: SharedArrayBuffer
}

export interface SqliteStorage extends Storage {
  /** The first value that one PRAGMA returns, such as `synchronous`. */
  pragma(statement: string): Promise<unknown>
  /** Commits since opening: all appends of a group count as one. */
  commits(): Promise<number>
}

/** One SQLite file, written by a worker so that a sync of the disk never stops the event loop. */
export async function openSqlite({ folder, holdCommits }: SqliteOptions): Promise<SqliteStorage> {
  const connection = await connect({ folder, holdCommits })
  const { call } = connection
  return {
    instance: () => call('instance'),
    createSession: row => call('createSession', row),
    session: sessionId => call('session', sessionId),
    sessions: query => call('sessions', query),
    unfinished: () => call('unfinished'),
    updateSession: (sessionId, change) => call('updateSession', sessionId, change),
    deleteSession: sessionId => call('deleteSession', sessionId),
    lease: sessionId => call('lease', sessionId),
    append: async append => call('append', requestOf(append)),
    events: async (sessionId, after, limit) => JSON.parse(await call('events', sessionId, after, limit)),
    saveCheckpoint: (sessionId, checkpoint) => call('saveCheckpoint', sessionId, checkpoint),
    checkpoint: sessionId => call('checkpoint', sessionId),
    messagePages: (sessionId, before, limit) => call('messagePages', sessionId, before, limit),
    answer: (owner, key) => call('answer', owner, key),
    keepAnswer: (owner, key, answer) => call('keepAnswer', owner, key, answer),
    addBlob: (sessionId, owner, blob) => call('addBlob', sessionId, owner, blob),
    blob: (sessionId, digest) => call('blob', sessionId, digest),
    pragma: statement => call('pragma', statement),
    commits: () => call('commits'),
    close: connection.close,
  }
}

function requestOf({ sessionId, epoch, events, row }: Append): AppendRequest {
  const first = events[0]?.seq ?? 0
  for (const [index, event] of events.entries()) {
    if (event.seq !== first + index) throw new SeqConflict(`Seq ${event.seq} does not follow ${first + index - 1}`)
    if (event.sessionId !== sessionId) throw new SeqConflict(`Event ${event.seq} is of session ${event.sessionId}`)
  }
  return { sessionId, epoch, first, events: events.map(event => JSON.stringify(event)), ...(row && { row }) }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

async function connect(options: WorkerOptions) {
  // The same file beside this one, from source or built.
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: options,
    name: 'storage',
  })
  const waiting = new Map<number, Waiting>()
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  let lastId = 0
  let ended: Error | undefined
  let crash: Error | undefined
  let closing: Promise<void> | undefined

  function end(reason: Error): void {
    ended ??= reason
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
  }

  function settle(reply: Reply): void {
    const caller = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('error' in reply) caller?.reject(revive(reply.error))
    else caller?.resolve(reply.value)
  }

  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (Array.isArray(message)) message.forEach(settle)
      else if ('refused' in message) reject(revive(message.refused))
      else resolve()
    })
    worker.on('error', error => {
      const reason = new Error(`The storage has stopped: ${(error as Error).message}`, { cause: error })
      crash = reason
      end(reason)
      reject(reason)
    })
    worker.on('exit', () => end(new Error('The storage has stopped')))
  })

  function send(message: ToWorker): void {
    worker.postMessage(message)
  }

  return {
    call<K extends keyof Calls>(name: K, ...args: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
      return new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        const request: Request = { id: ++lastId, call: name, args }
        send(request)
        waiting.set(request.id, { resolve: resolve as (value: unknown) => void, reject })
      })
    },
    close(): Promise<void> {
      if (!closing && !ended) send(null)
      ended ??= new Error('The storage is closed')
      closing ??= exited.then(() => {
        if (crash) throw crash
      })
      return closing
    },
  }
}

/** An error crosses threads as its name and message; callers tell ours apart by class. */
function revive({ name, message }: { name: string; message: string }): Error {
  switch (name) {
    case 'StaleLease':
      return new StaleLease(message)
    case 'SeqConflict':
      return new SeqConflict(message)
    case 'StorageRefused':
      return new StorageRefused(message)
    case 'TypeError':
      return new TypeError(message)
    default:
      return new Error(message)
  }
}
