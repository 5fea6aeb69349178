import { describe, expect, it } from 'vitest'
import { readSse, sseParser } from './sse.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function read(chunks: Uint8Array[]): Promise<{ frames: [string, string][]; heard: number }> {
  const frames: [string, string][] = []
  let heard = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  await readSse(
    body,
    (event, data) => frames.push([event, data]),
    () => heard++,
  )
  return { frames, heard }
}

describe('P-106 event stream', () => {
  const expected: [string, string][] = [
    ['hello', '{"a":"字😀é"}'],
    ['message', 'one\ntwo\n'],
    ['events', ''],
    ['message', ' two spaces'],
  ]
  const lines = [
    ': hb',
    '',
    'event: hello',
    'id: 7',
    'data: {"a":"字😀é"}',
    'retry: 10',
    '',
    'data:one',
    'data: two',
    'data',
    '',
    'event: nothing to say',
    '',
    ':',
    'event:events',
    'data:',
    '',
    'data:  two spaces',
    '',
    'event: half',
    'data: never delivered',
  ]

  for (const [name, end] of [
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ] as const) {
    it(`reads the same frames with ${name} line ends, cut at every byte, with a byte order mark`, async () => {
      const all = bytes(`\uFEFF${lines.join(end)}`)
      expect((await read([all])).frames).toEqual(expected)
      expect((await read([...all].map(byte => Uint8Array.of(byte)))).frames).toEqual(expected)
      for (let cut = 0; cut <= all.length; cut++) {
        expect((await read([all.subarray(0, cut), all.subarray(cut)])).frames).toEqual(expected)
      }
    })
  }

  it('mixes line ends', () => {
    const frames: string[] = []
    const parse = sseParser((event, data) => frames.push(`${event}=${data}`))
    parse('data: a\r')
    parse('\ndata: b\n\r')
    parse('data: c\r\r\n')
    parse('\n')
    expect(frames).toEqual(['message=a\nb', 'message=c'])
  })

  it('hears heartbeats that carry no frame', async () => {
    expect(await read([bytes(': hb\n\n'), bytes(': hb\n\n')])).toEqual({ frames: [], heard: 2 })
  })

  it('reads a long line in a time that grows with its length, however small the pieces are', () => {
    const time = (length: number) => Math.min(once(length), once(length), once(length))
    const once = (length: number) => {
      let got = 0
      const parse = sseParser((_, data) => {
        got = data.length
      })
      const start = performance.now()
      parse('data: ')
      for (let i = 0; i < length; i += 16) parse('0123456789abcdef')
      parse('\n\n')
      expect(got).toBe(length)
      return performance.now() - start
    }
    time(1 << 16)
    const small = Math.max(1, time(1 << 18))
    // Sixteen times the text; quadratic work would take 256 times as long.
    expect(time(1 << 22) / small).toBeLessThan(80)
  })
})
