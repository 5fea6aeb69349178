import type { Answer } from '@vitrine/protocol'
import { contained } from '../agents/stray.ts'
import { errorData } from '../agents/thrown.ts'
import { Refusal } from '../refusal.ts'
import { sourcesOf } from '../tools/sources.ts'
import type { ToolAudience, ToolOutputPart, ToolSource, ToolSources } from '../tools/tool.ts'
import type { Access } from './access.ts'
import type { Runtime } from './runtime.ts'
import type { SessionActor } from './session-actor.ts'

export interface SessionPromptsOptions {
  access: Access
  tools: ToolSources
  report(line: string, error: unknown): void
}

type Problems = Answer<'SessionPrompts'>['problems']

/** How long a source has to list something, and to give it. */
const LIST_MS = 5_000
const GIVE_MS = 30_000
/** Items that one answer lists. */
const MOST = 2_000
/** Characters and bytes of one resource or prompt. */
const MAX_TEXT = 2_000_000
const MAX_BYTES = 8 * 1024 * 1024
const MAX_CONTENTS = 20

/** What sources have ready for people: prompts to begin with, and resources to read. Neither is a fact until it is sent. */
export function createSessionPrompts(
  options: SessionPromptsOptions,
): Pick<Runtime, 'listPrompts' | 'fillPrompt' | 'listResources' | 'readResource'> {
  const { access, report } = options
  const late = (error: Error): void => report('A source of prompts and resources failed after it had answered.', error)

  const audienceOf = ({ state }: SessionActor, owner: string): ToolAudience => {
    const { agentId } = state.session
    return { owner, sessionId: state.sessionId, agentId: agentId.known ? agentId.value : '' }
  }

  /** Asks all sources at once. One that fails is named, and the others are not kept waiting for it. */
  async function fromAll<T>(
    ask: (source: ToolSource) => Promise<T> | undefined,
  ): Promise<[Map<ToolSource, T>, Problems]> {
    const problems: Problems = []
    const answers = new Map<ToolSource, T>()
    await Promise.all(
      sourcesOf(options.tools).map(async source => {
        try {
          const answer = await within(
            LIST_MS,
            contained(async () => ask(source), late),
          )
          if (answer !== undefined) answers.set(source, answer)
        } catch (error) {
          problems.push({ sourceId: source.sourceId, name: source.name, message: wordsOf(error) })
        }
      }),
    )
    const order = sourcesOf(options.tools).filter(source => answers.has(source))
    return [new Map(order.map(source => [source, answers.get(source)!])), problems]
  }

  /** Asks one source for one thing. */
  async function fromOne<T>(sourceId: string, ask: (source: ToolSource) => Promise<T> | undefined): Promise<T> {
    const source = sourcesOf(options.tools).find(one => one.sourceId === sourceId)
    if (!source) throw new Refusal('source_not_found', 'There is no such source.', { next: 'Load the list again.' })
    try {
      const answer = await within(
        GIVE_MS,
        contained(async () => ask(source), late),
      )
      if (answer === undefined) throw new Error(`${source.name} has nothing of this kind.`)
      return answer
    } catch (error) {
      throw new Refusal('source_failed', wordsOf(error), { next: 'Try again, or choose something else.' })
    }
  }

  return {
    listPrompts: (who, sessionId) =>
      access.use(who, sessionId, async session => {
        const audience = audienceOf(session, who.id)
        const [found, problems] = await fromAll(source => source.prompts?.(audience))
        const items = [...found].flatMap(([source, prompts]) =>
          prompts.map(({ name, title = name, description = '', arguments: wanted }) => ({
            source: named(source),
            name,
            title,
            description,
            arguments: wanted.map(arg => ({
              name: arg.name,
              title: arg.title ?? arg.name,
              description: arg.description ?? '',
              required: arg.required,
            })),
          })),
        )
        return { items: items.slice(0, MOST), problems }
      }),

    fillPrompt: (who, sessionId, { sourceId, name, arguments: args = {} }) =>
      access.use(who, sessionId, async session => {
        const audience = audienceOf(session, who.id)
        const filled = await fromOne(sourceId, source => source.fillPrompt?.(audience, name, args))
        const messages = filled.messages.map(({ role, parts }) => ({ role, text: parts.map(textOf).join('\n\n') }))
        if (messages.reduce((size, { text }) => size + text.length, 0) > MAX_TEXT) {
          throw new Refusal('source_failed', `The prompt has more than ${MAX_TEXT} characters.`)
        }
        return { description: filled.description ?? '', messages }
      }),

    listResources: (who, sessionId) =>
      access.use(who, sessionId, async session => {
        const audience = audienceOf(session, who.id)
        const [found, problems] = await fromAll(source => source.resources?.(audience))
        const items = [...found].flatMap(([source, { resources }]) =>
          resources.map(({ uri, size, ...resource }) => ({
            source: named(source),
            uri,
            ...described(resource),
            ...(size !== undefined && { size }),
          })),
        )
        const templates = [...found].flatMap(([source, given]) =>
          given.templates.map(({ uriTemplate, ...template }) => ({
            source: named(source),
            uriTemplate,
            ...described(template),
          })),
        )
        return { items: items.slice(0, MOST), templates: templates.slice(0, MOST), problems }
      }),

    readResource: (who, sessionId, { sourceId, uri }) =>
      access.use(who, sessionId, async session => {
        const audience = audienceOf(session, who.id)
        const parts = await fromOne(sourceId, source => source.readResource?.(audience, uri))
        let room = MAX_BYTES
        const contents = parts.slice(0, MAX_CONTENTS).map(part => {
          const content = contentOf(part, uri)
          room -= content.text?.length ?? content.base64?.length ?? 0
          if (room >= 0) return content
          throw new Refusal('source_failed', `The resource has more than ${MAX_BYTES / 1024 / 1024} MB.`)
        })
        return { contents }
      }),
  }
}

const named = ({ sourceId, name }: ToolSource): { sourceId: string; name: string } => ({ sourceId, name })

const described = (given: { name: string; title?: string; description?: string; mediaType?: string }) => ({
  name: given.name,
  title: given.title ?? given.name,
  description: given.description ?? '',
  ...(given.mediaType !== undefined && { mediaType: given.mediaType }),
})

/** The words of a piece of a prompt. Bytes cannot stand in a text, and are named. */
function textOf(part: ToolOutputPart): string {
  if (part.kind === 'text') return part.text
  if (part.kind === 'resource') return part.text === undefined ? part.uri : `${part.uri}\n${part.text}`
  return `[${part.kind} ${part.mediaType}, ${part.bytes.length} bytes]`
}

function contentOf(part: ToolOutputPart, uri: string): Answer<'ResourceContents'>['contents'][number] {
  if (part.kind === 'text') return { uri, text: part.text.toWellFormed() }
  const mediaType = part.mediaType === undefined ? {} : { mediaType: part.mediaType }
  const address = part.kind === 'resource' ? part.uri || uri : uri
  if (part.kind === 'resource' && part.text !== undefined) {
    return { uri: address, ...mediaType, text: part.text.toWellFormed() }
  }
  const base64 = Buffer.from(part.bytes ?? new Uint8Array()).toString('base64')
  return { uri: address, ...mediaType, base64 }
}

function wordsOf(error: unknown): string {
  return errorData(error).message.slice(0, 1_000).toWellFormed() || 'It failed without saying why.'
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not answer within ${ms / 1_000} s.`)), ms)
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
