import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import { basePathOf } from './base-path.ts'

/** Finds out who asks, from the request alone. A program that mounts the server brings its own. */
export interface Auth {
  /**
   * Who asks; null when nobody is signed in, which is answered with 401. Throws a Refusal for somebody who comes from a
   * page that may not ask.
   */
  authorise(request: Request): Promise<Principal | null>
  /** Refuses a request, also one for the page itself, that came by a name which is not ours (DNS rebinding). */
  checkHost?(request: Request): void
  /** Sign-in by the printed URL; absent where people sign in by other means. */
  readonly link?: SignInLink
}

/** A URL with a token in it, which is exchanged for a cookie when a browser opens it. */
export interface SignInLink {
  readonly token: string
  /** Signs with this secret from now on; whatever the old one signed is refused. Gives the owner the new credential. */
  renew(secret: string): { token: string; cookie: string }
  /** The cookie for a person who opened the URL, or undefined when the token is not ours. */
  signIn(token: string): string | undefined
  /** Whether the request carries a valid credential. */
  knows(request: Request): boolean
}

/** The auth of an installation that has one owner, on this machine. */
export interface LocalOwner extends Auth {
  authorise(request: Request): Promise<Principal>
  checkHost(request: Request): void
  readonly link: SignInLink
}

/** What the one owner of an installation is known by. */
export interface LocalOwnerOptions {
  instance: { id: string; secret: string }
  /** `host:port` as browsers send it; undefined accepts every name. */
  allowedHosts: readonly string[] | undefined
  /** Where the server is mounted: the cookie is sent nowhere else. */
  basePath?: string
}

/** The one person of an installation without sign-in. */
const LOCAL_OWNER: Principal = { id: 'local', name: '', kind: 'local', roles: ['owner'], claims: {} }
/** The longest that browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60
const SAME_SITE = new Set(['same-origin', 'none'])

/** One person on this machine, known by the token of the printed URL or by the cookie it was exchanged for. */
export function localOwner({ instance, allowedHosts, basePath }: LocalOwnerOptions): LocalOwner {
  const path = basePathOf(basePath) || '/'
  const cookieName = `vitrine_${instance.id.replace(/[^\w-]/g, '')}`
  let { token, cookieValue } = signedWith(instance.secret)
  const hosts = allowedHosts && new Set(allowedHosts.map(host => host.toLowerCase()))

  function knows(request: Request): boolean {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (bearer !== undefined) return same(bearer, token)
    const cookie = parse(request.headers.get('cookie') ?? '', cookieName)[cookieName]
    return cookie !== undefined && same(cookie, cookieValue)
  }

  function checkHost(request: Request) {
    if (!hosts) return
    // An absolute request target overrides the Host header, so both must be ours.
    const target = new URL(request.url).host
    const host = (request.headers.get('host') ?? target).toLowerCase()
    if (hosts.has(host) && hosts.has(target)) return
    const next = `Open it as http://${[...hosts][0]}${basePathOf(basePath)}/.`
    throw new Refusal('foreign_host', 'This server answers only under its own address.', { next })
  }

  const cookie = () =>
    serialize(cookieName, cookieValue, { httpOnly: true, sameSite: 'Strict', path, maxAge: COOKIE_SECONDS })

  return {
    link: {
      get token() {
        return token
      },
      renew(secret) {
        ;({ token, cookieValue } = signedWith(secret))
        return { token, cookie: cookie() }
      },
      signIn: given => (same(given, token) ? cookie() : undefined),
      knows,
    },
    checkHost,
    async authorise(request) {
      checkHost(request)
      checkSite(request)
      if (knows(request)) return LOCAL_OWNER
      throw new Refusal('unauthenticated', 'The request carries neither the cookie nor the token of this server.', {
        next: 'Open the URL that the server printed when it started, or send its token as Authorization: Bearer.',
      })
    },
  }
}

function signedWith(secret: string) {
  const sign = (purpose: string) => createHmac('sha256', secret).update(purpose).digest('base64url')
  return { token: sign('vitrine token v1'), cookieValue: `local.${sign('vitrine cookie v1 local')}` }
}

/** Cookies ignore ports, so another local page counts as the same site: only our own origin may ask. */
function checkSite(request: Request) {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  const url = new URL(request.url)
  const own = `${url.protocol}//${(request.headers.get('host') ?? url.host).toLowerCase()}`
  if ((site === null || SAME_SITE.has(site)) && (origin === null || origin === own)) return
  const next = 'Use the page that this server serves.'
  throw new Refusal('cross_site', 'The request comes from another site.', { next })
}

/** In constant time, whatever the lengths. */
function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/**
 * The host as browsers write it in an address (`127.0.0.2`, `[::1]`, `localhost`), or undefined when it is not an
 * address of this machine alone.
 */
export function loopbackName(host: string): string | undefined {
  const address = `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}/`
  if (!URL.canParse(address)) return undefined
  const { hostname, href } = new URL(address)
  const isPlain = href === `http://${hostname}/`
  return isPlain && /^(?:localhost|\[::1\]|127\.[\d.]+)$/.test(hostname) ? hostname : undefined
}

/** The names under which browsers reach a server that listens on this loopback address; its own comes first. */
export const hostsOf = (own: string, port: number): string[] =>
  [...new Set([own, '127.0.0.1', 'localhost', '[::1]'])].map(host => (port === 80 ? host : `${host}:${port}`))
