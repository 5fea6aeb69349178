import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a piece of a path is signed with, and until when it counts. */
export interface SignedName {
  name: string
  expiresAt: number
}

/** Where sandboxes are, below the base path. The page may frame nothing else. */
export const SANDBOX_ROUTE = '/sandbox/'

/** A name of a sandbox: it stands in paths and is that of a file. */
export const SANDBOX_NAME = /^[a-z][a-z\d-]{0,63}$/

const SIGNED = /^([a-z][a-z\d-]{0,63})\.(\d{13})\.([\w-]{43})$/

/** One segment of a path that says what may be read below it, until when, and that this server said so. */
export const signName = (secret: string, { name, expiresAt }: SignedName): string =>
  `${name}.${expiresAt}.${signature(secret, `${name}.${expiresAt}`)}`

/** What a signed segment names; undefined when this server has not signed it, or its time is over. */
export function readSigned(secret: string, segment: string, now: number): SignedName | undefined {
  const [, name = '', time = '', given = ''] = SIGNED.exec(segment) ?? []
  const expected = signature(secret, `${name}.${time}`)
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return undefined
  const expiresAt = Number(time)
  return now < expiresAt ? { name, expiresAt } : undefined
}

const signature = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`vitrine sandbox v1 ${text}`).digest('base64url')
