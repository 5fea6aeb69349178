import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { schemaProblem, type ToolEffects } from '@vitrine/server'

/** A tool of a server as we offer it, under a name that models take. */
export interface McpTool {
  /** The name that the server gives it. */
  readonly name: string
  readonly toolId: string
  /** The name by which models call it. */
  readonly called: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** What it does by the words of its server, which count when the owner trusts the server. */
  readonly claims: ToolClaims
}

/** What a tool does. */
export interface ToolClaims {
  readonly effects: ToolEffects
  readonly repeatable: boolean
}

/** The tools of a list that can be used, and what is odd about the others, in words. */
export interface ReadTools {
  tools: McpTool[]
  problems: string[]
}

const MAX_NAME = 64
const MAX_TOOL_ID = 180
const MAX_TITLE = 200
const MAX_DESCRIPTION = 4_000
const MAX_SERVER_NAME = 500
/** How many tools are checked before others have their turn. */
const AT_ONCE = 50

/** Reads what a server calls its tools. It may have written anything. */
export async function readTools(
  listed: readonly unknown[],
  { sourceId, most }: { sourceId: string; most: number },
): Promise<ReadTools> {
  const tools: McpTool[] = []
  const names = new Set<string>()
  const taken = new Set<string>()
  const unusable: string[] = []
  const doubled: string[] = []
  for (const [at, given] of listed.slice(0, most).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise(resolve => setImmediate(resolve))
    const { name, title, description, inputSchema, outputSchema, annotations } = (
      isObject(given as Json) ? given : {}
    ) as JsonObject
    if (typeof name !== 'string' || name === '' || name.length > MAX_SERVER_NAME) {
      unusable.push(typeof name === 'string' ? `${name.slice(0, 40)}…` : 'one without a name')
      continue
    }
    if (names.has(name)) {
      doubled.push(name)
      continue
    }
    const schema = objectSchema(inputSchema)
    if (!schema || schemaProblem(schema) !== undefined) {
      unusable.push(name)
      continue
    }
    names.add(name)
    const called = freeName(name, taken)
    taken.add(called)
    const hints = isObject(annotations) ? annotations : {}
    const shown = [title, hints.title].find(one => typeof one === 'string' && one !== '') as string | undefined
    const output = objectSchema(outputSchema)
    tools.push({
      name,
      toolId: idOf(sourceId, name),
      called,
      ...(shown !== undefined && { title: shown.slice(0, MAX_TITLE).toWellFormed() }),
      description: typeof description === 'string' ? description.slice(0, MAX_DESCRIPTION).toWellFormed() : '',
      inputSchema: schema,
      ...(output && schemaProblem(output) === undefined && { outputSchema: output }),
      claims: claimsOf(hints),
    })
  }
  const problems: string[] = []
  if (unusable.length > 0) problems.push(`Left out, because the name or the schema cannot be used: ${few(unusable)}.`)
  if (doubled.length > 0) problems.push(`Left out, because another tool has the same name: ${few(doubled)}.`)
  if (listed.length > most) problems.push(`Only the first ${most} of its tools are offered.`)
  return { tools, problems }
}

/** What is taken for true of a tool. The word of a stranger does not count. */
export const effectsOf = ({ claims }: McpTool, trusted: boolean): ToolClaims =>
  trusted ? claims : { effects: 'outside', repeatable: false }

function claimsOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: JsonObject): ToolClaims {
  if (readOnlyHint === true) return { effects: 'reads', repeatable: true }
  const within = destructiveHint === false || openWorldHint === false
  return { effects: within ? 'writes' : 'outside', repeatable: idempotentHint === true }
}

/** The schema with an object at its root; nothing when it is none. */
function objectSchema(schema: Json | undefined): JsonObject | undefined {
  if (!isObject(schema)) return undefined
  if (schema.type === 'object') return schema
  return schema.type === undefined && isObject(schema.properties) ? { ...schema, type: 'object' } : undefined
}

/** A name that all models take. It depends on nothing but the names of the server, so that it stays the same. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^\w-]/g, '_')
  const fits = plain === name && name.length <= MAX_NAME
  const wanted = fits ? name : plain.length <= MAX_NAME ? plain : `${plain.slice(0, MAX_NAME - 9)}_${digest(name)}`
  return taken.has(wanted) ? `${plain.slice(0, MAX_NAME - 9)}_${digest(name)}` : wanted
}

const idOf = (sourceId: string, name: string): string => {
  const id = `${sourceId}:${name}`
  return id.length <= MAX_TOOL_ID ? id : `${id.slice(0, MAX_TOOL_ID - 9)}~${digest(name)}`
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

const few = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
