import { createAnthropic } from '@ai-sdk/anthropic'
import { halves, type Said, type Wire } from './provider.fixture.ts'

const event = (value: { type: string; [name: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

function block(index: number, content: object, deltas: object[]): string[] {
  return [
    event({ type: 'content_block_start', index, content_block: content }),
    ...deltas.map(delta => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

function beginning({ reasoning, text, calls = [], usage }: Said): string[] {
  const { input = 12, cached = 0 } = usage ?? {}
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test-model',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
    },
  }
  let index = 0
  return [
    event({ type: 'message_start', message }),
    ...(reasoning
      ? block(index++, { type: 'thinking', thinking: '', signature: '' }, [
          ...halves(reasoning).map(thinking => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: `signed:${reasoning}` },
        ])
      : []),
    ...(text
      ? block(
          index++,
          { type: 'text', text: '' },
          text.map(piece => ({ type: 'text_delta', text: piece })),
        )
      : []),
    ...calls.flatMap(({ id, name, args }) =>
      block(
        index++,
        { type: 'tool_use', id, name, input: {} },
        halves(JSON.stringify(args)).map(partial_json => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
  ]
}

const names = new Map([
  [401, 'authentication_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
])

/** Anthropic messages. */
export const anthropic: Wire = {
  name: 'Anthropic messages',
  model: baseURL => createAnthropic({ baseURL: `${baseURL}/v1`, apiKey: 'test-key' })('claude-sonnet-4-5'),
  says: said => {
    const stop_reason = said.finish ?? (said.calls ? 'tool_use' : 'end_turn')
    const usage = { output_tokens: said.usage?.output ?? 5 }
    const end = [
      event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }),
      event({ type: 'message_stop' }),
    ]
    return { pieces: [...beginning(said), ...end] }
  },
  saysBeginning: said => ({ pieces: beginning(said) }),
  fails: (status, message, headers = {}) => ({
    status,
    headers,
    pieces: [JSON.stringify({ type: 'error', error: { type: names.get(status) ?? 'invalid_request_error', message } })],
  }),
}
