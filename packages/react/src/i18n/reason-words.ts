import type { Problem } from '@vitrine/protocol'
import { en } from './en.ts'
import type { I18n, MessageKey, Vars } from './i18n.tsx'

type Told = { code: string; params?: Vars | undefined; message: string; next?: string | undefined }

/**
 * A reason, a failure or a refusal in the reader's language, by its code, and by `why` where a code has several causes. A
 * cause can be another code.
 * Codes of agents are their own: then the message and the advice that came with it stand as they are.
 */
export function reasonWords(t: I18n['t'], { code, params, message, next }: Told): string {
  const key = `code.${code}`
  const said = next === undefined ? message : `${message} ${next}`
  if (!Object.hasOwn(en, key)) return said
  const cause = [`why.${params?.why}`, `code.${params?.why}`].find(one => Object.hasOwn(en, one))
  const why = cause === undefined ? '' : t(cause as MessageKey)
  return t(key as MessageKey, { message: said, ...params, why }).trim()
}

/** What of a problem is said: one of ours has a code, one of a host application may have a title only. */
export type SaidProblem = Pick<Problem, 'title'> & {
  [name in 'code' | 'params' | 'detail' | 'next']?: Problem[name] | undefined
}

/** A problem in the words of the reader's language. */
export const problemWords = (t: I18n['t'], { code = '', params, title, detail, next }: SaidProblem): string =>
  reasonWords(t, { code, params, message: detail || title, next })
