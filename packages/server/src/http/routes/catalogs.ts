import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { Refusal } from '../../refusal.ts'
import type { Api, ApiEnv } from '../env.ts'
import { described, pathId, serve } from '../route.ts'

export function catalogRoutes(app: OpenAPIHono<ApiEnv>, { catalogs, limits }: Api): void {
  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/catalogs',
      operationId: 'listCatalogs',
      tag: 'catalogs',
      summary: 'Lists the A2UI catalogs of this server',
      description:
        'They come from the option `catalogs` and stand beside the basic catalog, which is not listed. A page asks for them when it draws a surface of a catalog that it does not know.',
      answers: { status: 200, bodies: ['CatalogList'], description: 'The catalogs, and where their modules are.' },
      refusals: [],
    },
    async () => ({ catalogs: await catalogs.list() }),
  )

  app.openapi(
    described({
      method: 'get',
      path: '/catalogs/modules/{file}',
      operationId: 'getCatalogModule',
      tag: 'catalogs',
      summary: 'Gives the module by which a page draws a catalog',
      description:
        'The module is a file of whoever runs the server, from the option `catalogModules`. Its address has a hash of its content, so that it never changes.',
      params: z.object({ file: pathId('file', '0f3c5d7e9a1b2c4d.js', 'The name that the list of catalogs has') }),
      answers: { status: 200, bodies: ['CatalogModule'], description: 'The module, as a script of this origin.' },
      refusals: ['not_found'],
    }),
    async c => {
      const module = await catalogs.module(c.req.valid('param').file)
      if (!module) {
        const next = 'GET /api/catalogs has the address of today; reload the page.'
        throw new Refusal('not_found', 'There is no such module, or its file is gone or was changed.', { next })
      }
      return c.body(module, 200, {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'private, max-age=31536000, immutable',
      })
    },
  )
}
