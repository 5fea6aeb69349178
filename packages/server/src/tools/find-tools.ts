import type { Json, JsonObject, SessionState } from '@vitrine/protocol'
import type { AgentOutput } from '../agents/agent.ts'
import { announce, type RuntimeTool } from '../runtime/run/drawing-tools.ts'
import type { OfferedTool } from './sources.ts'

/** The name of the tool by which a model finds others when there are too many to be given all of them. */
export const FIND_TOOLS = 'find_tools'

/** How many tools a search tells of. */
const MOST_FOUND = 20
const MAX_WORDS = 240
const MAX_NAMES = 30

/** The ids of the tools that were chosen or used in this session, oldest first. Metadata can be anything. */
export function chosenTools({ session }: Pick<SessionState, 'session'>): string[] {
  const { foundTools } = session.metadata
  return Array.isArray(foundTools) ? foundTools.filter(toolId => typeof toolId === 'string') : []
}

/**
 * The ids of the tools that a model is given when there are too many: those that were chosen, and those that have been
 * called, oldest first. The order is the same from step to step and from turn to turn, so that a provider that has read
 * the tools once need not read them again.
 */
export function idsToOffer(
  offered: readonly OfferedTool[],
  state: Pick<SessionState, 'session' | 'tools'>,
  most: number,
): string[] {
  const ids = new Set(chosenTools(state))
  const byName = new Map(offered.map(({ name, tool }) => [name, tool.toolId]))
  for (const { name, executor } of state.tools.byId.values()) {
    const toolId = executor === 'runtime' ? byName.get(name) : undefined
    // What was chosen later has taken the place of what is no longer among them.
    if (toolId !== undefined && ids.size < most) ids.add(toolId)
  }
  return [...ids].slice(-most)
}

export interface Finding {
  offered: readonly OfferedTool[]
  callId(name: string): string
  emit(output: AgentOutput): Promise<void>
  /** Has it durable that these were chosen, and gives them to the model. */
  choose(chosen: readonly OfferedTool[]): Promise<void>
}

const inputSchema: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words for what the tool should do, such as "create issue"' },
    names: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_NAMES,
      description: 'The exact names of the tools that you want to use, as a search has told them',
    },
  },
}

const prompt = `# Finding tools

You are not given all tools at once. Search with find_tools and its "query", then choose with its "names". What you have
chosen can be called from your next step on, and stays available in this conversation.`

/** The tool by which a model searches all tools and chooses those that it wants to use. */
export function findTools({ offered, callId, emit, choose }: Finding): RuntimeTool {
  return {
    name: FIND_TOOLS,
    description: `Searches ${offered.length} tools by words, and makes those available that you choose by name. They are from: ${sourcesOf(offered)}.`,
    inputSchema,
    prompt,
    async call(args, announced) {
      const { query, names } = args ?? {}
      const wanted = (Array.isArray(names) ? names : []).filter(name => typeof name === 'string').slice(0, MAX_NAMES)
      const words = typeof query === 'string' ? query.trim() : ''
      const summary = words === '' ? {} : { summary: words.slice(0, 200).toWellFormed() }
      const toolCallId = await announce({ callId, emit }, { name: FIND_TOOLS, args: args ?? {}, ...summary }, announced)
      if (words === '' && wanted.length === 0) {
        const error = { code: 'invalid_arguments', message: 'Give words to search for, or names to choose.' }
        const answer = { error: error.message }
        await emit({ type: 'tool.failed', toolCallId, error, value: answer })
        return answer
      }
      const chosen = offered.filter(({ name }) => wanted.includes(name))
      const unknown = wanted.filter(name => !chosen.some(one => one.name === name))
      if (chosen.length > 0) await choose(chosen)
      const answer: JsonObject = {
        ...(words !== '' && { found: searchTools(offered, words).map(listing) }),
        ...(wanted.length > 0 && { chosen: chosen.map(({ name }) => name) }),
        ...(unknown.length > 0 && { unknown }),
      }
      await emit({ type: 'tool.result', toolCallId, value: answer })
      return answer
    },
  }
}

/** The tools that fit the words best. Equal ones come in the order in which the sources offer them. */
export function searchTools(offered: readonly OfferedTool[], query: string): OfferedTool[] {
  const words = [...new Set(wordsIn(query))].slice(0, 30)
  const scored = offered.map((one, at) => ({ one, at, score: scoreOf(one, words, query.trim().toLowerCase()) }))
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MOST_FOUND)
    .map(({ one }) => one)
}

function scoreOf({ name, tool, source }: OfferedTool, words: readonly string[], query: string): number {
  if (name.toLowerCase() === query) return 1_000
  const inName = wordsIn(`${name} ${tool.title ?? ''}`)
  const inRest = new Set([...wordsIn(tool.description.slice(0, 2_000)), ...wordsIn(source.name)])
  let score = 0
  for (const word of words) {
    if (inName.includes(word)) score += 10
    else if (inName.some(other => begins(other, word))) score += 6
    if (inRest.has(word)) score += 3
    else if ([...inRest].some(other => begins(other, word))) score += 1
  }
  return score
}

/** Whether one of the words is the beginning of the other, as with plurals. Very short beginnings say nothing. */
const begins = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= 3 && (one.startsWith(other) || other.startsWith(one))

/** The words of a text, with names such as `readFile` and `read_file` divided. */
const wordsIn = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu) ?? []

const listing = ({ name, tool, source }: OfferedTool): Json => ({
  name,
  description: tool.description.slice(0, MAX_WORDS).toWellFormed(),
  source: source.name,
})

function sourcesOf(offered: readonly OfferedTool[]): string {
  const counts = new Map<string, number>()
  for (const { source } of offered) counts.set(source.name, (counts.get(source.name) ?? 0) + 1)
  const all = [...counts].map(([name, count]) => `${name.slice(0, 60)} (${count})`)
  return all.length <= 30 ? all.join(', ') : `${all.slice(0, 30).join(', ')} and ${all.length - 30} more`
}
