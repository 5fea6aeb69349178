import { join } from 'node:path'
import { fileAt, serveFile } from '../http/static.ts'
import type { InstanceStore } from '../storage/instance-store.ts'
import { readSigned, SANDBOX_NAME, SANDBOX_ROUTE, signName } from './signed-path.ts'

/** Documents that show content from elsewhere, without any right on the page around them. */
export interface Sandboxes {
  /** The path of a sandbox, for a while; undefined when this server has none of this name. */
  open(name: string): Promise<{ url: string; expiresAt: number } | undefined>
  /** Answers a request for something below a signed path. Whoever knows the path may read it: no cookie gets there. */
  answer(request: Request): Promise<Response>
}

export interface SandboxesOptions {
  storage: Pick<InstanceStore, 'instance'>
  /** The built workbench, which has the documents in its folder `sandbox`. */
  staticFolder: string | undefined
  basePath: string
  now?: () => number
}

const LIFETIME_MS = 60 * 60 * 1000

/**
 * What a sandboxed document may do: run the scripts that stand beside it, and nothing else. `sandbox` without
 * `allow-same-origin` makes its origin opaque also when somebody opens it as a page of its own (S15). Scripts of ours
 * that are not below a signed path refuse it by their `cross-origin-resource-policy`.
 */
const POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  "connect-src 'none'",
  "worker-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const headers = {
  'content-security-policy': POLICY,
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), display-capture=(), fullscreen=(), payment=()',
  // The document has no origin, so that its own scripts are those of a stranger to it.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
}

export function createSandboxes({ storage, staticFolder, basePath, now = Date.now }: SandboxesOptions): Sandboxes {
  const folder = staticFolder === undefined ? undefined : join(staticFolder, 'sandbox')
  // Read each time: the secret can be changed, and then all that it signed counts no more.
  const secret = async () => (await storage.instance()).secret

  return {
    async open(name) {
      if (folder === undefined || !SANDBOX_NAME.test(name) || !(await fileAt(folder, `/${name}.html`))) return undefined
      const expiresAt = now() + LIFETIME_MS
      const signed = signName(await secret(), { name, expiresAt })
      return { url: `${basePath}${SANDBOX_ROUTE}${signed}/${name}.html`, expiresAt }
    },

    async answer(request) {
      const path = new URL(request.url).pathname.slice(`${basePath}${SANDBOX_ROUTE}`.length)
      const end = path.indexOf('/')
      const signed = end < 0 ? undefined : readSigned(await secret(), path.slice(0, end), now())
      const rest = path.slice(end)
      const file = signed && folder && isOf(signed.name, rest) ? await fileAt(folder, rest) : undefined
      if (!signed || folder === undefined || !file) return notFound()
      const cached = rest.startsWith('/assets/') ? 'private, max-age=3600, immutable' : 'no-store'
      return serveFile(request, { folder, pathname: rest, file, headers: { ...headers, 'cache-control': cached } })
    },
  }
}

/** A path names its own document and what the documents load; another document has a path of its own. */
const isOf = (name: string, rest: string): boolean =>
  rest === `/${name}.html` || /^\/assets\/[\w-]+(?:\.[\w-]+)*\.(?:js|css|woff2)$/.test(rest)

const notFound = () =>
  new Response('There is no such sandbox, or its time is over.\n', {
    status: 404,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
