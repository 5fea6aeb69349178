import { createHash, createHmac } from 'node:crypto'
import { type Interaction, isObject, type JsonObject, type TurnInput } from '@vitrine/protocol'
import type { Attachment, SessionContent } from '../content.ts'

/** The longest text that an event carries itself. */
export const INLINE_TEXT = 16 * 1024

/** What a turn is made of before it is accepted. */
export type Given = Pick<TurnInput, 'text' | 'interaction' | 'context' | 'mode'> & {
  /** What was typed into the surface before the interaction. It becomes part of the surface, not of the turn. */
  edits?: JsonObject
  /** The seal of what was typed hidden, when the interaction and the edits have masks in its place. */
  seal?: string
  /** Files that were uploaded for it, or that the session refers to already. */
  files?: readonly Attachment[] | undefined
  /** The ordinal of the message in whose place it is said. */
  replaces?: number
  /** The digests of those files of that message that stay. */
  keepFiles?: readonly string[] | undefined
}

/** The input as its event carries it: what is too large for an event is stored, and the event has its beginning. */
export async function inputOf(given: Given, content: SessionContent): Promise<TurnInput> {
  const { text, interaction, context, mode } = given
  const digest = contentDigest(given)
  const files = await content.refer(given.files ?? [])
  const rest = {
    digest,
    ...(context && { context }),
    ...(mode && { mode }),
    ...(files.length > 0 && { files }),
  }
  if (interaction) {
    const whole = JSON.stringify(interaction)
    if (whole.length <= INLINE_TEXT) return { text, interaction, ...rest }
    const { ref } = await content.store({ text: whole, mediaType: 'application/json' })
    return { text, interaction: beginningOf(interaction), ...(ref && { ref }), ...rest }
  }
  if (text.length <= INLINE_TEXT) return { text, ...rest }
  const { preview: begin, ref } = await content.store({ text })
  return { text: begin, ...(ref && { ref }), ...rest }
}

/**
 * The digest of all that the id of a turn stands for: the same id with other content is refused. What was typed into a
 * surface has a digest of its own behind the dot, and what was typed hidden has its seal behind the tilde.
 */
export function contentDigest(given: Given): string {
  const { text, interaction, context, mode, edits, seal, replaces, keepFiles, files = [] } = given
  const place = replaces === undefined ? [] : [replaces, keepFiles ?? null]
  // Behind the others, so that the digests of turns without files stay what they were.
  const attached = files.length === 0 ? [] : [files.map(({ digest, name }) => [digest, name])]
  const content = digestOf([text, interaction ?? null, context ?? null, mode ?? null, ...place, ...attached])
  return `${content}${edits ? `.${digestOf(edits)}` : ''}${seal === undefined ? '' : `~${seal}`}`
}

/** Whether a digest from the log is that of this content. Digests of older logs say nothing of what was typed. */
export function isDigestOf(digest: string, given: Given): boolean {
  const [accepted = '', acceptedSeal] = digest.split('~')
  const [content = '', seal] = contentDigest(given).split('~')
  if (acceptedSeal !== undefined && acceptedSeal !== seal) return false
  return accepted === (accepted.includes('.') ? content : content.split('.', 1)[0])
}

/** 132 bits are enough to tell whether two are the same, and leave room for the other digests. */
const SEAL_LENGTH = 22

/**
 * Tells whether what was typed hidden is the same as before, and nothing else: without the secret nobody can try out what
 * it may have been, and the same under another key has another seal.
 */
export const sealOf = (secret: string, key: string, typed: unknown): string =>
  createHmac('sha256', secret)
    .update(`vitrine hidden v1 ${written([key, typed])}`)
    .digest('base64url')
    .slice(0, SEAL_LENGTH)

const digestOf = (value: unknown): string => createHash('sha256').update(written(value)).digest('base64url')

const written = (value: unknown): string => JSON.stringify(value, sorted)

/** Objects with their names in order, because what is stored may have another order than what is sent again. */
const sorted = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

/** What an event keeps of an interaction that is too large for it. */
function beginningOf(interaction: Interaction): Interaction {
  if (interaction.kind === 'a2ui') {
    const { payload: _, context: __, ...rest } = interaction
    return rest
  }
  const { values: _, action, ...rest } = interaction
  if (action.type === 'tool') return { ...rest, action: { type: 'tool', toolId: action.toolId } }
  return { ...rest, action: { ...action, payload: {} } }
}

/** What the queue shows of a turn. */
export const previewOf = (text: string): string => text.slice(0, 200).toWellFormed()
