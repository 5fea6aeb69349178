import type { AgentOutput } from '@vitrine/server'
import { isStepCount, streamText, tool } from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { outputs } from './outputs.ts'
import type { ModelPart } from './step-outputs.ts'
import { anthropic as wire } from './wire/anthropic.fixture.ts'
import { type Provider, startProvider } from './wire/provider.fixture.ts'

let provider: Provider
beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

const storeFile = async ({ bytes, mediaType }: { bytes: Uint8Array; mediaType: string }) => ({
  ref: 'sha256:x',
  digest: 'x',
  size: bytes.length,
  mediaType,
})

const all = async (stream: AsyncIterable<ModelPart>): Promise<AgentOutput[]> => {
  const list: AgentOutput[] = []
  for await (const output of outputs(stream, { storeFile })) list.push(output)
  return list
}

async function* parts(...list: object[]): AsyncIterable<ModelPart> {
  for (const part of list) yield part as ModelPart
}

describe('outputs', () => {
  it('MO-31 say what a loop of the AI SDK does, with the tools that it runs itself', async () => {
    const calls = [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }]
    provider.answers.push(wire.says({ reasoning: 'Hm.', calls }), wire.says({ text: ['18 ', '°C.'] }))
    const { stream } = streamText({
      model: wire.model(provider.url),
      prompt: 'How is the weather?',
      stopWhen: isStepCount(5),
      tools: {
        weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => ({ celsius: 18 }) }),
      },
    })
    const said = await all(stream)
    expect(said.map(({ type }) => type)).toEqual([
      'step.started',
      'reasoning.delta',
      'reasoning.delta',
      'reasoning.summary',
      'tool.started',
      'tool.args',
      'tool.args',
      'tool.args',
      'tool.result',
      'step.finished',
      'metric.changed',
      'step.started',
      'text.delta',
      'text.delta',
      'text.final',
      'step.finished',
      'metric.changed',
    ])
    expect(said.find(({ type }) => type === 'tool.result')).toMatchObject({
      toolCallId: 'call_1',
      value: { celsius: 18 },
    })
    expect(said.findLast(({ type }) => type === 'metric.changed')).toMatchObject({
      scope: 'run',
      usage: { inputTokens: 24, outputTokens: 10 },
      values: { model: 'test-model' },
    })
  })

  it('MO-31 have sources and citations where the provider gives them', async () => {
    const source = { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com/a', title: 'A' }
    const said = await all(
      parts(
        { type: 'start-step' },
        source,
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', text: 'It rains.' },
        { type: 'text-end', id: '0', citations: [{ source, startIndex: 3, endIndex: 8, citedText: 'rain' }] },
        { type: 'finish', finishReason: 'stop' },
      ),
    )
    expect(said.slice(1)).toEqual([
      { type: 'source.added', partId: '1/s0', source: { sourceId: 's1', url: 'https://example.com/a', title: 'A' } },
      { type: 'text.delta', partId: '1/t1', delta: 'It rains.' },
      {
        type: 'text.final',
        partId: '1/t1',
        citations: [{ start: 3, end: 8, sourceId: 's1', url: 'https://example.com/a', title: 'A', quote: 'rain' }],
      },
    ])
  })

  it('MO-31 MO-8 throw when the stream ends without an end', async () => {
    await expect(
      all(parts({ type: 'start-step' }, { type: 'text-delta', id: '0', text: 'Half' })),
    ).rejects.toMatchObject({
      code: 'stream_broken',
    })
  })

  it('MO-31 parts that nobody knows say nothing', async () => {
    const end = { type: 'finish', finishReason: 'stop' }
    expect(await all(parts({ type: 'ping' }, { type: 'news-of-tomorrow' }, end))).toEqual([])
  })
})
