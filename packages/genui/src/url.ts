import type { UiCode } from './codes.ts'
import { problem, type UiDiagnostic } from './diagnostic.ts'

/**
 * What an address of an agent is for: a link on a surface, a link or a remote picture in the text of a message, the action
 * of a button, or a picture, film or sound that is loaded. Open links and actions with `noopener noreferrer`.
 */
export type UrlUse = 'link' | 'text_link' | 'text_image' | 'action' | 'image' | 'video' | 'audio'

/** The address as it may be used, or why it may not. A `download` is offered as a file and never opened as a page. */
export type UrlVerdict =
  | { readonly ok: true; readonly url: string; readonly download: boolean }
  | { readonly ok: false; readonly code: UrlCode; readonly message: string }

type UrlCode = Extract<UiCode, `url_${string}`>

const SCHEMES: Readonly<Record<UrlUse, readonly string[]>> = {
  link: ['http', 'https', 'mailto', 'data'],
  text_link: ['http', 'https', 'mailto'],
  text_image: ['http', 'https'],
  action: ['http', 'https', 'mailto', 'tel'],
  image: ['http', 'https', 'data'],
  video: ['http', 'https'],
  audio: ['http', 'https'],
}

/** Characters that browsers drop from addresses or that hide what a reader sees; a space is seen. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** Whether an address may be used in this way. It is the only judge of addresses: it is asked before each use. */
export function judgeUrl(url: unknown, use: UrlUse): UrlVerdict {
  const code = wrongWith(url, use)
  if (code !== undefined) return { ok: false, code, message: `this address may not be used here: ${reason(code, use)}` }
  const text = url as string
  const download = use === 'link' && /^data:/i.test(text)
  return { ok: true, url: /^http/i.test(text) ? new URL(text).href : text, download }
}

const reason = (code: UrlCode, use: UrlUse): string =>
  code === 'url_scheme' || code === 'url_relative' ? `begin with ${SCHEMES[use].join(': or ')}:` : WRONG[code]

function wrongWith(url: unknown, use: UrlUse): UrlCode | undefined {
  if (typeof url !== 'string') return 'url_relative'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme !== 'data' && INVISIBLE.test(url)) return 'url_character'
  if (scheme === undefined) return 'url_relative'
  if (!SCHEMES[use].includes(scheme)) return 'url_scheme'
  if (scheme === 'data' && use === 'image') return /^data:image\/[\w.+-]+[;,]/i.test(url) ? undefined : 'url_data'
  if (!scheme.startsWith('http')) return undefined
  if (!/^\w+:\/\/[^/\\?#]/.test(url) || !URL.canParse(url)) return 'url_host'
  if (url.includes('\\')) return 'url_backslash'
  // A user part makes https://bank.example@evil.example look like the bank.
  return /^\w+:\/\/[^/?#]*@/.test(url) ? 'url_userinfo' : undefined
}

const WRONG: Readonly<Record<UrlCode, string>> = {
  url_character: 'the URL has a control or invisible character',
  url_relative: 'the URL has no scheme: use a navigation action',
  url_scheme: 'the scheme of the URL is not allowed',
  url_data: 'a data: URL must be an image',
  url_host: 'the URL has no host',
  url_backslash: 'the URL has a backslash',
  url_userinfo: 'the URL has a user part',
}

/** What is wrong with the address of an action. */
export const urlProblem = (url: string): UiDiagnostic | undefined => problemOf(judgeUrl(url, 'action'))

/** What is wrong with the address of a picture. */
export const imageUrlProblem = (url: string): UiDiagnostic | undefined => problemOf(judgeUrl(url, 'image'))

const problemOf = (verdict: UrlVerdict): UiDiagnostic | undefined =>
  verdict.ok ? undefined : problem(verdict.code, WRONG[verdict.code])

/** Words and single slashes: what most paths are, and nothing that any rule speaks of. */
const PLAIN_PATH = /^\/(?:[\w-]+\/)*[\w-]*$/

/** What is wrong with the path of a navigation: it is an internal, absolute, fully materialised route. */
export function pathProblem(path: string): UiDiagnostic | undefined {
  if (PLAIN_PATH.test(path)) return undefined
  if (path === '') return problem('path_empty', 'the path is empty')
  if (path.includes(' ') || INVISIBLE.test(path))
    return problem('path_character', 'the path has a space, control or invisible character')
  if (path.includes('\\')) return problem('path_backslash', 'the path has a backslash')
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return problem('path_scheme', 'the path has a scheme: use a url action')
  if (!path.startsWith('/')) return problem('path_relative', 'the path does not start with /')
  if (path.includes('//')) return problem('path_double_slash', 'the path has //')
  for (const segment of path.split('/')) {
    const forms = decodings(segment)
    for (const form of forms ?? [segment]) {
      const wrong = segmentProblem(form, segment)
      if (wrong) return wrong
    }
    if (!forms) return problem('path_encoding', 'the path has a broken percent encoding')
  }
  return undefined
}

/** What is wrong with one form of a segment. Servers, routers and browsers read encoded marks as marks sooner or later. */
function segmentProblem(form: string, segment: string): UiDiagnostic | undefined {
  // A full-width colon or slash is one for whoever normalises what they get, and for whoever reads it.
  const plain = form.normalize('NFKC')
  if (form.includes('?')) return problem('path_query', 'the path has a query, or an encoded ?: use params')
  if (form.includes('#')) return problem('path_fragment', 'the path has a fragment, or an encoded #')
  if (hasPlaceholder(plain)) return problem('path_param', `the path is not fully materialised: ${segment}`)
  // What follows a `;` some servers drop.
  if (/^\.{1,2}(;|$)/.test(plain)) return problem('path_dots', 'the path has a dot segment')
  if (/[/\\]/.test(plain)) return problem('path_separator', 'the path has an encoded separator')
  if (INVISIBLE.test(form)) return problem('path_character', 'the path has an encoded control or invisible character')
  return undefined
}

/** The beginning of a name with parts, such as `urn:isbn:` and `did:web:`: what follows it is a value. */
const NAMESPACE = /^[a-z][a-z\d]*:[a-z\d][a-z\d-]*[a-z\d]:/i

/**
 * Whether a segment has what a template leaves behind when its value was not filled in, wherever it stands: `:id`, `{id}`,
 * `[id]`, `<id>`, `$id`, `*`. A time (`12:30`), an amount (`$5`) and a name with parts (`urn:isbn:abc`) are values.
 */
function hasPlaceholder(segment: string): boolean {
  const value = segment.replace(NAMESPACE, '')
  const colon = value === segment ? /^:|:[a-z_]/i : /^:[a-z_]/i
  return colon.test(value) || /[{}<>*]|\[.*\]|\$[a-z_]/i.test(segment)
}

/** A segment as it is written, decoded, and decoded again as long as that changes it: some servers decode twice. */
function decodings(segment: string): string[] | undefined {
  const forms = [segment]
  for (let form = decode(segment); form !== forms.at(-1); form = decode(form)) {
    // A per cent sign that stands for itself ends the decoding; in what the author wrote it is a mistake.
    if (form === undefined) return forms.length > 1 ? forms : undefined
    forms.push(form)
  }
  return forms
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
