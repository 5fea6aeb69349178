import type { HistoryMessage, HistoryPart } from '@vitrine/server'
import { describe, expect, it } from 'vitest'
import { toModelMessages } from './messages.ts'

const answer = (...parts: HistoryPart[]): HistoryMessage => ({ messageId: 'm', role: 'assistant', text: '', parts })
const call = (partId: string, toolCallId: string, more: object = {}): HistoryPart => ({
  kind: 'call',
  partId,
  toolCallId,
  name: 'look',
  args: '{}',
  result: { value: 1 },
  ...more,
})
const made = (...history: HistoryMessage[]) => toModelMessages(history, () => ({ type: 'text', text: 'a file' }))

describe('messages for a model', () => {
  it('MO-10 what another agent wrote is divided into steps where something follows its calls', () => {
    const parts = [
      call('a', 'a'),
      call('b', 'b'),
      { kind: 'text' as const, partId: 'c', text: 'Done.' },
      call('d', 'd'),
    ]
    expect(made(answer(...parts)).map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'tool'])
  })

  it('MO-10 ids of calls are unique in a conversation, and in the characters that every provider takes', () => {
    const messages = made(answer(call('1/c0', 'x#1')), answer(call('1/c0', 'x#1')))
    const ids = messages.map(({ content }) => (content as { toolCallId: string }[])[0]!.toolCallId)
    expect(ids).toEqual(['x_1', 'x_1', 'x_1_2', 'x_1_2'])
  })

  it('MO-10 arguments that are no object, and a call that was cut off, stay honest', () => {
    const [said, result] = made(answer(call('1/c0', 'x', { args: '{"city":"Pa', result: undefined })))
    expect(said!.content).toMatchObject([{ input: { unreadable: '{"city":"Pa' } }])
    expect(result!.content).toMatchObject([
      { output: { type: 'error-text', value: expect.stringContaining('cut off') } },
    ])
  })

  it('MO-12 references to what OpenAI has stored are left out, and what it has encrypted goes back', () => {
    const signature = JSON.stringify({ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'secret' } })
    const stored = JSON.stringify({ openai: { itemId: 'rs_2', reasoningEncryptedContent: null } })
    const [message] = made(
      answer(
        { kind: 'reasoning', partId: '1/r0', text: 'Hm.', signature },
        { kind: 'reasoning', partId: '1/r1', text: 'Well.', signature: stored },
        call('1/c2', 'x', { metadata: { openai: { itemId: 'fc_1' } } }),
      ),
    )
    expect(message!.content).toMatchObject([
      { type: 'reasoning', text: 'Hm.', providerOptions: { openai: { reasoningEncryptedContent: 'secret' } } },
      { type: 'tool-call' },
    ])
    expect(JSON.stringify(message)).not.toMatch(/rs_1|rs_2|fc_1/)
  })

  it('MO-10 a call that the provider ran stands with its result in the answer of the model', () => {
    const [message, ...rest] = made(answer(call('1/c0', 'x', { executor: 'provider' })))
    expect(rest).toEqual([])
    expect(message!.content).toMatchObject([{ type: 'tool-call', providerExecuted: true }, { type: 'tool-result' }])
  })
})
