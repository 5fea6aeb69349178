import type { HttpBindings } from '@hono/node-server'
import type { Principal } from '../auth/principal.ts'
import type { Catalogs } from '../catalogs/catalogs.ts'
import type { Media } from '../media/media.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import type { AnswerStore } from '../storage/answer-store.ts'
import type { InstanceStore } from '../storage/instance-store.ts'
import type { EventReader } from '../storage/log-store.ts'
import type { Hub } from '../stream/hub.ts'
import type { Streams } from '../stream/streams.ts'
import type { BodyLimits } from './body.ts'

/** What a route finds in its context: who asks, its body once read, the socket when there is one. */
export interface ApiEnv {
  Variables: { who: Principal; body?: Promise<string> }
  Bindings: Partial<HttpBindings>
}

/** What the routes work with. */
export interface Api {
  runtime: Runtime
  storage: EventReader & AnswerStore & InstanceStore
  hub: Hub
  streams: Streams
  media: Media
  catalogs: Catalogs
  sandboxes: Sandboxes
  limits: BodyLimits
  /** The path under which the server is mounted, empty at the root. */
  basePath: string
  report(error: unknown): void
}

/** Closes the socket under a request; without one (a request that no socket carried) there is nothing to close. */
export function socketCloser(bindings: Partial<HttpBindings> | undefined): (() => void) | undefined {
  const outgoing = bindings?.outgoing
  return outgoing && (() => outgoing.destroy())
}
