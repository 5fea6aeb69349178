import type { Answer, Command } from '@vitrine/protocol'
import type { Principal } from '../auth/principal.ts'
import type { AgentSettings } from '../settings/agents.ts'
import type { Providers } from '../settings/providers.ts'

/** What a session refers to, and a way to read it from one byte up to and without another. */
export interface BlobToRead {
  size: number
  mediaType: string
  read(start: number, end: number): Promise<AsyncIterable<Uint8Array>>
}

/** What a person looks for, where, and which page of it. */
export interface SearchQuery {
  text: string
  limit: number
  cursor?: string
  agentId?: string
  /** Only what was said at this time or later. */
  since?: number
}

/** Whose runs are counted, and where a day begins. */
export interface UsageWish {
  from: number
  to: number
  /** Minutes that the local time is ahead of UTC. */
  offset: number
  sessionId?: string
}

/**
 * The owner of sessions, runs, queues and actions. Every command is accepted once, by the id or key that it carries. A
 * method has the id of the operation that calls it.
 */
export interface Runtime extends AgentSettings, Omit<Providers, 'access' | 'known'> {
  createSession(who: Principal, command: Command<'createSession'>): Promise<Answer<'SessionCreated'>>
  updateSession(who: Principal, sessionId: string, command: Command<'updateSession'>): Promise<Answer<'Session'>>
  /** Stops what works in the session and its tasks, and hides them all. They can be brought back until they are erased. */
  deleteSession(who: Principal, sessionId: string): Promise<void>
  /** Brings a deleted session back, with the tasks that were deleted with it. */
  restoreSession(who: Principal, sessionId: string): Promise<Answer<'Session'>>
  /** Resolves when no file has a byte of the session, deleted before or not, or of the tasks that go with it. */
  eraseSession(who: Principal, sessionId: string): Promise<void>
  markSessionRead(who: Principal, sessionId: string, command: Command<'markSessionRead'>): Promise<void>
  listSessions(
    who: Principal,
    query: { limit: number; cursor?: string; search?: string; only?: 'attention' | 'archived' | 'deleted' },
  ): Promise<Answer<'SessionList'>>
  listFolders(who: Principal): Promise<Answer<'FolderList'>>
  saveFolder(who: Principal, folderId: string, command: Command<'saveFolder'>): Promise<Answer<'FolderSaved'>>
  /** The sessions in it stay. */
  deleteFolder(who: Principal, folderId: string): Promise<void>
  /** The newest messages of the person's own sessions that have all words of the text. */
  searchMessages(who: Principal, query: SearchQuery): Promise<Answer<'SearchResults'>>
  /** The person's own sessions that have all words of the text in their title or in a message, and how many there are. */
  findSessions(who: Principal, query: SearchQuery): Promise<Answer<'FoundSessions'>>
  /** What the runs of the person's own sessions have used, by day, agent and model. */
  getUsage(who: Principal, wish: UsageWish): Promise<Answer<'Usage'>>
  /** Which log the session has, and how far it goes. Refuses a session that this principal may not see. */
  position(who: Principal, sessionId: string): Promise<{ log: string; seq: number }>

  getSession(who: Principal, sessionId: string, messages: number): Promise<Answer<'SessionSnapshot'>>
  listMessages(who: Principal, sessionId: string, before: number, limit: number): Promise<Answer<'MessagesPage'>>
  /** Older parts of the message at this ordinal, before a place among its parts. */
  listMessageParts(who: Principal, sessionId: string, ordinal: number, before: number): Promise<Answer<'MessagesPage'>>

  /** The messages of an earlier version after an ordinal, from its first one on. */
  listVersionMessages(
    who: Principal,
    sessionId: string,
    rewindId: string,
    after: number,
    limit: number,
  ): Promise<Answer<'MessagesPage'>>
  /** Copies the session, up to a message or an event, into a new one. Either the whole copy is there or nothing of it. */
  forkSession(who: Principal, sessionId: string, command: Command<'forkSession'>): Promise<Answer<'Session'>>

