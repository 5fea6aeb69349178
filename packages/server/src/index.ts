// The server, mounted in a program of your own or started on a socket.

// Agents: what you connect, and two that come with it.
export type {
  ActionResponse,
  Agent,
  AgentContext,
  AgentMemory,
  AgentOutput,
  AgentTool,
  FileRange,
  FileToStore,
  HistoryCall,
  HistoryCompaction,
  HistoryMessage,
  HistoryPart,
  LargeText,
  ResumedRun,
  SteerInbox,
  Steering,
} from './agents/agent.ts'
export { AgentRefused } from './agents/agent-card.ts'
export { AgentError } from './agents/agent-error.ts'
export { createGuide } from './agents/guide/guide.ts'
export { createScout } from './agents/guide/scout.ts'
// Models: who offers them, and what an agent with a model is made of.
export type {
  GivenProvider,
  ModelAgentConfig,
  ModelSource,
  ProviderAccess,
  ProviderVerdict,
} from './agents/model-source.ts'
export { type AgentFile, type AgentFileOptions, openAgentFile } from './agents/worker/agent-file.ts'
// Who asks.
export type { Principal } from './auth/principal.ts'
// Where facts and bytes are kept: the ports, and what ships for them.
export { BlobDamaged, type Blobs, BlobTooLarge } from './blobs/blobs.ts'
export { type FileBlobsOptions, openFileBlobs } from './blobs/file-blobs.ts'
export type { CatalogOptions } from './catalogs/catalogs.ts'
export { type Auth, type LocalOwner, type LocalOwnerOptions, localOwner, type SignInLink } from './http/auth.ts'
export type { BodyLimits } from './http/body.ts'
export { logTo } from './log-to.ts'
export type { MediaOptions } from './media/media.ts'
export { Refusal, type RefusalDetails } from './refusal.ts'
export { schemaProblem, valueProblem } from './runtime/commands/response-schema.ts'
// Sessions and runs without HTTP.
export { createRuntime, type RuntimeOptions } from './runtime/create-runtime.ts'
export type { Limits } from './runtime/limits.ts'
export type { BlobToRead, Runtime } from './runtime/runtime.ts'
// Addresses that agents and content name: hosts of the internet alone.
export {
  type FetchRefusal,
  FetchRefused,
  type HostAddress,
  type Lookup,
  type SafeAnswer,
  type SafeFetchOptions,
  safeFetch,
} from './safe-fetch/safe-fetch.ts'
export {
  type CreateServerOptions,
  createServer,
  type ServerLimits,
  type ServerLog,
  toNodeListener,
  type VitrineServer,
} from './server.ts'
// What people set, and how their keys are kept.
export { fileSeals, type Seals, SealsBroken } from './settings/seals.ts'
export { withoutSecret } from './settings/without-secret.ts'
export { type RunningServer, StartRefused, type StartServerOptions, startServer } from './start-server.ts'
export type { AnswerStore, KeptAnswer } from './storage/answer-store.ts'
export type { BlobIndex, StoredBlob } from './storage/blob-index.ts'
export type { Checkpoint, CheckpointStore } from './storage/checkpoint-store.ts'
export type { FolderStore } from './storage/folder-store.ts'
export type { ForkPiece, ForkStore } from './storage/fork-store.ts'
export type { InstanceStore } from './storage/instance-store.ts'
export type { AcceptedId, Append, EventReader, Lease, LogStore } from './storage/log-store.ts'
export type {
  FoundText,
  SearchableText,
  SearchStore,
  SessionFound,
  SessionsFound,
  TextChange,
  TextQuery,
  TextSearch,
} from './storage/search-store.ts'
export type {
  HiddenSession,
  RowChange,
  SessionQuery,
  SessionRow,
  SessionStore,
  SessionToStore,
} from './storage/session-store.ts'
export type { Setting, SettingsStore, StoredSetting } from './storage/settings-store.ts'
export { openSqlite, type SqliteOptions, type SqliteStorage } from './storage/sqlite/sqlite.ts'
export {
  ErasureIncomplete,
  ForkLost,
  LogDamaged,
  SeqConflict,
  SessionExists,
  StaleLease,
  type Storage,
  StorageFailed,
  type StorageFailure,
  StorageRefused,
  UploadKeyTaken,
  UploadsFull,
} from './storage/storage.ts'
export { SHAPE, type StoredEvent, upcast } from './storage/upcast.ts'
export type { Upload, UploadLimits, UploadStore } from './storage/upload-store.ts'
export type { RunUsage, UsageQuery, UsageStore, UsageSum } from './storage/usage-store.ts'
export type { Batch } from './stream/batch.ts'
export { createHub, type Hub } from './stream/hub.ts'
export type { StreamLimits } from './stream/streams.ts'
// Tools: who offers them, and what one is.
export type {
  Admission,
  CallToAdmit,
  FilledPrompt,
  SourcePrompt,
  SourceResource,
  SourceResources,
  SourceResourceTemplate,
  SourceTool,
  ToolAudience,
  ToolCall,
  ToolCallPreview,
  ToolEffects,
  ToolOutput,
  ToolOutputPart,
  ToolPolicy,
  ToolSource,
  ToolSourceHealth,
  ToolSources,
} from './tools/tool.ts'
