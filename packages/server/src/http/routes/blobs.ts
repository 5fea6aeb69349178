import type { OpenAPIHono } from '@hono/zod-openapi'
import { Refusal } from '../../refusal.ts'
import type { Api, ApiEnv } from '../env.ts'
import { checkKey } from '../idempotency.ts'
import { described, inSession, pathId } from '../route.ts'
import { isKnown } from '../static.ts'

const DIGEST = /^(?:sha256[:-])?[0-9a-f]{64}$/
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:\s*;\s*charset=[\w-]{1,40})?$/i
/**
 * What a browser may show by itself: it can hold no script, and plain text is in an encoding that cannot be misread.
 * Everything else is a download, also a PDF, which browsers do not show in a sandbox.
 */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/(?:mpeg|mp4|aac|ogg|opus|wav|x-wav|webm|flac)|video\/(?:mp4|webm|ogg|quicktime)|text\/plain(?:\s*;\s*charset=utf-8)?)$/i
const UNKNOWN = 'application/octet-stream'

/** Before the middleware of the idempotency keys, which reads bodies as JSON: an upload keeps its key by itself. */
export function uploadRoutes(app: OpenAPIHono<ApiEnv>, { runtime }: Api): void {
  app.openapi(
    described({
      method: 'post',
      path: '/blobs',
      operationId: 'uploadFile',
      tag: 'blobs',
      summary: 'Stores a file for a turn to come',
      description:
        'The body is the file itself, with its media type as the content type. It belongs to the person who sends it, and is removed after a day unless a turn or a steer refers to it by its digest; then it belongs to the session. An upload that breaks off leaves nothing.',
      takesFile: true,
      answers: { status: 201, bodies: ['FileUploaded'], description: 'The file is stored.' },
      refusals: ['uploads_busy', 'uploads_full'],
    }),
    async c => {
      const mediaType = c.req.header('content-type')?.trim() ?? UNKNOWN
      if (!MEDIA_TYPE.test(mediaType)) {
        const next = `Send ${UNKNOWN} when nothing better is known.`
        throw new Refusal('unsupported_media_type', 'The content type is not a media type.', { next })
      }
      const key = c.req.header('idempotency-key')
      if (key !== undefined) checkKey(key)
      const length = c.req.header('content-length')
      const size = length === undefined ? undefined : Number(length)
      const upload = { bytes: bytesOf(c.req.raw), mediaType, size, key }
      return c.json(await runtime.uploadFile(c.get('who'), upload), 201)
    },
  )
}

export function blobRoutes(app: OpenAPIHono<ApiEnv>, { runtime }: Api): void {
  app.openapi(
    described({
      method: 'get',
      path: '/sessions/{sessionId}/blobs/{digest}',
      operationId: 'getBlob',
      tag: 'blobs',
      summary: 'Gives the bytes behind a reference of the session',
      description:
        'Whoever may read the session may read what it refers to. Pictures, sound, video and plain text come with the media type that they were stored with; everything else comes as a download. `If-None-Match` with the digest is answered with 304, and `Range` with one range of bytes gives a part of them.',
      params: inSession.extend({ digest: pathId('digest', 'e3b0c442…', 'The SHA-256 of the bytes, in hex') }),
      answers: { status: 200, bodies: ['BlobContent'], description: 'The bytes that the digest names.' },
      refusals: ['session_not_found', 'blob_not_found', 'range_not_satisfiable', 'data_damaged', 'storage_failed'],
    }),
    async c => {
      const { sessionId, digest } = c.req.valid('param')
      if (!DIGEST.test(digest)) throw new Refusal('blob_not_found', 'There is no such blob.')
      const blob = await runtime.getBlob(c.get('who'), sessionId, digest)
      const mediaType = MEDIA_TYPE.test(blob.mediaType) ? blob.mediaType : UNKNOWN
      const etag = `"${digest}"`
      // An agent or a person chose these bytes: shown as a page of ours they could act as the person.
      const headers = {
        'content-type': mediaType,
        'content-disposition': SHOWN.test(mediaType) ? 'inline' : 'attachment',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-cache',
        'accept-ranges': 'bytes',
        etag,
      }
      if (isKnown(etag, c.req.header('if-none-match'))) return c.body(null, 304, headers)
      const fresh = (c.req.header('if-range') ?? etag) === etag
      const range = fresh ? rangeOf(c.req.header('range'), blob.size) : undefined
      const { start, end } = range ?? { start: 0, end: blob.size }
      const body = streamOf(await blob.read(start, end))
      const sized = { ...headers, 'content-length': `${end - start}` }
      if (!range) return c.body(body, 200, sized)
      return c.body(body, 206, { ...sized, 'content-range': `bytes ${start}-${end - 1}/${blob.size}` })
    },
  )
}

/** The one range of bytes that the header asks for. Nothing when it asks for none, or for what we do not read. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  // `-5` asks for the last five bytes.
  const start = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(Number(to) + 1, size)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  if (start < end) return { start, end }
  const next = `The content has ${size} bytes.`
  throw new Refusal('range_not_satisfiable', 'The content has no such bytes.', { next, path: '/range' })
}

/** Nothing is read before somebody asks: a request for the headers alone never does. */
function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The body as it arrives. A connection that ends before the body does is told as such. */
async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  try {
    yield* request.body as unknown as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('body_incomplete', 'The connection ended before the file did.', { next: 'Send it again.' })
  }
}
