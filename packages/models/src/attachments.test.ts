import { latestRun, type SessionState } from '@vitrine/protocol'
import type { ToolSource } from '@vitrine/server'
import { describe, expect, it } from 'vitest'
import { stage } from './conversation.fixture.ts'
import { anthropic } from './wire/anthropic.fixture.ts'
import { google } from './wire/google.fixture.ts'
import { openaiChat, openaiCompatible } from './wire/openai-chat.fixture.ts'
import { openaiResponses } from './wire/openai-responses.fixture.ts'
import type { Wire } from './wire/provider.fixture.ts'

const on = stage()
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
const pdf = Buffer.from('%PDF-1.7\n%%EOF')
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const PNG = base64(png)
const PDF = base64(pdf)
const data = `data:application/pdf;base64,${PDF}`

const bodyOf = (at = -1): string => JSON.stringify(on.provider.requests.at(at)!.body)
const codes = ({ diagnostics }: SessionState): (string | null)[] =>
  [...diagnostics.byId.values()].map(({ code }) => code)

const chat = [
  { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
  { type: 'file', file: { filename: 'b.pdf', file_data: data } },
]
const forms: [Wire, object[]][] = [
  [openaiChat, chat],
  [openaiCompatible, chat],
  [
    openaiResponses,
    [
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
      { type: 'input_file', filename: 'b.pdf', file_data: data },
    ],
  ],
  [
    anthropic,
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
    ],
  ],
  [
    google,
    [{ inlineData: { mimeType: 'image/png', data: PNG } }, { inlineData: { mimeType: 'application/pdf', data: PDF } }],
  ],
]

describe('what people attach', () => {
  it.each(forms.map(([wire, parts]) => [wire.name, wire, parts] as const))(
    'MO-57 an image and a PDF reach the model in the wire format of %s',
    async (_, wire, parts) => {
      await on.open(wire)
      const files = [
        { digest: await on.talk.upload(png, 'image/png'), name: 'a.png' },
        { digest: await on.talk.upload(pdf, 'application/pdf'), name: 'b.pdf' },
      ]
      on.provider.answers.push(wire.says({ text: ['Seen.'] }))
      expect(latestRun(await on.talk.ask('Look', files))!.outcome).toBe('completed')
      const { messages, input, contents } = on.provider.requests[0]!.body
      const last = (messages ?? input ?? contents).at(-1)
      expect((last.content ?? last.parts).slice(1)).toMatchObject(parts)
    },
  )

  it('MO-58 of a large text file the model gets the beginning, and reads the parts that it wants', async () => {
    await on.open(openaiChat)
    const text = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n')
    const digest = await on.talk.upload(Buffer.from(text), 'text/plain')
    const start = text.indexOf('line 12345')
    const args = { file: digest.slice(0, 12), start, bytes: 10 }
    on.provider.answers.push(
      openaiChat.says({ calls: [{ id: 'r', name: 'read_attached_file', args }] }),
      openaiChat.says({ text: ['Found.'] }),
      openaiChat.says({ text: ['Again.'] }),
    )
    const state = await on.talk.ask('Look', [{ digest, name: 'long.txt' }])
    expect(latestRun(state)!.outcome).toBe('completed')
    const [first, second] = on.provider.requests
    expect(first!.body.tools.map((tool: { function: { name: string } }) => tool.function.name)).toContain(
      'read_attached_file',
    )
    expect(bodyOf(0)).toContain('line 100')
    expect(bodyOf(0)).not.toContain('line 12345')
    expect(second!.body.messages.at(-1).content).toBe(
      `Bytes ${start} to ${start + 10} of ${text.length} of "long.txt":\n\nline 12345`,
    )
    // The tool stays, so that the next turn begins as this one did.
    await on.talk.ask('And?')
    expect(on.provider.requests[2]!.body.tools).toEqual(first!.body.tools)
  })

  it('MO-59 an image that a tool returns is shown to the model, now and in the next turn', async () => {
    const camera: ToolSource = {
      sourceId: 'camera',
      name: 'Camera',
      kind: 'host',
      tools: async () => [
        {
          toolId: 'camera:look',
          name: 'look',
          description: 'Takes a picture',
          inputSchema: { type: 'object', properties: {} },
          effects: 'reads',
          execute: async () => ({ content: [{ kind: 'image', bytes: png, mediaType: 'image/png' }] }),
        },
      ],
    }
    await on.open(openaiChat, {}, [camera])
    on.provider.answers.push(
      openaiChat.says({ calls: [{ id: 'l', name: 'look', args: {} }] }),
      openaiChat.says({ text: ['A dot.'] }),
      openaiChat.says({ text: ['Still a dot.'] }),
    )
    await on.talk.ask('What do you see?')
    const { messages } = on.provider.requests[1]!.body
    expect(messages.at(-2).role).toBe('tool')
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text' }, chat[0]] })
    await on.talk.ask('And now?')
    expect(on.provider.requests[2]!.body.messages.slice(0, messages.length)).toEqual(messages)
  })

  it('MO-60 a model that refuses images is asked again with their names, and people are told', async () => {
    await on.open(openaiChat)
    const files = [{ digest: await on.talk.upload(png, 'image/png'), name: 'a.png' }]
    on.provider.answers.push(
      openaiChat.fails(400, 'image_url is only supported by certain models.'),
      openaiChat.says({ text: ['I see nothing.'] }),
    )
    const state = await on.talk.ask('Look', files)
    expect([latestRun(state)!.outcome, codes(state)]).toEqual(['completed', ['files_unsupported']])
    expect(bodyOf()).toContain('a.png')
    expect(bodyOf()).not.toContain(PNG)
  })

  it('MO-60 a model that is known to take no images is told their names at once', async () => {
    await on.open(openaiChat, { takes: { images: false, documents: false } })
    const files = [
      { digest: await on.talk.upload(png, 'image/png'), name: 'a.png' },
      { digest: await on.talk.upload(pdf, 'application/pdf'), name: 'b.pdf' },
    ]
    on.provider.answers.push(openaiChat.says({ text: ['I see nothing.'] }))
    await on.talk.ask('Look', files)
    for (const word of ['it takes no images', 'it takes no PDF']) expect(bodyOf()).toContain(word)
    expect(on.provider.requests).toHaveLength(1)
  })
})
