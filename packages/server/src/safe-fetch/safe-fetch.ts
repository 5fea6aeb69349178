import { lookup as systemLookup } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** An address of a host, as `dns.lookup` gives it. */
export interface HostAddress {
  address: string
  family: number
}

/** Finds all addresses of a name. */
export type Lookup = (hostname: string) => Promise<HostAddress[]>

/** How an address from elsewhere is fetched. */
export interface SafeFetchOptions {
  headers?: Readonly<Record<string, string>>
  /** Hosts that may be reached although their address is private, as `host` or `host:port`. For local development. */
  local?: readonly string[]
  lookup?: Lookup
  /** Whether a redirect may lead to another host than the one that was asked for. */
  otherHosts?: boolean
  /** How long the whole fetch may take, and how long nothing may come, in milliseconds. */
  totalMs: number
  idleMs: number
  signal?: AbortSignal
}

/** What came back. Whoever does not read the body to its end destroys it. */
export interface SafeAnswer {
  /** The address after redirects. */
  url: URL
  status: number
  headers: IncomingHttpHeaders
  body: IncomingMessage
}

/** Why an address was not fetched. */
export type FetchRefusal = 'url' | 'private_address' | 'other_host' | 'redirects' | 'unreachable' | 'timeout'

/** An address from elsewhere cannot or may not be fetched. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
  readonly why: FetchRefusal
  /** Where the address leads, when it leads to another host. */
  readonly leadsTo: URL | undefined

  constructor(why: FetchRefusal, message: string, leadsTo?: URL) {
    super(message)
    this.why = why
    this.leadsTo = leadsTo
  }
}

const REDIRECTS = 4
const MOVED = new Set([301, 302, 303, 307, 308])

/**
 * Fetches an address that an agent, a person or some content has named. It reaches hosts of the internet alone (H03):
 * each name is looked up once, every address of it is checked, and the connection goes to exactly these addresses, so
 * that a name which changes its address meanwhile gains nothing. Redirects are checked in the same way. Nothing of the
 * person goes along: no cookie, no referrer.
 */
export async function safeFetch(address: string | URL, options: SafeFetchOptions): Promise<SafeAnswer> {
  const limit = AbortSignal.timeout(options.totalMs)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  const first = checkedUrl(address)
  let url = first
  for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
    const addresses = await within(signal, addressesOf(url, options))
    const body = await ask(url, addresses, { ...options, signal })
    const { statusCode: status = 0, headers } = body
    if (!MOVED.has(status) || headers.location === undefined) return { url, status, headers, body }
    body.destroy()
    url = checkedUrl(headers.location, url)
    if (!options.otherHosts && url.host !== first.host) {
      throw new FetchRefused('other_host', 'The address leads to another host.', url)
    }
  }
  throw new FetchRefused('redirects', 'The address leads from one place to the next without an end.')
}

/** Ports below 1024 are those of other protocols, but for the two of the web. */
const WEB_PORTS = new Set(['', '80', '443'])

function checkedUrl(address: string | URL, base?: URL): URL {
  // The parser writes hosts such as 0x7f.1, 017700000001 and 2130706433 as the IPv4 addresses that they are.
  const url = URL.canParse(String(address), base?.href) ? new URL(address, base) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new FetchRefused('url', 'Only http and https can be fetched.')
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('url', 'An address with a user is not fetched.')
  if (!WEB_PORTS.has(url.port) && Number(url.port) < 1024) {
    throw new FetchRefused('url', `Port ${url.port} is not one of the web.`)
  }
  return url
}

/** The addresses of the host, all checked. One that is private refuses the host: names are not asked for a second try. */
async function addressesOf(url: URL, { local, lookup = byTheSystem }: SafeFetchOptions): Promise<HostAddress[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const literal = isIP(hostname)
  const addresses = literal === 0 ? await lookedUp(hostname, lookup) : [{ address: hostname, family: literal }]
  if (isLocal(url, local) || addresses.every(({ address }) => isPublicAddress(address))) return addresses
  throw new FetchRefused('private_address', `${url.hostname} is not a host of the internet.`)
}

const byTheSystem: Lookup = hostname => systemLookup(hostname, { all: true })

async function lookedUp(hostname: string, lookup: Lookup): Promise<HostAddress[]> {
  const addresses = await lookup(hostname).catch(() => [])
  if (addresses.length > 0) return addresses
  throw new FetchRefused('unreachable', `There is no host ${hostname}.`)
}

function isLocal(url: URL, local: readonly string[] = []): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return local.some(entry => entry === url.hostname || entry === `${url.hostname}:${port}`)
}

function ask(
  url: URL,
  addresses: readonly HostAddress[],
  { headers, signal, idleMs }: SafeFetchOptions & { signal: AbortSignal },
): Promise<IncomingMessage> {
  /** The name is not looked up again: these are the addresses that were checked. */
  const pinned: LookupFunction = (_hostname, { all }, callback) => {
    const [{ address, family }] = addresses as [HostAddress]
    if (all) callback(null, [...addresses])
    else callback(null, address, family)
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    // An agent could hand out a connection that was made for somebody else.
    const sent = request(url, { headers, lookup: pinned, agent: false, signal })
    const refuse = (why: FetchRefusal, message: string) => reject(new FetchRefused(why, message))
    sent.setTimeout(idleMs, () => sent.destroy(new FetchRefused('timeout', 'The host does not go on.')))
    sent.once('response', resolve)
    sent.once('error', error => reject(asRefused(error, signal)))
    // A host may answer 101 although nobody asked for another protocol. The connection is ours to end then, since Node
    // has let go of it.
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      refuse('unreachable', 'The host answered with another protocol than HTTP.')
    })
    sent.once('close', () => refuse('unreachable', 'The host closed the connection without an answer.'))
    sent.end()
  })
  // Whatever the host does, the fetch ends when its time is over.
  return within(signal, answer)
}

function asRefused(error: Error, signal: AbortSignal): FetchRefused {
  if (error instanceof FetchRefused) return error
  if (signal.aborted) return new FetchRefused('timeout', 'The host took too long.')
  return new FetchRefused('unreachable', 'The host could not be reached.')
}

/** Waits for work that may not notice the signal, such as a lookup, no longer than the signal allows. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new FetchRefused('timeout', 'The host took too long.'))
  signal.addEventListener('abort', abort, { once: true })
  work.catch(() => {})
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
