import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

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

/** What the page may do. Images come from anywhere, because agents show them; everything else is ours. */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https: http:",
  "media-src 'self' data: https: http:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
].join('; ')

export const pageHeaders = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Names that a build has put its content's hash into never change. */
const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/

/** The built workbench. Paths that are no file of it are the page's own routes when a browser navigates to them. */
export function staticFiles(folder: string) {
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const file = await fileAt(folder, pathname)
    if (file) return serve(request, file, HASHED.test(pathname))
    if (!navigates(request) || pathname.startsWith('/assets/')) return notFound('There is no such file.')
    const page = await fileAt(folder, '/index.html')
    return page ? serve(request, page, false) : notFound('The workbench has not been built: run npm start.')
  }
}

const notFound = (text: string) =>
  new Response(`${text}\n`, { status: 404, headers: { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' } })

const navigates = (request: Request) =>
  (request.headers.get('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
  (request.headers.get('accept') ?? '').includes('text/html')

/** A file inside the folder, also after links have been followed; hidden files and odd names are none (H07). */
async function fileAt(folder: string, pathname: string): Promise<string | undefined> {
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

async function serve(request: Request, file: string, hashed: boolean): Promise<Response> {
  const bytes = await readFile(file)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const headers = {
    ...pageHeaders,
    'content-type': types[extname(file).toLowerCase()] ?? 'application/octet-stream',
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}
