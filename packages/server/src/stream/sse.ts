import type { StreamFrame } from '@vitrine/protocol'

/** Of every dialect that is made of server-sent events. */
export const sseHeaders = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A comment: readers ignore it. */
export const SSE_HEARTBEAT = ': hb\n\n'

/** A frame that the protocol declares, with its data as JSON. */
export const sseFrame = (event: StreamFrame['event'], json: string): string => `event: ${event}\ndata: ${json}\n\n`
