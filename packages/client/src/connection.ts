import type { ConnectionState } from './types.ts'

/**
 * What can happen to the connection. There is a current attempt, which the followers get their events from, and at
 * times a successor: an attempt that is opened beside it, because the set of followed sessions has changed.
 */
export type Signal =
  /** The server has answered the current attempt. */
  | 'hello'
  /** The current attempt brings all that is followed, and all of it has arrived. */
  | 'caught-up'
  /** Something that the current attempt brings has not arrived yet. */
  | 'behind'
  /** The current attempt ended or failed. */
  | 'lost'
  /** The server ended the current attempt and expects us back at once. */
  | 'cut'
  /** Nothing was heard on the current attempt for too long. */
  | 'silent'
  /** The server refused either attempt. */
  | 'refused'
  /** All that the successor brings has arrived. */
  | 'successor-caught-up'
  /** The successor ended or failed. */
  | 'successor-lost'
  /** Somebody follows what neither attempt brings, or the newest attempt brings what nobody follows. */
  | 'changed'
  /** It is time to try again: the wait is over, or something suggests that the network is back. */
  | 'wake'
  /** A person asks for a new attempt now. */
  | 'reconnect'
  | 'close'

/** What the stream has to do. */
export type Effect =
  /** Drops both attempts and starts a new one. */
  | 'open'
  /** Starts a successor, instead of the one that is under way. */
  | 'replace'
  /** Makes the successor the current attempt and drops the one before. */
  | 'promote'
  /** Drops both attempts and does not wait for the next try any more. */
  | 'drop'
  /** Waits, then signals `wake`. */
  | 'retry'

/** All that decides what a signal means. */
export interface Machine {
  /**
   * What people see. It also says how far the current attempt is: it has been asked for in `connecting` and `stale`, and
   * answered in `catching-up` and `live`. In the other states there is none.
   */
  readonly state: ConnectionState
  /** Failures in a row, for the back-off. */
  readonly tries: number
}

export const START: Machine = { state: 'offline', tries: 0 }

type Cell = readonly [next: ConnectionState, ...Effect[]]
type Row = Partial<Record<Signal, Cell>>

const OFFLINE: Cell = ['offline', 'drop', 'retry']
const OPEN: Cell = ['connecting', 'open']
const CLOSE: Row = { close: ['closed', 'drop'] }

/** The row of a state that has an attempt: what all of them have in common, and what differs. */
const attempted = (state: ConnectionState, different: Row): Row => ({
  lost: OFFLINE,
  refused: ['refused', 'drop'],
  'successor-caught-up': ['catching-up', 'promote'],
  'successor-lost': [state, 'retry'],
  changed: [state, 'replace'],
  reconnect: OPEN,
  ...CLOSE,
  ...different,
})

/** Before the server has answered, silence is a failure, and so is a cut: coming back at once would not help. */
const ASKED: Row = { hello: ['catching-up'], cut: OFFLINE, silent: OFFLINE }
const ANSWERED: Row = { cut: OPEN, silent: ['stale', 'open'] }

/** Where each signal leads, and what is to be done. A state ignores the signals that its row does not have. */
export const TABLE: Record<ConnectionState, Row> = {
  connecting: attempted('connecting', ASKED),
  'catching-up': attempted('catching-up', { ...ANSWERED, 'caught-up': ['live'] }),
  live: attempted('live', {
    ...ANSWERED,
    behind: ['catching-up'],
    // A session that was just added and is on its way is no reason to call the others late, until that has failed.
    'successor-caught-up': ['live', 'promote'],
    'successor-lost': ['catching-up', 'retry'],
  }),
  // What is shown stays marked as stale until another attempt has been answered.
  stale: attempted('stale', { ...ASKED, reconnect: ['stale', 'open'] }),
  // The next attempt takes everybody along, so that nothing has to be replaced here.
  offline: { wake: OPEN, reconnect: OPEN, ...CLOSE },
  // Only a person's doing (signing in, coming back to the tab, asking for it) starts another attempt.
  refused: { wake: OPEN, reconnect: OPEN, ...CLOSE },
  closed: {},
}

/**
 * What a signal leads to; undefined when it is ignored. Of an attempt that ended, `moved` says whether it had brought
 * something new.
 */
export function transition(
  { state: from, tries }: Machine,
  signal: Signal,
  moved = false,
): (Machine & { effects: readonly Effect[] }) | undefined {
  // A cut is an invitation to come back, but not from a server that cuts before it has sent anything.
  const cell = TABLE[from][signal === 'cut' && !moved ? 'lost' : signal]
  if (!cell) return undefined
  const [state, ...effects] = cell
  if (moved || signal === 'reconnect' || state === 'live') tries = 0
  if (effects.includes('retry')) tries++
  return { state, tries, effects }
}
