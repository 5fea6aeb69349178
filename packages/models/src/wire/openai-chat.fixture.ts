import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { halves, type Reply, type Said, type Wire } from './provider.fixture.ts'

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'test-model' }
const choice = (delta: object, finish: string | null = null): string =>
  data({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })

function beginning({ reasoning, text = [], calls = [] }: Said): string[] {
  return [
    choice({ role: 'assistant', content: '' }),
    ...(reasoning ? halves(reasoning).map(piece => choice({ reasoning_content: piece })) : []),
    ...text.map(piece => choice({ content: piece })),
    ...calls.flatMap(({ id, name, args }, index) => [
      choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(JSON.stringify(args)).map(piece => choice({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ]
}

function says(said: Said): Reply {
  const { input = 12, output = 5, cached = 0, reasoning = 0 } = said.usage ?? {}
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
  const finish = said.finish ?? (said.calls ? 'tool_calls' : 'stop')
  return { pieces: [...beginning(said), choice({}, finish), data({ ...head, choices: [], usage }), 'data: [DONE]\n\n'] }
}

const rest: Omit<Wire, 'name' | 'model'> = {
  says,
  saysBeginning: said => ({ pieces: beginning(said) }),
  fails: (status, message, headers = {}) => ({
    status,
    headers,
    pieces: [JSON.stringify({ error: { message, type: 'error', param: null, code: null } })],
  }),
}

/** Chat completions with the package of OpenAI. */
export const openaiChat: Wire = {
  ...rest,
  name: 'OpenAI chat completions',
  model: baseURL => createOpenAI({ baseURL: `${baseURL}/v1`, apiKey: 'test-key' }).chat('test-model'),
}

/** Chat completions as Ollama, vLLM and others speak them, with reasoning in a field of its own. */
export const openaiCompatible: Wire = {
  ...rest,
  name: 'OpenAI-compatible',
  model: baseURL =>
    createOpenAICompatible({ name: 'local', baseURL: `${baseURL}/v1`, includeUsage: true })('test-model'),
}
