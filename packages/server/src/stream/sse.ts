/** Of every dialect that is made of server-sent events. */
export const sseHeaders = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A comment: readers ignore it. */
export const SSE_HEARTBEAT = ': hb\n\n'

export const sseFrame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
