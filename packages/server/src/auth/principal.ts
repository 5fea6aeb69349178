import type { Actor } from '@vitrine/protocol'

/** Who asks for something. Each command has one, and only an `Auth` makes it from a request. */
export interface Principal {
  /** Stable and unique in this installation: what somebody owns and has read is kept under it. */
  readonly id: string
  /** What other people read beside a fact. */
  readonly name: string
  readonly kind: 'local' | 'person' | 'guest' | 'key' | 'widget'
  readonly roles: readonly string[]
  /** What the sign-in said about them, for the program that embeds the server. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The part of a principal that a fact carries. */
export const actorOf = ({ kind, id, name }: Principal): Actor => ({ kind, id, name })

/** The runtime itself: expiry, the end of a run, recovery. */
export const SYSTEM: Actor = { kind: 'system', id: 'system', name: '' }
