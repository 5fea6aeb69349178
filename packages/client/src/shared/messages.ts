import type { ListFrame } from '@vitrine/protocol'
import type { Cursor, Sink } from '../feed.ts'
import type { Connection } from '../types.ts'

/** The worker's name carries the base URL: tabs of one server share one worker. */
export const WORKER_NAME = 'vitrine:'

/** What a tab says to the worker. `sub` numbers its subscriptions, so that frames of one it has given up are told apart. */
export type FromTab =
  | { kind: 'alive'; lock: string }
  | { kind: 'follow'; sub: number; sessionId: string; after: Cursor }
  | { kind: 'unfollow'; sub: number }
  | { kind: 'wake' | 'reconnect' | 'leave' }

/** What the worker says to a tab. */
export type FromWorker =
  | { kind: 'connection'; value: Connection }
  | { kind: 'list'; value: ListFrame }
  | { [K in keyof Sink]: { kind: K; sub: number; value?: Parameters<Sink[K]>[0] } }[keyof Sink]

/** What is needed of a MessagePort. */
export interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  start(): void
  close(): void
}
