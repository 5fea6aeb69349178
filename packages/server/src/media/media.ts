import { Refusal } from '../refusal.ts'
import { FetchRefused, type SafeAnswer, safeFetch } from '../safe-fetch/safe-fetch.ts'
import { fits, HEAD_BYTES, type MediaKind, mediaTypeOf } from './media-type.ts'

/** From where pages may show images, video and audio. */
export interface MediaOptions {
  /**
   * Hosts whose media are shown without a click, as `images.example.org` or `*.example.org`. For everything else each
   * person decides.
   */
  hosts?: readonly string[]
  /** Hosts with a private address that may be asked all the same, as `host` or `host:port`. For local development. */
  local?: readonly string[]
}

/** How much of a medium is fetched, and for how long. */
export interface MediaLimits {
  imageBytes: number
  playedBytes: number
  imageMs: number
  playedMs: number
  idleMs: number
  /** How many fetches of one person may go on at once. A browser has six connections. */
  fetches: number
}

export const mediaLimits: MediaLimits = {
  imageBytes: 16 * 1024 * 1024,
  playedBytes: 512 * 1024 * 1024,
  imageMs: 30_000,
  playedMs: 600_000,
  idleMs: 15_000,
  fetches: 24,
}

/** A medium that somebody wants to see. */
export interface MediaRequest {
  who: string
  url: string
  kind: MediaKind
  /** Whether the person asked for this very medium. Without it, a redirect may not lead to another host. */
  clicked: boolean
  range: string | undefined
  signal: AbortSignal
}

/** Fetches media from elsewhere for the page, so that their hosts never see the person's browser (C10). */
export interface Media {
  readonly hosts: readonly string[]
  get(request: MediaRequest): Promise<Response>
}

/** Nothing in an answer can run, also when somebody opens it as a page: it has no origin, no scripts and no requests. */
const INERT = {
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'attachment',
  'cache-control': 'private, max-age=3600',
  vary: 'range',
}

