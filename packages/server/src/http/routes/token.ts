import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import { Refusal } from '../../runtime/runtime.ts'
import type { Auth } from '../auth.ts'
import { writes } from '../describe.ts'
import type { Api, ApiEnv } from '../env.ts'

export function tokenRoutes(app: OpenAPIHono<ApiEnv>, { storage, streams }: Api, auth: Auth): void {
  app.openapi(
    createRoute({
      method: 'post',
      path: '/token/rotate',
      tags: ['server'],
      summary: 'Makes a new token and signs out everybody who used the old one',
      description:
        'The answer sets the cookie of the caller. Every other browser and API client is refused from now on, and its streams end. The new address is also printed at the next start.',
      responses: writes({ 200: ['The new token, and the address that signs a browser in', 'TokenRotated'] }),
    }),
    async c => {
      const who = c.get('who')
      if (!who.roles.includes('owner')) {
        throw new Refusal(403, 'not_owner', 'Only the owner of this installation may change its token.')
      }
      const { token, cookie } = auth.renew(await storage.rotateSecret())
      streams.signOut(who.id)
      const { origin } = new URL(c.req.url)
      return c.json({ token, url: `${origin}/?token=${token}` }, 200, {
        'set-cookie': cookie,
        'cache-control': 'no-store, no-transform',
      })
    },
  )
}
