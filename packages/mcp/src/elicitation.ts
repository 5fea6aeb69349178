import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { type ActionRequest, isHiddenSchema, isObject, type JsonObject } from '@vitrine/protocol'
import type { ActionResponse } from '@vitrine/server'

/** Words for secrets that nobody uses for something else, in what people read. */
const TELLS_SECRET = /pass(word|phrase|code)|api.?key|access.?key|private.?key|secret key|seed phrase|\bcvv\b/i
/** What the name of a field may not have. */
const NAMES_SECRET = /pass(word|phrase|code|wd)|secret|token|key$|credential|cvv|cvc|otp$|^pin$|pin.?code|seed.?phrase/i
const MAX_FIELDS = 30
const MAX_TITLE = 300

/** What a server wants to know, as a form for the person; or why it is not asked. */
export function formOf(
  params: ElicitRequest['params'],
  server: string,
): { request: ActionRequest } | { refused: string } {
  const {
    mode = 'form',
    message,
    requestedSchema,
  } = params as {
    mode?: string
    message?: unknown
    requestedSchema?: unknown
  }
  if (mode !== 'form') return { refused: 'only forms can be asked' }
  const schema = isObject(requestedSchema as JsonObject) ? (requestedSchema as JsonObject) : {}
  const properties = isObject(schema.properties) ? schema.properties : {}
  const fields = Object.entries(properties)
  if (fields.length > MAX_FIELDS) return { refused: `a form has at most ${MAX_FIELDS} fields` }
  const words = typeof message === 'string' && message.trim() !== '' ? message.trim() : 'More is needed.'
  if (TELLS_SECRET.test(words) || fields.some(([name, field]) => isSecret(name, field))) {
    return { refused: 'it asks for a secret, and no secret is told to a server this way' }
  }
  const title = `${server} asks: ${words}`
  const required = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : []
  return {
    request: {
      kind: 'form',
      title: title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1).toWellFormed()}…`,
      ...(title.length > MAX_TITLE && { detail: words.slice(0, 4_000).toWellFormed() }),
      schema: {
        type: 'object',
        properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldOf(field)])),
        ...(required.length > 0 && { required }),
      },
    },
  }
}

/** The answer of the person as the server is told it. */
export function elicited({ outcome, value }: ActionResponse): ElicitResult {
  if (outcome === 'answered' || outcome === 'approved') {
    return { action: 'accept', content: (isObject(value) ? value : {}) as never }
  }
  return { action: outcome === 'denied' ? 'decline' : 'cancel' }
}

function isSecret(name: string, field: unknown): boolean {
  if (NAMES_SECRET.test(name)) return true
  if (!isObject(field as JsonObject)) return false
  const { title, description } = field as JsonObject
  return isHiddenSchema(field as JsonObject) || TELLS_SECRET.test(`${title ?? ''} ${description ?? ''}`)
}

/** Names for the values of a list are written in two ways; ours is `oneOf`. */
function fieldOf(field: unknown): JsonObject {
  if (!isObject(field as JsonObject)) return { type: 'string' }
  const { enumNames, ...rest } = field as JsonObject
  if (!Array.isArray(rest.enum) || !Array.isArray(enumNames)) return rest
  const { enum: values, ...others } = rest
  const titles = enumNames
  return {
    ...others,
    oneOf: (values as string[]).map((value, at) => ({ const: value, title: String(titles[at] ?? value) })),
  }
}