const HOST = /^(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/
const LOCAL = /^(?:\[[\da-f:]+\]|[a-z\d.-]+)(?::\d{1,5})?$/
const RANGE = /^bytes=(\d{1,15})-(\d{0,15})$/
const KNOWN_TYPES = 500

/** What is wrong with the configuration, in a sentence. */
export function mediaProblem({ hosts = [], local = [] }: MediaOptions): string | undefined {
  const host = hosts.find(given => !HOST.test(given))
  if (host !== undefined)
    return `${JSON.stringify(host)} is no name of a host: write images.example.org or *.example.org.`
  const own = local.find(given => !LOCAL.test(given))
  if (own !== undefined) return `${JSON.stringify(own)} is no host: write it as 127.0.0.1 or 127.0.0.1:8080.`
  return undefined
}

export function createMedia({ hosts = [], local = [] }: MediaOptions = {}, limits: MediaLimits = mediaLimits): Media {
  const problem = mediaProblem({ hosts, local })
  if (problem !== undefined) throw new TypeError(problem)
  /** How many fetches of a person go on. */
  const going = new Map<string, number>()
  /** The types of films and sounds by address: a later piece of a file does not tell what it is. */
  const types = new Map<string, string>()

  function begin(who: string): () => void {
    const before = going.get(who) ?? 0
    if (before >= limits.fetches) {
      throw new Refusal('media_busy', 'Too many media are being fetched.', { next: 'Try again in a moment.' })
    }
    going.set(who, before + 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      const left = (going.get(who) ?? 1) - 1
      if (left === 0) going.delete(who)
      else going.set(who, left)
    }
  }

  async function fetched({ url, kind, clicked, range, signal }: MediaRequest): Promise<SafeAnswer> {
    const headers = {
      accept: kind === 'image' ? 'image/avif,image/webp,image/*' : `${kind}/*`,
      'accept-encoding': 'identity',
      'user-agent': 'Vitrine',
      ...(range !== undefined && { range }),
    }
    const totalMs = kind === 'image' ? limits.imageMs : limits.playedMs
    const options = { headers, local, totalMs, idleMs: limits.idleMs, otherHosts: clicked, signal }
    try {
      return await safeFetch(url, options)
    } catch (error) {
      throw error instanceof FetchRefused ? refusalOf(error) : error
    }
  }

  /** The range to ask for. The middle of a file is asked for only when its beginning has told what it is. */
  function rangeOf({ url, kind, range }: MediaRequest): string | undefined {
    const from = kind === 'image' ? undefined : RANGE.exec(range ?? '')?.[1]
    return from !== undefined && (Number(from) === 0 || types.has(url)) ? range : undefined
  }

  async function get(request: MediaRequest): Promise<Response> {
    const end = begin(request.who)
    try {
      const range = rangeOf(request)
      const answer = await fetched({ ...request, range })
      answer.body.once('close', end)
      try {
        return await respond(request, answer, range)
      } catch (error) {
        answer.body.destroy()
        throw error
      }
    } catch (error) {
      end()
      throw error
    }
  }

  async function respond(
    { url, kind }: MediaRequest,
    { status, headers, body }: SafeAnswer,
    range: string | undefined,
  ): Promise<Response> {
    const partial = status === 206 && range !== undefined ? contentRange(headers['content-range']) : undefined
    if (status !== 200 && !partial) throw unavailable(`The host answered with ${status}.`)
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw unavailable('The host sends it packed.')
    const limit = kind === 'image' ? limits.imageBytes : limits.playedBytes
    const length = /^\d{1,15}$/.test(headers['content-length'] ?? '') ? Number(headers['content-length']) : undefined
    if (Math.max(length ?? 0, partial?.whole ?? 0) > limit) throw tooLarge(limit)

    const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const head = await headOf(chunks)
    const mediaType = partial && partial.from > 0 ? types.get(url) : mediaTypeOf(head)
    if (mediaType === undefined || !fits(mediaType, kind)) {
      throw new Refusal('media_unsupported', 'What the host sends is not an image, video or audio that can be shown.')
    }
    if (kind !== 'image') remember(url, mediaType)
    const answered: Record<string, string> = {
      ...INERT,
      'content-type': mediaType,
      ...(kind !== 'image' && { 'accept-ranges': 'bytes' }),
      ...(partial && { 'content-range': partial.header }),
      ...(length !== undefined && { 'content-length': `${length}` }),
    }
    const stream = limited(head, chunks, limit, () => body.destroy())
    return new Response(stream, { status: partial ? 206 : 200, headers: answered })
  }

  function remember(url: string, mediaType: string): void {
    types.delete(url)
    types.set(url, mediaType)
    const [oldest] = types.keys()
    if (types.size > KNOWN_TYPES && oldest !== undefined) types.delete(oldest)
  }

  return { hosts, get }
}

/** The beginning, as far as the type needs it. */
async function headOf(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let length = 0; length < HEAD_BYTES; ) {
    const { value, done } = await nextOf(chunks)
    if (done) break
    pieces.push(value)
    length += value.length
  }
  return Buffer.concat(pieces)
}

async function nextOf(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await chunks.next()
  } catch {
    throw unavailable('The host broke off.')
  }
}

/** The beginning and the rest, as fast as the reader takes it and no more than the limit. */
function limited(
  head: Buffer,
  chunks: AsyncIterator<Buffer>,
  limit: number,
  end: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = head.length
  return new ReadableStream(
    {
      start(controller) {
        if (head.length > 0) controller.enqueue(new Uint8Array(head))
      },
      async pull(controller) {
        const { value, done } = await nextOf(chunks)
        if (done) return controller.close()
        sent += value.length
        if (sent <= limit) return controller.enqueue(new Uint8Array(value))
        end()
        controller.error(tooLarge(limit))
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

function contentRange(header: string | undefined): { header: string; from: number; whole: number } | undefined {
  const found = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header ?? '')
  if (!found) return undefined
  return { header: found[0], from: Number(found[1]), whole: Number(found[3]) || 0 }
}

const unavailable = (detail: string) => new Refusal('media_unavailable', detail)

const tooLarge = (limit: number) => new Refusal('too_large', `It has more than ${limit} bytes.`)

/** Where the caller may not look, it learns no more than that. */
function refusalOf({ why, message }: FetchRefused): Refusal {
  if (why === 'unreachable' || why === 'timeout' || why === 'redirects') return unavailable(message)
  const next = why === 'private_address' ? 'For local development the option media.local lists such hosts.' : undefined
  return new Refusal('media_refused', message, next === undefined ? {} : { next })
}
