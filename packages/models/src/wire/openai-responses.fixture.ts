import { createOpenAI } from '@ai-sdk/openai'
import { openaiChat } from './openai-chat.fixture.ts'
import { halves, type Said, type Wire } from './provider.fixture.ts'

const event = (value: { type: string; [name: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'test-model' }

function beginning({ reasoning, text, calls = [] }: Said): string[] {
  let output_index = 0
  const item = (
    item: object & { id: string },
    deltas: (item_id: string, at: number) => string[],
    done: object = {},
  ) => {
    const at = output_index++
    return [
      event({ type: 'response.output_item.added', output_index: at, item }),
      ...deltas(item.id, at),
      event({ type: 'response.output_item.done', output_index: at, item: { ...item, ...done } }),
    ]
  }
  return [
    event({ type: 'response.created', response: { ...response, status: 'in_progress' } }),
    ...(reasoning
      ? item({ type: 'reasoning', id: `rs_${reasoning.length}`, summary: [] } as never, (item_id, at) => [
          event({ type: 'response.reasoning_summary_part.added', item_id, output_index: at, summary_index: 0 }),
          ...halves(reasoning).map(delta =>
            event({
              type: 'response.reasoning_summary_text.delta',
              item_id,
              output_index: at,
              summary_index: 0,
              delta,
            }),
          ),
          event({ type: 'response.reasoning_summary_part.done', item_id, output_index: at, summary_index: 0 }),
        ])
      : []),
    ...(text
      ? item({ type: 'message', id: 'msg_1', role: 'assistant', content: [] } as never, (item_id, at) =>
          text.map(delta => event({ type: 'response.output_text.delta', item_id, output_index: at, delta })),
        )
      : []),
    ...calls.flatMap(({ id, name, args }) => {
      const whole = JSON.stringify(args)
      return item(
        { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '', status: 'in_progress' } as never,
        (item_id, at) =>
          halves(whole).map(delta =>
            event({ type: 'response.function_call_arguments.delta', item_id, output_index: at, delta }),
          ),
        { arguments: whole, status: 'completed' },
      )
    }),
  ]
}

/** OpenAI responses. */
export const openaiResponses: Wire = {
  name: 'OpenAI responses',
  model: baseURL => createOpenAI({ baseURL: `${baseURL}/v1`, apiKey: 'test-key' })('gpt-5'),
  says: said => {
    const { input = 12, output = 5, cached = 0, reasoning = 0 } = said.usage ?? {}
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    }
    const end = event({ type: 'response.completed', response: { ...response, status: 'completed', usage } })
    return { pieces: [...beginning(said), end] }
  },
  saysBeginning: said => ({ pieces: beginning(said) }),
  fails: openaiChat.fails,
}
