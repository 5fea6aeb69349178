import { extname } from 'node:path'
import { judgePattern, limitedThread } from '@vitrine/genui'
import { nodeThread } from '@vitrine/genui/node'
import { type Json, type JsonObject, readPath, referencePath } from '@vitrine/protocol'
import { z } from 'zod'

/** What a form of a person can need. A schema is written once and compiled for every response. */
const MAX_CHARS = 32 * 1024
const MAX_DEPTH = 32
/** Counted with every reference written out: references to references double with each level. */
const MAX_NODES = 2_000
/** How long a response may take to check when its patterns are not linear. */
const CHECK_MS = 250
/** Steps that are too few to be noticed by anybody else. */
const QUICK_STEPS = 20_000

/** Why a JSON Schema cannot be used, in words for whoever gave it; nothing when it can. */
export function schemaProblem(schema: JsonObject): string | undefined {
  const problem = judge(schema).problem
  if (problem) return problem
  try {
    compile(schema)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be compiled'
  }
}

/** What is wrong with the response; nothing when it fits its schema. */
export const responseProblem = (schema: JsonObject, value: Json): Promise<string | undefined> =>
  problemOf({ schema, value, what: 'The response', most: 1 })

/** What is wrong with the arguments of a call, in words for a model; nothing when they fit the schema of the tool. */
export const argumentsProblem = (schema: JsonObject, value: Json): Promise<string | undefined> =>
  problemOf({ schema, value, what: 'The arguments', most: 10 })

/** What is wrong with data of somebody else, such as the result of a tool; nothing when they fit their JSON Schema. */
export const valueProblem = (schema: JsonObject, value: Json): Promise<string | undefined> =>
  problemOf({ schema, value, what: 'The data', most: 3 })

/** A hostile pattern costs a thread, not the server. */
async function problemOf(check: SchemaCheck): Promise<string | undefined> {
  const { schema, value, what } = check
  const { problem, linear, nodes } = judge(schema)
  if (problem) return `${what} cannot be checked: ${problem}.`
  // Each value may be tried against every part of the schema.
  const quick = linear && nodes * nodesOf(value) <= QUICK_STEPS
  return quick ? issueOf(check) : checkedApart(check)
}

function nodesOf(value: Json): number {
  let nodes = 0
  const open: Json[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes++
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item)
  }
  return nodes
}

/** Runs in the thread as well. */
export function issueOf({ schema, value, what, most }: SchemaCheck): string | undefined {
  const issues = compile(schema).safeParse(value).error?.issues.slice(0, most)
  return issues?.map(({ path, message }) => `${path.join('.') || what}: ${message}`).join('\n')
}

const compile = (schema: JsonObject): z.ZodType => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])

/** Looks at the schema as it would be with all references written out, and stops at the first limit. */
function judge(schema: JsonObject): { problem?: string; linear: boolean; nodes: number } {
  if (tooLong(schema)) return { problem: `it is longer than ${MAX_CHARS} characters`, linear: false, nodes: 0 }
  let nodes = 0
  let linear = true
  const inside = new Set<Json>()
  const look = (value: Json | undefined, depth: number, name?: string): string | undefined => {
    if (++nodes > MAX_NODES) return `it has more than ${MAX_NODES} parts when its references are written out`
    if (name === 'pattern' && typeof value === 'string') linear &&= judgePattern(value).kind === 'linear'
    if (typeof value !== 'object' || value === null) return undefined
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH}`
    if (inside.has(value)) return 'it refers to itself'
    inside.add(value)
    for (const [key, child] of Object.entries(value)) {
      if (name === 'patternProperties') linear &&= judgePattern(key).kind === 'linear'
      const problem =
        look(child, depth + 1, key) ??
        (key === '$ref' && typeof child === 'string' ? look(target(schema, child), depth + 1) : undefined)
      if (problem) return problem
    }
    inside.delete(value)
    return undefined
  }
  const problem = look(schema, 0)
  return { linear, nodes, ...(problem && { problem }) }
}

function tooLong(schema: JsonObject): boolean {
  try {
    return JSON.stringify(schema).length > MAX_CHARS
  } catch {
    // Nested so deep, or in a circle, that it cannot even be written down.
    return true
  }
}

/** What a local reference points to; others are refused by the compiler. */
function target(schema: JsonObject, ref: string): Json | undefined {
  const path = referencePath(ref)
  return path && readPath(schema, path)
}

const threadFile = new URL(`./response-thread${extname(import.meta.url)}`, import.meta.url)

/** A value that is checked: what it is called, and how many of its mistakes are told at most. */
export type SchemaCheck = { schema: JsonObject; value: Json; what: string; most: number }
export type SchemaVerdict = { issue: string | undefined }

/** In a thread of its own that can be stopped in the middle of a pattern. */
async function checkedApart(check: SchemaCheck): Promise<string | undefined> {
  const thread = limitedThread(nodeThread<SchemaCheck, SchemaVerdict>(threadFile), CHECK_MS)
  try {
    const verdict = await thread.run(check)
    return verdict === 'timeout'
      ? `${check.what} could not be checked in time against the schema that the agent gave.`
      : verdict.issue
  } finally {
    thread.close()
  }
}
