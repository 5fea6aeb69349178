import type { Reply } from './provider.fixture.ts'

const json = (value: unknown): Reply => ({ status: 200, pieces: [JSON.stringify(value)] })

/** How providers list their models. */
export const modelLists = {
  openai: (ids: readonly string[]): Reply =>
    json({
      object: 'list',
      data: ids.map(id => ({ id, object: 'model', created: 1_715_367_049, owned_by: 'system' })),
    }),
  anthropic: (models: Record<string, string>): Reply =>
    json({
      data: Object.entries(models).map(([id, display_name]) => ({
        type: 'model',
        id,
        display_name,
        created_at: '2025-02-19T00:00:00Z',
      })),
      has_more: false,
      first_id: Object.keys(models)[0],
      last_id: Object.keys(models).at(-1),
    }),
  google: (models: Record<string, readonly string[]>): Reply =>
    json({
      models: Object.entries(models).map(([id, supportedGenerationMethods]) => ({
        name: `models/${id}`,
        version: '001',
        displayName: id.replaceAll('-', ' '),
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods,
      })),
    }),
  /** Ollama without a model says null. */
  ollama: (ids: readonly string[]): Reply =>
    json({
      object: 'list',
      data:
        ids.length === 0 ? null : ids.map(id => ({ id, object: 'model', created: 1_730_000_000, owned_by: 'library' })),
    }),
  vllm: (id: string, max_model_len: number): Reply =>
    json({
      object: 'list',
      data: [{ id, object: 'model', owned_by: 'vllm', root: id, max_model_len, permission: [] }],
    }),
  openRouter: (): Reply =>
    json({
      data: [
        {
          id: 'anthropic/claude-sonnet-4.5',
          canonical_slug: 'anthropic/claude-4.5-sonnet',
          name: 'Anthropic: Claude Sonnet 4.5',
          context_length: 1_000_000,
          architecture: {
            input_modalities: ['text', 'image', 'file'],
            output_modalities: ['text'],
            tokenizer: 'Claude',
          },
          pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', image: '0.0048' },
          supported_parameters: ['max_tokens', 'reasoning', 'tools'],
        },
        {
          id: 'meta-llama/llama-3.3-70b-instruct:free',
          name: 'Meta: Llama 3.3 70B (free)',
          context_length: 65_536,
          architecture: { input_modalities: ['text'], output_modalities: ['text'] },
          pricing: { prompt: '0', completion: '0' },
          supported_parameters: ['max_tokens'],
        },
        {
          id: 'openrouter/auto',
          name: 'Auto Router',
          context_length: 2_000_000,
          pricing: { prompt: '-1', completion: '-1' },
        },
        {
          id: 'black-forest/flux',
          name: 'Flux',
          architecture: { input_modalities: ['text'], output_modalities: ['image'] },
        },
      ],
    }),
  fails: (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
    status,
    headers,
    pieces: [typeof body === 'string' ? body : JSON.stringify(body)],
  }),
}
