import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SessionEvent } from '@vitrine/protocol'
import type { ForkPiece } from '../fork-store.ts'
import { SeqConflict, type Storage, StorageFailed } from '../storage.ts'
import { SHAPE, upcast } from '../upcast.ts'
import { type Chunk, chunksOf } from './chain.ts'
import { revive } from './failures.ts'
import type { Calls, Reply, Request } from './groups.ts'
import { searchesBy } from './searches.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './worker.ts'

/** Which folder holds the database, and how it is opened. */
export interface SqliteOptions {
  /** Holds the database, its lock and its backups; made when missing. */
  folder: string
  /** Opens a database that has lost commits, which is refused otherwise; every log then gets a new identity. */
  acceptLoss?: boolean
  /** The `buffer` of createCommitPause: a test can then stand between write and commit. */
  pauseCommits?: SharedArrayBuffer
}

/** The storage, with what diagnosis and tests look at. */
export interface SqliteStorage extends Storage {
  /** The first value that one PRAGMA returns, such as `synchronous`. */
  pragma(statement: string): Promise<unknown>
  /** Commits since opening: all appends of a group count as one. */
  commits(): Promise<number>
}

/**
 * One SQLite file and two workers: one writes, so that a sync of the disk never stops the event loop, one reads, so that
 * readers and writers do not wait for each other.
 */
export async function openSqlite({ folder, acceptLoss = false, pauseCommits }: SqliteOptions): Promise<SqliteStorage> {
  const options = { folder, acceptLoss, pauseCommits }
  const writer = await connect<'write'>({ ...options, role: 'write' })
  const reader = await connect<'read'>({ ...options, role: 'read' }).catch(async error => {
    await writer.close()
    throw error
  })
  const { call: write } = writer
  const { call: read } = reader
  return {
    instance: () => read('instance'),
    rotateSecret: () => write('rotateSecret'),
    createSession: async (session, events) => write('createSession', session, chunksFrom(session.sessionId, events)),
    session: sessionId => read('session', sessionId),
    sessions: query => read('sessions', query),
    unfinished: () => read('unfinished'),
    markRead: (sessionId, person, seq) => write('markRead', sessionId, person, seq),
    readSeqs: async (person, sessionIds) => new Map(await read('readSeqs', person, sessionIds)),
    tree: sessionId => read('tree', sessionId),
    hideSession: (sessionId, eraseAt) => write('hideSession', sessionId, eraseAt),
    hiddenSession: sessionId => read('hiddenSession', sessionId),
    restoreSession: sessionId => write('restoreSession', sessionId),
    due: now => write('due', now),
    eraseSession: sessionId => write('eraseSession', sessionId),
    bytesLeft: (owner, sessionId) => read('bytesLeft', owner, sessionId),
    scrub: () => write('scrub'),
    beginFork: (session, source, eraseAt) => write('beginFork', session, source, eraseAt),
    extendFork: async (sessionId, token, piece) => write('extendFork', sessionId, token, copied(sessionId, piece)),
    finishFork: async (session, token, piece) => write('finishFork', session, token, copied(session.sessionId, piece)),
    noteDamage: sessionId => write('noteDamage', sessionId),
    lease: (sessionId, holder) => write('lease', sessionId, holder),
    append: async ({ sessionId, epoch, events, row, ids, texts, usage }) =>
      write('append', {
        sessionId,
        epoch,
        chunks: chunksFrom(sessionId, events),
        ...(row && { row }),
        ...(ids && { ids }),
        ...(texts && { texts }),
        ...(usage && { usage }),
      }),
    events: async (sessionId, after, limit) =>
      (await read('events', sessionId, after, limit)).flatMap(({ shape, events }) => upcast(JSON.parse(events), shape)),
    check: (sessionId, characters) => read('check', sessionId, characters),
    accepted: (sessionId, kind, id) => read('accepted', sessionId, kind, id),
    saveCheckpoint: (sessionId, checkpoint) => write('saveCheckpoint', sessionId, checkpoint),
    checkpoint: sessionId => read('checkpoint', sessionId),
    messagePages: (sessionId, before, limit) => read('messagePages', sessionId, before, limit),
    answer: (owner, key) => read('answer', owner, key),
    keepAnswer: (owner, key, answer, sessionId) => write('keepAnswer', owner, key, answer, sessionId),
    addBlob: (sessionId, owner, blob) => write('addBlob', sessionId, owner, blob),
    blob: (sessionId, digest) => read('blob', sessionId, digest),
    soleBlobs: sessionId => read('soleBlobs', sessionId),
    addUpload: (owner, key, upload, limits) => write('addUpload', owner, key, upload, limits),
    waitingUploads: owner => read('waitingUploads', owner),
    claimUploads: (sessionId, owner, digests, now) => write('claimUploads', sessionId, owner, digests, now),
    dueUploads: now => write('dueUploads', now),
    isBlobNeeded: digest => read('isBlobNeeded', digest),
    removeDueUploads: digest => write('removeDueUploads', digest),
    folders: owner => read('folders', owner),
    saveFolder: (owner, folder) => write('saveFolder', owner, folder),
    removeFolder: (owner, folderId) => write('removeFolder', owner, folderId),
    settings: (owner, kind) => read('settings', owner, kind),
    setting: (owner, kind, id) => read('setting', owner, kind, id),
    saveSetting: (owner, setting, expected) => write('saveSetting', owner, setting, expected),
    removeSetting: (owner, kind, id) => write('removeSetting', owner, kind, id),
    usage: query => read('usage', query),
    ...searchesBy(read),
    unindexed: limit => read('unindexed', limit),
    indexTexts: (sessionId, seq, texts, last) => write('indexTexts', sessionId, seq, texts, last),
    pragma: statement => write('pragma', statement),
    commits: () => write('commits'),
    async close() {
      // The last connection to close empties the WAL, which only the writer can do.
      await reader.close().finally(writer.close)
    },
  }
}

