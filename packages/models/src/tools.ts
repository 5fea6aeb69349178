import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { AgentError, type AgentTool } from '@vitrine/server'
import { asSchema, type FlexibleSchema, jsonSchema, type Schema, type ToolSet } from 'ai'
import { z } from 'zod'

/** What a tool does to the world. What it does not say counts as `outside`. */
export type Effects = 'none' | 'reads' | 'writes' | 'outside'

/** What a tool is given beside its arguments. */
export interface ToolRun {
  /** Fires when the run is stopped or the tool takes too long. */
  signal: AbortSignal
  /** The id of the call, unique in its run. */
  toolCallId: string
  /** The same for every attempt at this call, and for no other call. */
  idempotencyKey: string
}

/** A tool of a model agent. */
export interface ModelTool {
  name: string
  description: string
  /** A JSON Schema of the arguments, a zod schema, or any schema that the AI SDK takes. */
  inputSchema: JsonObject | FlexibleSchema<unknown>
  /** `none` and `reads` run at once; `writes` and `outside` ask a person first. */
  effects?: Effects
  /** The same call may run twice without doing something twice: it is repeated when the server stopped in the middle of it. */
  repeatable?: boolean
  /** What people call the tool. */
  title?: string
  /** Any result is fine: data, a text of any size, nothing. What it throws is told to the model. */
  execute(args: never, run: ToolRun): unknown
}

/** A tool with a schema that checks what the model wrote. */
export interface CheckedTool extends Omit<ModelTool, 'execute' | 'inputSchema'> {
  schema: Schema<unknown>
  execute(args: unknown, run: ToolRun): unknown
}

/** Reads the tools of an agent once. It throws when a schema cannot be used or two tools have one name. */
export function checkedTools(tools: readonly ModelTool[]): Map<string, CheckedTool> {
  const checked = new Map<string, CheckedTool>()
  for (const { inputSchema, execute, ...tool } of tools) {
    if (checked.has(tool.name)) throw nameTaken(tool.name)
    const schema = isJsonSchema(inputSchema) ? checking(inputSchema, tool.name) : asSchema(inputSchema)
    checked.set(tool.name, { ...tool, schema, execute: (args, run) => execute(args as never, run) })
  }
  return checked
}

const nameTaken = (name: string): AgentError =>
  new AgentError(`Two tools of this agent are called ${name}.`, {
    code: 'tool_name_taken',
    next: 'Give one of them another name.',
    retryable: false,
  })

const isJsonSchema = (schema: ModelTool['inputSchema']): schema is JsonObject =>
  isObject(schema) &&
  Object.getPrototypeOf(schema) === Object.prototype &&
  Object.getOwnPropertySymbols(schema).length === 0

function checking(schema: JsonObject, name: string): Schema<unknown> {
  let compiled: z.ZodType
  try {
    compiled = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch (error) {
    const message = `The schema of the tool ${name} cannot be used: ${error instanceof Error ? error.message : error}`
    throw new AgentError(message, { code: 'tool_schema_invalid', retryable: false })
  }
  return jsonSchema(schema as never, {
    validate: value => {
      const { success, data, error } = compiled.safeParse(value)
      return success ? { success, value: data } : { success, error }
    },
  })
}

/** The arguments when they fit the schema, or what is wrong with them in words for a model. */
export async function readArguments(
  tool: CheckedTool,
  args: unknown,
): Promise<{ value: unknown } | { problem: string }> {
  const result = await tool.schema.validate?.(args)
  if (!result || result.success) return { value: result ? result.value : args }
  const issues = (result.error as { issues?: { path: PropertyKey[]; message: string }[] }).issues
  const lines = issues?.slice(0, 10).map(({ path, message }) => `- ${path.join('.') || 'the arguments'}: ${message}`)
  return { problem: lines?.join('\n') ?? result.error.message }
}

/** What the runtime offers, under names that no tool of the agent has: one of a source is then called after its source. */
export function besideOwn(offered: readonly AgentTool[], own: ReadonlyMap<string, CheckedTool>): AgentTool[] {
  const taken = new Set([...own.keys(), ...offered.map(({ name }) => name)])
  return offered.map(tool => {
    if (!own.has(tool.name) || tool.sourceId === undefined) return tool
    const base = `${tool.sourceId}_${tool.name}`.replace(/[^\w-]/g, '_').slice(0, 60)
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    return { ...tool, name }
  })
}

/** The tools as a model is told of them. None has an `execute`: the agent runs them itself. */
export function toolSet(own: Iterable<CheckedTool>, offered: readonly AgentTool[]): ToolSet {
  const set: ToolSet = {}
  for (const { name, description, title, schema } of own) {
    // The schema without its check: what does not fit is told to the model by the agent.
    set[name] = { description, ...(title !== undefined && { title }), inputSchema: jsonSchema<Json>(schema.jsonSchema) }
  }
  for (const { name, description, inputSchema } of offered) {
    if (set[name]) throw nameTaken(name)
    set[name] = { description, inputSchema: jsonSchema<Json>(inputSchema as never) }
  }
  return set
}
