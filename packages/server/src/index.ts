export type {
  ActionAnswer,
  Agent,
  AgentContext,
  AgentOutput,
  AgentTool,
  HistoryMessage,
  LargeText,
  SteerInbox,
  Steering,
} from './agents/agent.ts'
export { AgentError } from './agents/agent-error.ts'
export { createGuide } from './agents/guide/guide.ts'
export { createScout } from './agents/guide/scout.ts'
export { type AgentFile, type AgentFileOptions, AgentRefused, openAgentFile } from './agents/worker/agent-file.ts'
export type { Blobs } from './blobs/blobs.ts'
export { openFileBlobs } from './blobs/file-blobs.ts'
export { type AppOptions, createApp } from './http/app.ts'
export { type Auth, localOwner } from './http/auth.ts'
export { createRuntime, type RuntimeOptions } from './runtime/create-runtime.ts'
export { Refusal, type Runtime } from './runtime/runtime.ts'
export { type RunningServer, type ServerOptions, StartRefused, startServer } from './server.ts'
export { openSqlite } from './storage/sqlite/sqlite.ts'
export {
  LogDamaged,
  SeqConflict,
  SessionExists,
  StaleLease,
  type Storage,
  StorageFailed,
  StorageRefused,
} from './storage/storage.ts'
export { createHub, type Hub } from './stream/hub.ts'
export { createStreams, type StreamLimits, type Streams } from './stream/streams.ts'
