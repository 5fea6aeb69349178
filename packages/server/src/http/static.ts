import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { SANDBOX_ROUTE } from '../sandbox/signed-path.ts'
import { acceptedEncodings, type Encoding } from './encoding.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * What the page may do. Everything in it is ours: media of others come through `/api/media`, and content of others is in
 * a sandbox.
 */
const policy = (frames: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${frames}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'none'",
  ].join('; ')

/** The route of the sandboxes, as a policy can name it. A policy has no words for IPv6 addresses. */
function sandboxesOf(request: Request, basePath: string): string {
  const host = request.headers.get('host') ?? new URL(request.url).host
  return /^[a-z\d.-]+(?::\d{1,5})?$/i.test(host) ? `${host}${basePath}${SANDBOX_ROUTE}` : "'self'"
}

export const pageHeaders = {
  'content-security-policy': policy("'none'"),
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Names that a build has put its content's hash into never change. */
const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/

/** The build puts a compressed copy beside each file that gets smaller by it (vite.config.ts of the workbench). */
const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' }
const compressed = new Set(Object.values(suffixes))

/**
 * The built workbench. Anybody who may reach this server may read it: it holds no data and no secret. Paths that are no
 * file of it are the page's own routes when a browser navigates to them; the front page is there for every client.
 */
export function staticFiles(folder: string, basePath: string) {
  return async (request: Request): Promise<Response> => {
    const pathname = new URL(request.url).pathname.slice(basePath.length)
    const isPage = pathname === '/' || pathname === PAGE
    const file = isPage ? undefined : await fileAt(folder, pathname)
    // The compressed form of a file is another form of its address, not an address of its own.
    if (file && compressed.has(extname(file))) return notFound('There is no such file.')
    if (file) return serveFile(request, { folder, pathname, file, headers: filesHeaders(pathname) })
    if (!isPage && (!navigates(request) || pathname.startsWith('/assets/'))) return notFound('There is no such file.')
    const page = await fileAt(folder, PAGE)
    if (!page) return notFound('The workbench has not been built: run npm start.')
    const headers = {
      ...filesHeaders(PAGE),
      'content-security-policy': policy(sandboxesOf(request, basePath)),
    }
    return serve(request, page, headers, { bytes: await mounted(page, basePath) })
  }
}

const PAGE = '/index.html'

/** The page is the same at every address below the base path, so that what it loads cannot be relative to the address. */
async function mounted(page: string, basePath: string): Promise<Buffer<ArrayBuffer>> {
  const html = await readFile(page, 'utf8')
  return Buffer.from(html.replaceAll(/(?<= (?:src|href)=")\.\//g, `${basePath}/`))
}

const notFound = (text: string) =>
  new Response(`${text}\n`, { status: 404, headers: { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' } })

const navigates = (request: Request) =>
  (request.headers.get('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
  (request.headers.get('accept') ?? '').includes('text/html')

/** A file inside the folder, also after links have been followed; hidden files and odd names are none (H07). */
export async function fileAt(folder: string, pathname: string): Promise<string | undefined> {
  let segments: string[]
  try {
    segments = pathname.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
  if (segments.some(segment => !/^[^./\\\0][^/\\\0]*$/.test(segment))) return undefined
  try {
    const root = await realpath(folder)
    const file = await realpath(join(root, ...segments))
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : undefined
  } catch {
    return undefined
  }
}

interface Form {
  bytes: Buffer<ArrayBuffer>
  encoding?: Encoding
}

const filesHeaders = (pathname: string) => ({
  ...pageHeaders,
  'cache-control': HASHED.test(pathname) ? 'public, max-age=31536000, immutable' : 'no-cache',
})

interface ServedFile {
  folder: string
  /** The path from the folder on, and the file that was found there. */
  pathname: string
  file: string
  headers: Readonly<Record<string, string>>
}

/** A file in the form that the client takes, with these headers and those of the form. */
export async function serveFile(request: Request, { folder, pathname, file, headers }: ServedFile): Promise<Response> {
  return serve(request, file, headers, await bytesFor(request, folder, pathname, file))
}

function serve(
  request: Request,
  file: string,
  given: Readonly<Record<string, string>>,
  { bytes, encoding }: Form,
): Response {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const headers: Record<string, string> = {
    ...given,
    'content-type': types[extname(file).toLowerCase()] ?? 'application/octet-stream',
    vary: 'accept-encoding',
    etag,
    ...(encoding && { 'content-encoding': encoding }),
  }
  if (isKnown(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers })
  headers['content-length'] = `${bytes.length}`
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}

/** The smallest form that the client takes: the tag is made of these bytes, so each form has its own. */
async function bytesFor(request: Request, folder: string, pathname: string, file: string): Promise<Form> {
  for (const encoding of acceptedEncodings(request.headers.get('accept-encoding'))) {
    const form = await fileAt(folder, pathname + suffixes[encoding])
    if (form) return { encoding, bytes: await readFile(form) }
  }
  return { bytes: await readFile(file) }
}

/** Whether `If-None-Match` names this tag, also as a weak one, in a list, or as any. */
export const isKnown = (etag: string, ifNoneMatch: string | null | undefined): boolean =>
  (ifNoneMatch ?? '').split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
