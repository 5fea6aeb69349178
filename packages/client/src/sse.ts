export type SseSink = (event: string, data: string) => void

/**
 * An incremental parser of text/event-stream. A chunk may end anywhere; an unfinished event is never delivered.
 * Only the new chunk is searched, so that a long line in small pieces costs its length once.
 */
export function sseParser(emit: SseSink): (chunk: string) => void {
  let unfinished = ''
  let afterCr = false
  let event = ''
  let data: string[] = []

  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) emit(event || 'message', data.join('\n'))
      event = ''
      data = []
      return
    }
    const colon = text.indexOf(':')
    const name = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
  }

  return chunk => {
    if (chunk === '') return
    // A line ends with LF, CR or both, and both may come in two chunks.
    const text = afterCr && chunk[0] === '\n' ? chunk.slice(1) : chunk
    afterCr = chunk.endsWith('\r')
    const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
    const last = lines.pop()!
    for (const part of lines) {
      line(unfinished + part)
      unfinished = ''
    }
    unfinished += last
  }
}

/** Reads until the stream ends; `heard` is called for all bytes, heartbeats included. */
export async function readSse(body: ReadableStream<Uint8Array>, emit: SseSink, heard: () => void): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parse = sseParser(emit)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    parse(decoder.decode(value, { stream: true }))
  }
}
