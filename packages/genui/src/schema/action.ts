import type { Problem } from './shape.ts'

/** Characters that browsers strip from URLs or that hide what a reader sees. */
const invisible = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

const refuse = (code: string, message: string, ...at: string[]): Problem => ({ code, message, at })

/** Words and single slashes: what most paths are, and nothing that any rule speaks of. */
const plainPath = /^\/(?:[\w-]+\/)*[\w-]*$/

/** The navigation contract for a path: an internal, absolute, fully materialised route. */
export function pathProblem(path: string): Problem | undefined {
  if (plainPath.test(path)) return undefined
  if (path === '') return refuse('path-empty', 'the path is empty')
  if (invisible.test(path)) return refuse('path-character', 'the path has a space, control or invisible character')
  if (path.includes('\\')) return refuse('path-backslash', 'the path has a backslash')
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return refuse('path-scheme', 'the path has a scheme: use a url action')
  if (!path.startsWith('/')) return refuse('path-relative', 'the path does not start with /')
  if (path.includes('//')) return refuse('path-double-slash', 'the path has //')
  if (path.includes('?')) return refuse('path-query', 'the path has a query: use params')
  if (path.includes('#')) return refuse('path-fragment', 'the path has a fragment')
  for (const segment of path.split('/')) {
    if (/^[:*]|^\{.*\}$|^\[.*\]$|^<.*>$|\$\{/.test(segment))
      return refuse('path-param', `the path is not fully materialised: ${segment}`)
    const plain = decode(segment)
    if (plain === undefined) return refuse('path-encoding', 'the path has a broken percent encoding')
    // Encoded dots and separators become path steps in servers and in browsers.
    if (plain === '..' || plain === '.') return refuse('path-dots', 'the path has a dot segment')
    if (/[/\\]/.test(plain)) return refuse('path-separator', 'the path has an encoded separator')
  }
  return undefined
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])

/** URLs of url actions: http, https, mailto, tel. */
export function urlProblem(url: string): Problem | undefined {
  if (invisible.test(url)) return refuse('url-character', 'the URL has a space, control or invisible character')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return refuse('url-relative', 'the URL has no scheme: use a navigation action')
  if (!linkSchemes.has(scheme)) return refuse('url-scheme', `the scheme ${scheme}: is not allowed`)
  if (scheme === 'http' || scheme === 'https') return webProblem(url)
  return undefined
}

function webProblem(url: string): Problem | undefined {
  if (!/^https?:\/\/[^/\\?#]/i.test(url)) return refuse('url-host', 'the URL has no host')
  if (url.includes('\\')) return refuse('url-backslash', 'the URL has a backslash')
  // A user part makes https://bank.example@evil.example look like the bank.
  if (/^https?:\/\/[^/?#]*@/i.test(url)) return refuse('url-userinfo', 'the URL has a user part')
  return undefined
}

/** URLs of pictures: http, https, and data: with an image type. */
export function mediaProblem(url: string): Problem | undefined {
  if (/^data:/i.test(url))
    return /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(url)
      ? undefined
      : refuse('url-data', 'a data: URL must be an image')
  const problem = urlProblem(url)
  if (problem) return problem
  return /^https?:/i.test(url) ? undefined : refuse('url-scheme', 'a picture needs http, https or data:image')
}

/** Why an action must not run, or undefined when it may. The boundary calls this again right before acting. */
export function actionProblem(action: {
  readonly type?: unknown
  readonly [key: string]: unknown
}): Problem | undefined {
  switch (action.type) {
    case 'navigation': {
      const problem = below('path', pathProblem(String(action.path)))
      if (problem) return problem
      for (const [key, value] of Object.entries(action.params ?? {}))
        if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value))
          return refuse('params-scalar', `params.${key} is not a string, number or boolean`, 'params', key)
      return undefined
    }
    case 'url':
      return below('url', urlProblem(String(action.url)))
    case 'payload':
      return action.submitTo === undefined ? undefined : below('submitTo', pathProblem(String(action.submitTo)))
    case 'event':
      return action.event === '' ? refuse('action-missing', 'the action is missing or unknown') : undefined
    case 'tool':
      return action.toolId === '' ? refuse('action-missing', 'the tool has no name', 'toolId') : undefined
    default:
      return undefined
  }
}

const below = (key: string, problem: Problem | undefined): Problem | undefined => problem && { ...problem, at: [key] }
