import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { Refusal } from '../../runtime/runtime.ts'
import { pathId, reads, sessionId } from '../describe.ts'
import type { Api, ApiEnv } from '../env.ts'

const DIGEST = /^(?:sha256[:-])?[0-9a-f]{64}$/
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*charset=[\w-]+)?$/i

export function blobRoutes(app: OpenAPIHono<ApiEnv>, { runtime }: Api): void {
  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{sessionId}/blobs/{digest}',
      tags: ['blobs'],
      summary: 'The bytes behind a reference of this session',
      request: { params: z.object({ sessionId, digest: pathId('digest', 'e3b0c442…') }) },
      responses: {
        ...reads({}, 404),
        200: {
          description: 'The bytes, as a download',
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' }, example: 'bytes' } },
        },
      },
    }),
    async c => {
      const { sessionId, digest } = c.req.valid('param')
      if (!DIGEST.test(digest)) throw new Refusal(404, 'blob_not_found', 'There is no such blob.')
      const { bytes, mediaType } = await runtime.blob(c.get('who'), sessionId, digest)
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
