import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { type ToolOutput, type ToolOutputPart, valueProblem } from '@vitrine/server'

/** Pieces of content that one result may have. */
const MAX_PARTS = 99

/** What a tool of an MCP server has answered, as the boundary takes it. A server may answer with anything. */
export async function outputOf(result: unknown, outputSchema: JsonObject | undefined): Promise<ToolOutput> {
  if (!isObject(result)) throw new Error('The server answered with something that is no result.')
  const { content, structuredContent, isError, toolResult, _meta } = result as JsonObject
  const parts = contentParts(content)
  const output: ToolOutput = {
    ...(isError === true && { failed: true }),
    ...(isObject(_meta) && Object.keys(_meta).length > 0 && { meta: _meta }),
  }
  // Servers of the first version answer with `toolResult` alone.
  if (toolResult !== undefined && content === undefined) return { ...output, value: toolResult as Json }
  const problem = await structuredProblem(structuredContent, outputSchema, isError === true)
  if (problem !== undefined) {
    if (parts.length === 0 && structuredContent !== undefined) {
      parts.push({ kind: 'text', text: JSON.stringify(structuredContent) })
    }
    parts.push({ kind: 'text', text: problem })
  } else if (structuredContent !== undefined) output.structured = structuredContent
  const texts = parts.filter(part => part.kind === 'text')
  if (texts.length < parts.length) output.content = parts
  else if (texts.length > 0) output.text = texts.map(({ text }) => text).join('\n\n')
  return output
}

/** Why the data of a result are left out, in words; nothing when they are what the server promised. */
async function structuredProblem(
  data: Json | undefined,
  schema: JsonObject | undefined,
  failed: boolean,
): Promise<string | undefined> {
  if (schema === undefined) return undefined
  if (data === undefined) {
    return failed ? undefined : '(The server promised data of a certain form for this tool, and gave none.)'
  }
  const problem = await valueProblem(schema, data)
  return problem && `(The data of this result do not fit the schema that the server gave, so they are text. ${problem})`
}

/** The pieces of a result, a prompt or a resource. What is none is told in words. */
export function contentParts(content: Json | undefined): ToolOutputPart[] {
  const given = Array.isArray(content) ? content : content === undefined ? [] : [content]
  const parts = given.slice(0, MAX_PARTS).map(contentPart)
  const left = given.length - parts.length
  if (left > 0) parts.push({ kind: 'text', text: `(${left} more pieces of content were left out.)` })
  return parts
}

function contentPart(part: Json): ToolOutputPart {
  const { type, text, data, mimeType, resource, uri, name, title } = isObject(part) ? part : ({} as JsonObject)
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { kind: type, bytes: bytesOf(data), mediaType: mediaTypeOf(mimeType) }
  }
  if (type === 'resource' && isObject(resource)) return resourcePart(resource)
  if (type === 'resource_link' && typeof uri === 'string') {
    const called = [title, name].find(one => typeof one === 'string') as string | undefined
    return {
      kind: 'resource',
      uri,
      ...(called !== undefined && { title: called }),
      ...(typeof mimeType === 'string' && { mediaType: mimeType }),
    }
  }
  return { kind: 'text', text: `(The server sent content of a kind that is not known: ${String(type).slice(0, 100)}.)` }
}

/** One content of a resource. */
export function resourcePart({ uri, mimeType, text, blob }: JsonObject): Extract<ToolOutputPart, { kind: 'resource' }> {
  return {
    kind: 'resource',
    uri: typeof uri === 'string' ? uri : '',
    ...(typeof mimeType === 'string' && { mediaType: mimeType }),
    ...(typeof text === 'string' ? { text } : typeof blob === 'string' ? { bytes: bytesOf(blob) } : {}),
  }
}

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

const mediaTypeOf = (given: Json | undefined): string =>
  typeof given === 'string' && given !== '' ? given : 'application/octet-stream'
