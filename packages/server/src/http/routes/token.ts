import type { OpenAPIHono } from '@hono/zod-openapi'
import { Refusal } from '../../refusal.ts'
import type { SignInLink } from '../auth.ts'
import type { Api, ApiEnv } from '../env.ts'
import { serve } from '../route.ts'

export function tokenRoutes(
  app: OpenAPIHono<ApiEnv>,
  { storage, streams, limits, basePath }: Api,
  link: SignInLink,
): void {
  serve(
    app,
    limits,
    {
      method: 'post',
      path: '/token/rotate',
      operationId: 'rotateToken',
      tag: 'server',
      summary: 'Makes a new token and signs out everybody who used the old one',
      description:
        'The answer sets the cookie of the caller. Every other browser and API client is refused from now on, and its streams end. The new address is also printed at the next start. The answer is a secret and is not kept, so this write takes no `Idempotency-Key`. The request has no body.',
      answers: {
        status: 200,
        bodies: ['NewToken'],
        description: 'The new token, and the address that signs a browser in.',
      },
      refusals: ['not_owner', 'storage_failed'],
      keyed: false,
    },
    async ({ who, context }) => {
      if (!who.roles.includes('owner')) {
        throw new Refusal('not_owner', 'Only the owner of this installation may change its token.')
      }
      const { token, cookie } = link.renew(await storage.rotateSecret())
      streams.signOut(who.id)
      const { origin } = new URL(context.req.url)
      context.header('set-cookie', cookie)
      context.header('cache-control', 'no-store, no-transform')
      return { token, url: `${origin}${basePath}/?token=${token}` }
    },
  )
}
