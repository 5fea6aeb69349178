import type { OpenAPIHono } from '@hono/zod-openapi'
import { Refusal } from '../../refusal.ts'
import type { Api, ApiEnv } from '../env.ts'
import { described, inSession, pathId } from '../route.ts'

const DIGEST = /^(?:sha256[:-])?[0-9a-f]{64}$/
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*charset=[\w-]+)?$/i

export function blobRoutes(app: OpenAPIHono<ApiEnv>, { runtime }: Api): void {
  app.openapi(
    described({
      method: 'get',
      path: '/sessions/{sessionId}/blobs/{digest}',
      operationId: 'getBlob',
      tag: 'blobs',
      summary: 'Gives the bytes behind a reference of the session',
      description:
        'Whoever may read the session may read what it refers to. The bytes come as a download, with the media type that the agent gave them. `If-None-Match` with the digest is answered with 304.',
      params: inSession.extend({ digest: pathId('digest', 'e3b0c442…', 'The SHA-256 of the bytes, in hex') }),
      answers: { status: 200, bodies: ['BlobContent'], description: 'The bytes that the digest names.' },
      refusals: ['session_not_found', 'blob_not_found', 'data_damaged', 'storage_failed'],
    }),
    async c => {
      const { sessionId, digest } = c.req.valid('param')
      if (!DIGEST.test(digest)) throw new Refusal('blob_not_found', 'There is no such blob.')
      const { bytes, mediaType } = await runtime.getBlob(c.get('who'), sessionId, digest)
      const etag = `"${digest}"`
      // An agent chose these bytes: shown as a page of ours they could act as the person.
      const headers = {
        'content-type': MEDIA_TYPE.test(mediaType) ? mediaType : 'application/octet-stream',
        'content-disposition': 'attachment',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-cache',
        etag,
      }
      if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
      return c.body(bytes as Uint8Array<ArrayBuffer>, 200, headers)
    },
  )
}
