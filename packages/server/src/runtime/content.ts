import type { BlobRef, Interaction, TurnInput } from '@vitrine/protocol'
import type { LargeText } from '../agents/agent.ts'
import { AgentError } from '../agents/agent-error.ts'
import { BlobDamaged, type Blobs } from '../blobs/blobs.ts'
import { Refusal } from '../refusal.ts'
import type { BlobIndex } from '../storage/blob-index.ts'

/** The longest beginning of a stored text that an event shows. */
const PREVIEW = 8 * 1024

/** Content that is too large for an event: it is kept as a blob, and the event has its beginning and a reference. */
export interface Content {
  /** The bytes that a fact refers to. Refuses when they are missing or damaged: nobody may go on with a part of them. */
  bytes(digest: string): Promise<Uint8Array>
  /** Stores what belongs to this session. */
  ofSession(session: { sessionId: string; owner: string }): SessionContent
}

export interface SessionContent {
  /** Keeps a text. A short text needs no blob and is its own preview. */
  store(large: LargeText): Promise<{ preview: string; ref?: BlobRef }>
  /** The input of a turn with its whole text or interaction, also when its event only carries the beginning. */
  whole(input: TurnInput): Promise<TurnInput>
}

export function createContent(storage: Pick<BlobIndex, 'addBlob'>, blobs: Blobs): Content {
  async function bytes(digest: string): Promise<Uint8Array> {
    const found = await blobs.get(digest).catch(error => {
      if (!(error instanceof BlobDamaged)) throw error
    })
    if (found) return found
    const why = 'Content that this session refers to is missing or damaged in the data folder.'
    throw new Refusal('data_damaged', why, { next: 'Restore the data folder of the server from a backup.' })
  }

  async function store(
    { sessionId, owner }: { sessionId: string; owner: string },
    large: LargeText,
  ): Promise<{ preview: string; ref?: BlobRef }> {
    // Agents bring it, so that nothing but this check makes sure of its types.
    const { text: given, mediaType } = large as { text: unknown; mediaType?: unknown }
    if (typeof given !== 'string' || (mediaType !== undefined && typeof mediaType !== 'string')) {
      throw new AgentError('What is stored is a text with a media type.', {
        code: 'invalid_arguments',
        retryable: false,
      })
    }
    const text = given.toWellFormed()
    if (text.length <= PREVIEW) return { preview: text }
    const ref = await blobs.put(
      Buffer.from(text),
      mediaType ?? 'text/plain; charset=utf-8',
      ({ digest, size, mediaType }) => storage.addBlob(sessionId, owner, { digest, size, mediaType }),
    )
    return { preview: text.slice(0, PREVIEW).toWellFormed(), ref }
  }

  async function whole(input: TurnInput): Promise<TurnInput> {
    if (!input.ref) return input
    const text = Buffer.from(await bytes(input.ref.digest)).toString()
    return input.interaction ? { ...input, interaction: JSON.parse(text) as Interaction } : { ...input, text }
  }

  return { bytes, ofSession: session => ({ store: large => store(session, large), whole }) }
}
