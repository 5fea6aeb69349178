import type { ModelInfo } from '@vitrine/protocol'
import { z } from 'zod'

/** How a provider is asked for its models. The key stands in a header, never in the address. */
export function listRequest(
  kind: string,
  base: string,
  apiKey: string | undefined,
): { url: string; headers: Record<string, string> } {
  const accept = { accept: 'application/json' }
  if (apiKey === undefined) return { url: `${base}/models`, headers: accept }
  if (kind === 'anthropic') {
    const headers = { ...accept, 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
    return { url: `${base}/models?limit=1000`, headers }
  }
  if (kind === 'google')
    return { url: `${base}/models?pageSize=1000`, headers: { ...accept, 'x-goog-api-key': apiKey } }
  return { url: `${base}/models`, headers: { ...accept, authorization: `Bearer ${apiKey}` } }
}

const count = z.number().int().positive().optional().catch(undefined)
const text = z.string().min(1).optional().catch(undefined)
const texts = z.array(z.string()).optional().catch(undefined)
const modelId = z.string().min(1).max(300)
/** US dollars for one token, as a text. A negative number stands for a price that varies. */
const dollars = z.coerce.number().min(0).optional().catch(undefined)

/** OpenAI and those who speak like it. OpenRouter and vLLM say more than others. */
const openai = z.object({
  id: modelId,
  name: text,
  context_length: count,
  max_model_len: count,
  pricing: z.object({ prompt: dollars, completion: dollars, input_cache_read: dollars }).optional().catch(undefined),
  architecture: z.object({ input_modalities: texts, output_modalities: texts }).optional().catch(undefined),
  supported_parameters: texts,
})
const anthropic = z.object({ id: modelId, display_name: text })
const google = z.object({
  name: z.string().min(1).max(300),
  displayName: text,
  inputTokenLimit: count,
  outputTokenLimit: count,
  supportedGenerationMethods: texts,
})

/** What OpenAI lists beside models that answer in words. */
const OTHER =
  /embedding|tts|whisper|dall-e|moderation|image|realtime|transcribe|audio|babbage|davinci|sora|instruct|search|computer-use/

/** The models in what a provider has answered, or nothing when it is no list of models. */
export function readList(kind: string, body: string): ModelInfo[] | undefined {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    return undefined
  }
  const list = z.object({ [kind === 'google' ? 'models' : 'data']: z.array(z.unknown()) }).safeParse(answer)
  // Google leaves the list out, and Ollama says null, when there is nothing in it.
  if (!list.success) return isEmptyList(kind, answer) ? [] : undefined
  const entries = Object.values(list.data)[0] as unknown[]
  const models = entries.flatMap(entry => readers[kind === 'anthropic' || kind === 'google' ? kind : 'openai'](entry))
  const known = kind === 'openai' ? models.filter(model => !OTHER.test(model.modelId)) : models
  return [...new Map(known.map(model => [model.modelId, model])).values()]
}

const isEmptyList = (kind: string, answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  (kind === 'google' ? Object.keys(answer).length === 0 : 'data' in answer && answer.data === null)

const readers = {
  anthropic(entry: unknown): ModelInfo[] {
    const { data } = anthropic.safeParse(entry)
    return data ? [present({ modelId: data.id, name: data.display_name })] : []
  },
  google(entry: unknown): ModelInfo[] {
    const { data } = google.safeParse(entry)
    if (!data || data.supportedGenerationMethods?.includes('generateContent') === false) return []
    const { name, displayName, inputTokenLimit: contextTokens, outputTokenLimit: outputTokens } = data
    return [present({ modelId: name.replace(/^models\//, ''), name: displayName, contextTokens, outputTokens })]
  },
  openai(entry: unknown): ModelInfo[] {
    const { data } = openai.safeParse(entry)
    if (!data || data.architecture?.output_modalities?.includes('text') === false) return []
    const { id, name, pricing, supported_parameters: can, architecture } = data
    const takes = present({
      images: architecture?.input_modalities?.includes('image'),
      files: architecture?.input_modalities?.includes('file'),
      tools: can?.includes('tools'),
    })
    const price = present({
      input: perMillion(pricing?.prompt),
      output: perMillion(pricing?.completion),
      cachedInput: perMillion(pricing?.input_cache_read),
    })
    return [
      present({
        modelId: id,
        name,
        contextTokens: data.context_length ?? data.max_model_len,
        price: Object.keys(price).length > 0 ? price : undefined,
        takes: Object.keys(takes).length > 0 ? takes : undefined,
        efforts: can?.includes('reasoning') ? ['low', 'medium', 'high'] : undefined,
      }),
    ]
  },
}

const perMillion = (dollars: number | undefined): number | undefined =>
  dollars === undefined ? undefined : Number((dollars * 1_000_000).toFixed(6))

type Present<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

/** What is not known is absent. */
const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
