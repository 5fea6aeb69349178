import type { SessionEvent, StreamFrame } from '@vitrine/protocol'

/**
 * About how large a frame is. A reader advances by whole frames, so a connection that is cut again and again still
 * makes progress as long as it lives for one frame. An event that is larger is a frame of its own.
 */
export const FRAME_BYTES = 4 * 1024

/**
 * A wire format of streams. It turns durable events into frames and knows nothing of connections, readers or storage.
 * To add one, write an object of this type and give it to `sessionStream`; dialect.contract.ts says what must hold.
 */
export interface Dialect {
  /** `content-type`, and what else its readers expect. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent while nothing else is, so that both sides know that the other one is there. */
  readonly heartbeat: string
  /** Encodes the first events that a reader is sent, wherever in the log that reader begins. */
  readonly encoder: Encoder
  /** The words for a notice, or undefined when the dialect has none. The same notice always has the same words. */
  say(notice: Notice): string | undefined
}

/**
 * Encodes consecutive events of one session, and names the encoder of those that follow. It is pure: asked again, it
 * answers the same. One that remembers nothing is its own `next`; one that must know what the reader was sent before (a
 * part that is still open, a count) returns a new encoder that knows it. What one encoder makes of a batch is made once,
 * however many readers it is for.
 */
export type Encoder = (
  sessionId: string,
  events: readonly SessionEvent[],
) => { readonly frames: readonly Frame[]; readonly next: Encoder }

/** A part of a stream that counts only as a whole. */
export interface Frame {
  readonly text: string
  /** The seq of its last event: whoever has the frame resumes after it. */
  readonly upTo: number
  /** In this dialect the stream is complete now: nothing comes after this frame. */
  readonly ends?: true
}

/** For dialects whose frames depend on their events alone. */
export function rememberingNothing(
  encode: (sessionId: string, events: readonly SessionEvent[]) => readonly Frame[],
): Encoder {
  const encoder: Encoder = (sessionId, events) => ({ frames: encode(sessionId, events), next: encoder })
  return encoder
}

/** What a stream says beside events. Our own pages read it as it is; another dialect has words of its own, or none. */
export type Notice = Exclude<StreamFrame, { event: 'events' }> | Broken

/** Something failed inside. Without words for it the connection breaks off, so that nobody takes it for the end. */
interface Broken {
  readonly event: 'broken'
  readonly data: Record<string, never>
}
