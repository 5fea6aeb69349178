import type { Folder, ListFrame, SessionSummary } from '@vitrine/protocol'
import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type Piece, pieceOf } from './batch.ts'
import type { Connection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Hub } from './hub.ts'
import type { Followed } from './rounds.ts'

/** How many sessions a pass over the list has: the newest ones, then those beyond that need attention. */
const SIZES = { newest: 50, attention: 200 }
/** Rows of one frame: with titles of a usual length it is about as large as one of events. */
const ROWS = 10

type Part = keyof typeof SIZES

/** A pass over the list, and where it stands. */
interface Pass {
  part: Part
  /** How many rows of this part may still come. */
  left: number
  cursor: string | undefined
  begun: boolean
  /** It goes on with one that another connection began: what changed between the two may be missing. */
  continued: boolean
}

export interface ListOptions {
  who: Principal
  /** 1, or where the reader's pass was cut off. */
  from: string
  runtime: Pick<Runtime, 'listSessions' | 'listFolders'>
  hub: Pick<Hub, 'onSummary' | 'onFolders'>
  dialect: Dialect
  connection: Pick<Connection, 'sendQueue' | 'say'>
  /** It is behind again and wants `step`. */
  wantsRound(): void
}

const newPass = (): Pass => ({ part: 'newest', left: SIZES.newest, cursor: undefined, begun: false, continued: false })

/** A change is encoded once for all who see the list in the same dialect. */
const changes = new WeakMap<Dialect, WeakMap<SessionSummary, Piece>>()

function changeIn(dialect: Dialect, summary: SessionSummary): Piece {
  const made = changes.get(dialect) ?? new WeakMap<SessionSummary, Piece>()
  changes.set(dialect, made)
  const piece = made.get(summary) ?? pieceOf(dialect.say({ event: 'list', data: { sessions: [summary] } }) ?? '')
  made.set(summary, piece)
  return piece
}

/** The session list as one reader follows it: a whole pass in small frames, then each change. */
export function followList({ who, from, runtime, hub, dialect, connection, wantsRound }: ListOptions): Followed {
  const { sendQueue } = connection
  let pass: Pass | null = passAt(from)
  let reading = false
  /** Changes that come while rows are being read are newer than these: they are sent after them. */
  const newer: SessionSummary[] = []
  let newerFolders: readonly Folder[] | null = null

  const unsubscribe = hub.onSummary(who.id, summary => {
    if (reading) newer.push(summary)
    else change(summary)
  })

  const unsubscribeFolders = hub.onFolders(who.id, folders => {
    if (reading) newerFolders = folders
    else push(pieceOf(dialect.say({ event: 'list', data: { sessions: [], folders } }) ?? ''))
  })

  const change = (summary: SessionSummary) => push(changeIn(dialect, summary))

  function push(made: Piece) {
    if (sendQueue.fits(made.bytes.byteLength)) return sendQueue.push(made)
    // What does not fit is not kept: another pass brings it when there is room again.
    pass = newPass()
    wantsRound()
  }

  async function read({ part, left, cursor, begun }: Pass) {
    reading = true
    try {
      const only = part === 'attention' ? { only: part } : {}
      const query = { limit: Math.min(left, ROWS), ...only, ...(cursor && { cursor }) }
      const folders = begun ? undefined : (await runtime.listFolders(who)).folders
      return { folders, ...(await runtime.listSessions(who, query)) }
    } catch (error) {
      // The point to go on from is not one of ours, or not of this version: begin again.
      if (error instanceof Refusal && cursor) return null
      throw error
    } finally {
      reading = false
    }
  }

  return {
    get behind() {
      return pass !== null
    },
    async step() {
      if (!pass) return
      const rows = await read(pass)
      if (rows) send(pass, rows)
      else pass = newPass()
      for (const summary of newer.splice(0)) change(summary)
      if (newerFolders)
        push(pieceOf(dialect.say({ event: 'list', data: { sessions: [], folders: newerFolders } }) ?? ''))
      newerFolders = null
    },
    stop() {
      unsubscribe()
      unsubscribeFolders()
    },
  }

  function send(at: Pass, { sessions, cursor, folders }: NonNullable<Awaited<ReturnType<typeof read>>>) {
    const left = at.left - sessions.length
    const partEnds = cursor === null || left <= 0
    const ends = partEnds && (at.part === 'attention' || cursor === null)
    const next: Pass = { ...at, begun: true, left, cursor: cursor ?? undefined }
    // What needs attention goes on from the same place: the newer ones have been sent.
    if (partEnds) Object.assign(next, { part: 'attention', left: SIZES.attention })
    const data: ListFrame = { sessions }
    if (!at.begun) data.begins = true
    if (folders) data.folders = folders
    // From here the newest ones go on with GET /sessions.
    if (partEnds && at.part === 'newest') data.cursor = cursor
    if (ends) data.ends = true
    else data.at = textOf(next)
    connection.say({ event: 'list', data })
    if (!ends) pass = next
    else pass = at.continued ? newPass() : null
  }
}

/** What a reader may ask for: the list from its beginning, or the `at` of a frame. */
export const LIST_FROM = /^(1|(newest|attention)\.\d{1,3}\..{0,480})$/

const textOf = ({ part, left, cursor = '' }: Pass): string => `${part}.${left}.${cursor}`

function passAt(text: string): Pass {
  const [, part, left, cursor] = /^(newest|attention)\.(\d+)\.(.*)$/.exec(text) ?? []
  if (part === undefined) return newPass()
  return { part: part as Part, left: Number(left), cursor: cursor || undefined, begun: true, continued: true }
}
