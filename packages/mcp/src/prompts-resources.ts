import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import type { FilledPrompt, SourcePrompt, SourceResource, SourceResources } from '@vitrine/server'
import { contentParts } from './results.ts'

const MAX_TEXT = 1_000
const MAX_NAME = 500
const MAX_MESSAGES = 100

/** The prompts of a list that can be used. */
export function readPrompts(listed: readonly unknown[]): SourcePrompt[] {
  return objects(listed).flatMap(prompt => {
    const { name, arguments: args } = prompt
    if (!isName(name)) return []
    const wanted = objects(Array.isArray(args) ? args : []).flatMap(arg =>
      isName(arg.name) ? [{ name: arg.name, ...words(arg), required: arg.required === true }] : [],
    )
    return [{ name, ...words(prompt), arguments: wanted }]
  })
}

/** What a server made of a prompt and its arguments. */
export function filledPrompt(result: unknown): FilledPrompt {
  const { description, messages } = (isObject(result as Json) ? result : {}) as JsonObject
  if (!Array.isArray(messages)) throw new Error('The server answered with something that is no prompt.')
  return {
    ...(typeof description === 'string' && { description: short(description) }),
    messages: messages.slice(0, MAX_MESSAGES).map(message => {
      const { role, content } = isObject(message) ? message : ({} as JsonObject)
      return { role: role === 'assistant' ? 'assistant' : 'user', parts: contentParts(content) }
    }),
  }
}

/** The resources and templates of the lists that can be used. */
export function readResources(listed: readonly unknown[], templates: readonly unknown[]): SourceResources {
  return {
    resources: objects(listed).flatMap((resource): SourceResource[] => {
      const { uri, size } = resource
      if (!isUri(uri)) return []
      return [
        { uri, ...named(resource, uri), ...(typeof size === 'number' && size >= 0 && { size: Math.floor(size) }) },
      ]
    }),
    templates: objects(templates).flatMap(template => {
      const { uriTemplate } = template
      return isUri(uriTemplate) ? [{ uriTemplate, ...named(template, uriTemplate) }] : []
    }),
  }
}

const objects = (listed: readonly unknown[]): JsonObject[] =>
  listed.filter((one): one is JsonObject => isObject(one as Json))

const isName = (name: unknown): name is string => typeof name === 'string' && name !== '' && name.length <= MAX_NAME

const isUri = (uri: unknown): uri is string => typeof uri === 'string' && uri !== '' && uri.length <= 2_000

const short = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed()

function named(given: JsonObject, otherwise: string): { name: string; title?: string; mediaType?: string } {
  const { name, mimeType } = given
  return {
    name: short(isName(name) ? name : otherwise),
    ...words(given),
    ...(typeof mimeType === 'string' && { mediaType: mimeType.slice(0, 200).toWellFormed() }),
  }
}

function words({ title, description }: JsonObject): { title?: string; description?: string } {
  return {
    ...(typeof title === 'string' && title !== '' && { title: short(title) }),
    ...(typeof description === 'string' && { description: short(description) }),
  }
}
