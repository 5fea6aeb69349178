export { type ClientOptions, createClient } from './client.ts'
export type { Timing } from './connection.ts'
export type {
  AgentInfo,
  Connection,
  ConnectionState,
  Outcome,
  Readable,
  SessionHandle,
  SessionPhase,
  VitrineClient,
} from './types.ts'
