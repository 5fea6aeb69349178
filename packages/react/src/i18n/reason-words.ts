import type { Problem } from '@vitrine/protocol'
import { en } from './en.ts'
import type { I18n, MessageKey, Vars } from './i18n.tsx'

type Told = { code: string; params?: Vars | undefined; message: string; next?: string | undefined }

/**
 * A reason, a failure or a refusal in the reader's language, by its code, and by `why` where a code has several causes.
 * Codes of agents are their own: then the message and the advice that came with it stand as they are.
 */
export function reasonWords(t: I18n['t'], { code, params, message, next }: Told): string {
  const key = `code.${code}`
  const said = next === undefined ? message : `${message} ${next}`
  if (!Object.hasOwn(en, key)) return said
  const cause = `why.${params?.why}`
  const why = Object.hasOwn(en, cause) ? t(cause as MessageKey) : ''
  return t(key as MessageKey, { message: said, ...params, why }).trim()
}

export const problemWords = (t: I18n['t'], { code, params, title, detail, next }: Problem): string =>
  reasonWords(t, { code, params, message: detail || title, next })
