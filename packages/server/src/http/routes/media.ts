import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { MEDIA_KINDS } from '../../media/media-type.ts'
import { Refusal } from '../../refusal.ts'
import type { Api, ApiEnv } from '../env.ts'
import { described, pathId, serve } from '../route.ts'

const LONGEST_URL = 8_000

const query = z.object({
  url: z.string().min(1).max(LONGEST_URL).openapi({ description: 'The address of the medium, with http or https' }),
  as: z.enum(MEDIA_KINDS).openapi({ description: 'The element that shows it' }),
  clicked: z
    .enum(['1'])
    .optional()
    .openapi({ description: 'A person asked for this very medium: then a redirect may lead to another host' }),
})

export function mediaRoutes(app: OpenAPIHono<ApiEnv>, { media, sandboxes, limits }: Api): void {
  app.openapi(
    described({
      method: 'get',
      path: '/media',
      operationId: 'getMedia',
      tag: 'media',
      summary: 'Fetches an image, video or audio from another host',
      description:
        'The host learns the address and nothing of the person: no cookie, no referrer, not where the browser is. Addresses that are not those of the internet are refused, also behind names and redirects. The type is that of the bytes, and only images, video and audio are given. For video and audio `Range` is passed on. The answer can be shown by an element of a page and does nothing when it is opened as a page.',
      query,
      answers: { status: 200, bodies: ['MediaContent'], description: 'The bytes, or with 206 the range of them.' },
      refusals: [
        'media_busy',
        'media_refused',
        'media_unavailable',
        'media_unsupported',
        'too_large',
        'method_not_allowed',
      ],
    }),
    c => {
      // Nobody needs the head alone, and the host would be asked for all of it.
      if (c.req.raw.method === 'HEAD') throw new Refusal('method_not_allowed', 'HEAD is not possible here.')
      // A link in some text could otherwise have the server fetch what nobody asked to see.
      if (c.req.header('sec-fetch-mode') === 'navigate') {
        throw new Refusal('media_refused', 'Media are shown in a page.', { next: 'Open the address itself.' })
      }
      const { url, as: kind, clicked } = c.req.valid('query')
      const range = c.req.header('range')
      const { signal } = c.req.raw
      return media.get({ who: c.get('who').id, url, kind, clicked: clicked !== undefined, range, signal })
    },
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/media/hosts',
      operationId: 'listMediaHosts',
      tag: 'media',
      summary: 'Lists the hosts whose media this server has shown without a click',
      description: 'They come from the option `media.hosts`. Each person has more in the settings of their browser.',
      answers: { status: 200, bodies: ['MediaHosts'], description: 'Names of hosts; `*.` stands for all below one.' },
      refusals: [],
    },
    async () => ({ hosts: [...media.hosts] }),
  )

  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/sandboxes/{name}',
      operationId: 'getSandbox',
      tag: 'media',
      summary: 'Gives the address of a sandbox, for an hour',
      description:
        'A sandbox is a document for an iframe with `sandbox="allow-scripts"`. It shows content from elsewhere and has no origin, no cookie and no network. Its address is signed: nobody needs to be signed in to read it.',
      params: z.object({ name: pathId('name', 'mermaid', 'The name of the sandbox') }),
      answers: { status: 200, bodies: ['Sandbox'], description: 'The address, and when it stops to count.' },
      refusals: ['not_found'],
    },
    async ({ params }) => {
      const sandbox = await sandboxes.open(params.name)
      if (!sandbox) throw new Refusal('not_found', 'This server has no such sandbox.')
      return sandbox
    },
  )
}
