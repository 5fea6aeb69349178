import { isObject } from '@vitrine/protocol'
import { contained } from '../agents/stray.ts'
import { errorData } from '../agents/thrown.ts'
import type { SourceTool, ToolAudience, ToolSource, ToolSources } from './tool.ts'

/** A tool of a source under the name by which models call it in one session. */
export interface OfferedTool {
  readonly name: string
  readonly tool: SourceTool
  readonly source: ToolSource
}

/** What the sources offer at one moment, and what is odd about it. */
export interface ToolList {
  readonly tools: readonly OfferedTool[]
  /** Sources that did not answer, or gave something that is no tool, each with what is wrong in words. */
  readonly problems: ReadonlyMap<string, string>
  /** What happened to names that two tools have, in words; empty when all differ. */
  readonly renamed: string
}

/** How long a source has to say which tools it offers. */
const LIST_MS = 3_000
/** Names that models of all providers take. */
const NAME = /^[\w-]{1,64}$/
const MAX_NAME = 64
/** The ids of grants and of policies begin with a word and go on with this. */
const MAX_TOOL_ID = 180

/** Asks all sources at once which tools they offer. A source that does not answer is left out, and the others are not. */
export async function askSources(
  sources: readonly ToolSource[],
  audience: ToolAudience,
  { taken = [], listMs = LIST_MS, late }: { taken?: readonly string[]; listMs?: number; late(error: Error): void },
): Promise<ToolList> {
  if (sources.length === 0) return { tools: [], problems: new Map(), renamed: '' }
  const problems = new Map<string, string>()
  const listed = await Promise.all(
    sources.map(async source => {
      try {
        const given: unknown = await within(
          listMs,
          contained(async () => source.tools(audience), late),
        )
        return readTools(source, given, problem => problems.set(source.sourceId, problem))
      } catch (error) {
        const { message } = errorData(error)
        problems.set(source.sourceId, `The tools of ${source.name} are left out: ${message || 'it failed'}`)
        return []
      }
    }),
  )
  return { ...named(listed.flat(), taken), problems }
}

/** The sources that there are now. */
export function sourcesOf(given: ToolSources): readonly ToolSource[] {
  if (typeof given !== 'function') return given
  const sources = given()
  checkSources(sources)
  return sources
}

/** Programs in JavaScript learn at once that a source cannot be used. */
export function checkSources(sources: readonly ToolSource[]): void {
  const ids = new Set<string>()
  for (const { sourceId, tools } of sources) {
    if (typeof sourceId !== 'string' || !/^[\w.-]{1,100}$/.test(sourceId)) {
      throw new TypeError('A source of tools needs a sourceId of letters, digits and `. _ -`.')
    }
    if (typeof tools !== 'function') throw new TypeError(`The source of tools ${sourceId} has no function tools().`)
    if (ids.has(sourceId)) throw new TypeError(`Two sources of tools are called ${sourceId}.`)
    ids.add(sourceId)
  }
}

function readTools(source: ToolSource, given: unknown, tell: (problem: string) => void): Omit<OfferedTool, 'name'>[] {
  if (!Array.isArray(given)) {
    tell(`The tools of ${source.name} are left out: it gave no list.`)
    return []
  }
  const tools = given.filter(isTool)
  const left = given.length - tools.length
  if (left > 0) tell(`${left} tools of ${source.name} are left out: their name or their schema cannot be used.`)
  return tools.map(tool => ({ tool, source }))
}

/** Sources bring it, so that nothing but this check makes sure of its shape. Names are read once, because a tool may lie. */
const isTool = (tool: Partial<SourceTool> | null): tool is SourceTool =>
  isObject(tool) &&
  typeof tool.toolId === 'string' &&
  tool.toolId.length > 0 &&
  tool.toolId.length <= MAX_TOOL_ID &&
  typeof tool.name === 'string' &&
  NAME.test(tool.name) &&
  typeof tool.description === 'string' &&
  isObject(tool.inputSchema) &&
  tool.inputSchema.type === 'object' &&
  typeof tool.execute === 'function'

/** Gives each tool a name of its own: one that another tool has as well stands behind the name of its source. */
function named(found: readonly Omit<OfferedTool, 'name'>[], taken: readonly string[]): Omit<ToolList, 'problems'> {
  const counts = new Map<string, number>(taken.map(name => [name, 1]))
  for (const { tool } of found) counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1)
  const used = new Set(taken)
  for (const { tool } of found) if (counts.get(tool.name) === 1) used.add(tool.name)
  const renamed: string[] = []
  const tools = found.map(({ tool, source }) => {
    if (counts.get(tool.name) === 1) return { name: tool.name, tool, source }
    const name = freeName(`${source.sourceId}_${tool.name}`, used)
    used.add(name)
    renamed.push(`${tool.name} of ${source.name} is called ${name}`)
    return { name, tool, source }
  })
  return { tools, renamed: renamed.length === 0 ? '' : `Several tools have one name: ${renamed.join(', ')}.` }
}

function freeName(wanted: string, used: ReadonlySet<string>): string {
  const base = wanted.replace(/[^\w-]/g, '_')
  let name = base.slice(0, MAX_NAME)
  for (let n = 2; used.has(name); n++) name = `${base.slice(0, MAX_NAME - `_${n}`.length)}_${n}`
  return name
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${ms / 1_000} s.`)), ms)
  })
  // A source that is left out may still fail later.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
