// To read this package, follow an event on its way in:
// 1. feed.ts says what a source of events is.
// 2. stream.ts is the one that talks to the server. connection.ts decides what a signal leads to, attempt.ts is one
//    request, sse.ts reads its bytes. Under shared/ is the other source: the stream of a worker that all tabs share.
// 3. store.ts folds the events of one session and tells who subscribed to the entities that changed.
// 4. client.ts puts them together. On the way out, commands.ts names the writes and http.ts sends them.

export { type ClientOptions, createClient } from './client.ts'
export { newId } from './commands.ts'
export { onceAFrame } from './frame.ts'
export type { Timing } from './timing.ts'
export type {
  Connection,
  ConnectionState,
  Outcome,
  Readable,
  SessionHandle,
  SessionListState,
  SessionPhase,
  VitrineClient,
} from './types.ts'