const copied = (sessionId: string, { events, ...rest }: ForkPiece) => ({
  chunks: chunksFrom(sessionId, events),
  ...rest,
})

function chunksFrom(sessionId: string, events: readonly SessionEvent[]): Chunk[] {
  const first = events[0]?.seq ?? 1
  for (const [index, event] of events.entries()) {
    if (event.seq !== first + index) throw new SeqConflict(`Seq ${event.seq} does not follow ${first + index - 1}`)
    if (event.sessionId !== sessionId) throw new SeqConflict(`Event ${event.seq} is of session ${event.sessionId}`)
  }
  return chunksOf(
    first,
    events.map(event => JSON.stringify(event)),
    SHAPE,
  )
}

type AnyFunction = (...args: never[]) => unknown

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

async function connect<Role extends keyof Calls>(options: WorkerOptions & { role: Role }) {
  // The same file beside this one, from source or built.
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: options,
    name: `storage-${options.role}`,
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
      const reason = new StorageFailed('stopped', `The storage has stopped: ${(error as Error).message}`, {
        cause: error,
      })
      crash = reason
      end(reason)
      reject(reason)
    })
    worker.on('exit', () => end(new StorageFailed('stopped', 'The storage has stopped')))
  })

  /** What one turn of the event loop asks for goes in one message: crossing threads costs more than most requests. */
  let leaving: Request[] = []
  function send(request: Request): void {
    leaving.push(request)
    if (leaving.length === 1) setImmediate(flush)
  }
  function flush(): void {
    const requests = leaving
    leaving = []
    try {
      if (requests.length > 0) worker.postMessage(requests satisfies ToWorker)
    } catch {
      // One of them holds what cannot be sent: it fails, and no other.
      for (const request of requests) sendAlone(request)
    }
  }
  function sendAlone(request: Request): void {
    try {
      worker.postMessage([request] satisfies ToWorker)
    } catch (error) {
      waiting.get(request.id)?.reject(error as Error)
      waiting.delete(request.id)
    }
  }

  return {
    call<K extends keyof Calls[Role] & string>(
      name: K,
      ...args: Parameters<Extract<Calls[Role][K], AnyFunction>>
    ): Promise<ReturnType<Extract<Calls[Role][K], AnyFunction>>> {
      return new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        const request: Request = { id: ++lastId, call: name, args }
        send(request)
        waiting.set(request.id, { resolve: resolve as (value: unknown) => void, reject })
      })
    },
    close(): Promise<void> {
      if (!closing && !ended) {
        flush()
        worker.postMessage(null satisfies ToWorker)
      }
      ended ??= new StorageFailed('stopped', 'The storage is closed')
      closing ??= exited.then(() => {
        if (crash) throw crash
      })
      return closing
    },
  }
}
