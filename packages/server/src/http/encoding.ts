import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'

/** The best for the wire comes first: it is taken when the client likes several equally well. */
const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The encodings that the client prefers to plain bytes, the best first. Without the header it gets plain bytes. */
export function acceptedEncodings(header: string | null | undefined): Encoding[] {
  const wanted = new Map(parseAccept(header ?? '').map(({ type, q }) => [type.toLowerCase(), q]))
  const others = wanted.get('*') ?? 0
  const quality = (encoding: string) => wanted.get(encoding) ?? others
  // Plain bytes are always possible; they compete only when the client has given them a weight of their own.
  const plain = wanted.get('identity') ?? 0
  return encodings
    .filter(encoding => quality(encoding) > 0 && quality(encoding) >= plain)
    .sort((a, b) => quality(b) - quality(a))
}

/** Smaller answers fit into one packet anyway. */
const MIN_BYTES = 1024
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/

/** Both run in the thread pool. These levels cost about as much as writing the JSON did. */
const compressors: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>> = {
  br: bytes =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: bytes => promisify(gzip)(bytes, { level: 5 }),
}

/**
 * Compresses JSON answers. Streams of events stay as they are: a compressor would hold their frames back. So do blobs,
 * whose tag names their bytes, and answers with `no-transform`: those carry a secret, and the size of a compressed
 * answer tells something of what stands in it (BREACH). All other answers hold no secret at all (L10).
 */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers, body } = c.res
  if (!JSON_TYPE.test(headers.get('content-type') ?? '') || headers.has('etag') || headers.has('content-encoding'))
    return
  if (headers.get('cache-control')?.includes('no-transform')) return
  c.header('vary', 'accept-encoding', { append: true })
  const [encoding] = acceptedEncodings(c.req.header('accept-encoding'))
  if (!encoding || !body) return
  const plain = new Uint8Array(await c.res.arrayBuffer())
  const sent = plain.length < MIN_BYTES ? plain : await compressors[encoding](plain)
  c.res = new Response(sent, c.res)
  if (sent !== plain) c.header('content-encoding', encoding)
  c.header('content-length', `${sent.length}`)
}