  editMessage(
    who: Principal,
    sessionId: string,
    ordinal: number,
    command: Command<'editMessage'>,
  ): Promise<Answer<'TurnStarted'>>
  regenerateMessage(
    who: Principal,
    sessionId: string,
    ordinal: number,
    command: Command<'regenerateMessage'>,
  ): Promise<Answer<'RunRetried'>>
  giveFeedback(who: Principal, sessionId: string, ordinal: number, command: Command<'giveFeedback'>): Promise<void>

  /** The tools that the session has now, and what they may do. */
  listTools(who: Principal, sessionId: string): Promise<Answer<'SessionTools'>>
  updateTools(who: Principal, sessionId: string, command: Command<'updateTools'>): Promise<Answer<'SessionTools'>>

  /** What sources have ready for people. Nothing of it is a fact until somebody sends it. */
  listPrompts(who: Principal, sessionId: string): Promise<Answer<'SessionPrompts'>>
  fillPrompt(who: Principal, sessionId: string, command: Command<'fillPrompt'>): Promise<Answer<'FilledPrompt'>>
  listResources(who: Principal, sessionId: string): Promise<Answer<'SessionResources'>>
  readResource(who: Principal, sessionId: string, command: Command<'readResource'>): Promise<Answer<'ResourceContents'>>

  submitTurn(who: Principal, sessionId: string, command: Command<'submitTurn'>): Promise<Answer<'TurnStarted'>>
  getQueue(who: Principal, sessionId: string): Promise<Answer<'Queue'>>
  queueTurn(who: Principal, sessionId: string, command: Command<'queueTurn'>): Promise<Answer<'TurnQueued'>>
  updateQueue(who: Principal, sessionId: string, command: Command<'updateQueue'>): Promise<Answer<'QueueHeld'>>
  editQueuedTurn(
    who: Principal,
    sessionId: string,
    turnId: string,
    command: Command<'editQueuedTurn'>,
  ): Promise<Answer<'QueuedTurnPlace'>>
  removeQueuedTurn(who: Principal, sessionId: string, turnId: string): Promise<void>
  steerRun(
    who: Principal,
    sessionId: string,
    runId: string,
    command: Command<'steerRun'>,
  ): Promise<Answer<'SteerAccepted'>>
  interruptRun(who: Principal, sessionId: string, runId: string): Promise<Answer<'RunsInterrupted'>>
  interruptSession(
    who: Principal,
    sessionId: string,
    command: Command<'interruptSession'>,
  ): Promise<Answer<'RunsInterrupted'>>
  retryRun(
    who: Principal,
    sessionId: string,
    runId: string,
    command: Command<'retryRun'>,
  ): Promise<Answer<'RunRetried'>>
  respondToAction(
    who: Principal,
    sessionId: string,
    actionId: string,
    command: Command<'respondToAction'>,
  ): Promise<Answer<'ActionResolved'>>
  revokePermission(who: Principal, sessionId: string, permissionId: string): Promise<void>
  sendSurfaceInteraction(
    who: Principal,
    sessionId: string,
    surfaceId: string,
    command: Command<'sendSurfaceInteraction'>,
  ): Promise<Answer<'InteractionAccepted'>>
  /** Takes only what the document of the call offers, with values that its form takes. */
  sendUiAction(
    who: Principal,
    sessionId: string,
    command: Command<'sendUiAction'>,
  ): Promise<Answer<'InteractionAccepted'>>
  /** Takes a file before a turn refers to it. Sent again under its key it is the same file. */
  uploadFile(
    who: Principal,
    upload: {
      bytes: AsyncIterable<Uint8Array>
      mediaType: string
      /** How many bytes there will be, when that is known before they come. */
      size?: number | undefined
      key?: string | undefined
    },
  ): Promise<Answer<'FileUploaded'>>
  getBlob(who: Principal, sessionId: string, digest: string): Promise<BlobToRead>

  /** Ends runs that a crash cut off, goes on with queues (L12) and with erasing. Call once, before serving. */
  recover(): Promise<void>
  /** Stops accepting, interrupts what runs, and resolves when everything is durable. */
  close(): Promise<void>
}
