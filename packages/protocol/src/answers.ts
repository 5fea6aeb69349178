import type { z } from 'zod'
import type { answerSchemas, partSchemas, snapshot } from './answers.schema.ts'

type Schemas = typeof answerSchemas
/** The names of all bodies that the server answers with, as the OpenAPI document has them. */
export type AnswerName = keyof Schemas
/** What the server answers, by the name that it has in the OpenAPI document. */
export type Answer<N extends AnswerName> = z.infer<Schemas[N]>

/** A refusal as it stands on the wire (RFC 9457), with a stable code. */
export type Problem = Answer<'Problem'>
/** A row of the session list. */
export type SessionSummary = z.infer<typeof partSchemas.SessionSummary>
/** A folder of the session list. */
export type Folder = z.infer<typeof partSchemas.Folder>
/** A message in which the words of a search were found. */
export type FoundMessage = z.infer<typeof partSchemas.FoundMessage>
/** A session in which the words of a search were found. */
export type FoundSession = z.infer<typeof partSchemas.FoundSession>
/** The part of a message in which words were found, and where they stand in it. */
export type Snippet = z.infer<typeof partSchemas.Snippet>
/** An agent that a session can have. */
export type AgentInfo = z.infer<typeof partSchemas.AgentInfo>
/** What an agent with a model is made of. People change it in the browser. */
export type AgentConfig = z.infer<typeof partSchemas.AgentConfig>
/** A kind of provider that people can connect, such as OpenAI or any endpoint that speaks its format. */
export type ProviderKind = z.infer<typeof partSchemas.ProviderKind>
/** A provider of models that is connected. It never has the key. */
export type ProviderInfo = z.infer<typeof partSchemas.ProviderInfo>
/** What came of a test of a provider, in words that say what is wrong and what to do. */
export type ProviderTest = z.infer<typeof partSchemas.ProviderTest>
/** What is known of a model. What is not known is absent, and never zero (L8). */
export type ModelInfo = z.infer<typeof partSchemas.ModelInfo>
/** A model of a provider that is connected. */
export type ListedModel = z.infer<typeof partSchemas.ListedModel>

/** A catalog of A2UI as a page learns of it: data alone, without code. */
export type CatalogInfo = z.infer<typeof partSchemas.CatalogInfo>
/** The session at `seq` as a window of recent messages with everything they need, and summaries of the rest (L11). */
export type Snapshot = z.infer<typeof snapshot>
/** The snapshot as the API gives it, with the log that its `seq` is a place in. */
export type SessionSnapshot = Answer<'SessionSnapshot'>
/** One page of older history: the messages from `from` up to before the window, with what they need. */
export type MessagesPage = Answer<'MessagesPage'>
