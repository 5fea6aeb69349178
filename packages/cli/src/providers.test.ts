import { describe, expect, it } from 'vitest'
import { modelAgents } from './models.ts'
import { givenProviders, modelChoice, ollamaAddress } from './providers.ts'

describe('providers of the environment', () => {
  it('SE-21 each key connects its provider, and nothing else does', () => {
    expect(givenProviders({})).toEqual([])
    expect(givenProviders({ OPENAI_API_KEY: ' ', HOME: '/home/ann' })).toEqual([])
    const environment = {
      OPENAI_API_KEY: ' sk-one\n',
      OPENAI_BASE_URL: 'http://127.0.0.1:9000/v1/',
      ANTHROPIC_API_KEY: 'sk-two',
      GOOGLE_GENERATIVE_AI_API_KEY: 'AIza',
      OLLAMA_HOST: '0.0.0.0',
    }
    expect(givenProviders(environment)).toEqual([
      { providerId: 'env-openai', kind: 'openai', apiKey: 'sk-one', baseURL: 'http://127.0.0.1:9000/v1' },
      { providerId: 'env-anthropic', kind: 'anthropic', apiKey: 'sk-two' },
      { providerId: 'env-google', kind: 'google', apiKey: 'AIza' },
      { providerId: 'env-ollama', kind: 'ollama', baseURL: 'http://127.0.0.1:11434/v1' },
    ])
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000/v1'],
    [':4000', 'http://127.0.0.1:4000/v1'],
    ['0.0.0.0:4000', 'http://127.0.0.1:4000/v1'],
    ['http://box:11434/', 'http://box:11434/v1'],
    ['https://ollama.example.org', 'https://ollama.example.org/v1'],
    ['https://example.org/ollama/v1', 'https://example.org/ollama/v1'],
    ['[::1]:4000', 'http://[::1]:4000/v1'],
  ])('SE-21 OLLAMA_HOST=%s is %s', (host, address) => expect(ollamaAddress(host)).toBe(address))

  it('SE-21 --model names a provider and a model, and what is missing is said', () => {
    const given = givenProviders({ OPENAI_API_KEY: 'sk-one' })
    expect(modelChoice('openai:gpt-5', given)).toEqual({ provider: given[0], modelId: 'gpt-5' })
    expect(modelChoice('ollama:llama3.2:3b', given)).toEqual({
      provider: { providerId: 'env-ollama', kind: 'ollama' },
      modelId: 'llama3.2:3b',
    })
    expect(modelChoice('anthropic:x', given)).toEqual({ wrong: expect.stringContaining('set ANTHROPIC_API_KEY') })
    for (const name of ['gpt-5', ':x', 'openai:', 'nobody:x']) {
      expect(modelChoice(name, given)).toEqual({ wrong: expect.stringContaining('openai, anthropic, google, ollama') })
    }
  })

  it('SE-21 each named model is a ready agent that says which it is', async () => {
    const { models, ready } = await modelAgents(['openai:gpt-5', 'ollama:llama3.2'], { OPENAI_API_KEY: 'sk-one' })
    expect(ready).toMatchObject([
      { agentId: 'assistant', name: 'GPT-5', model: { providerId: 'env-openai', modelId: 'gpt-5' } },
      { agentId: 'assistant-2', name: 'llama3.2', model: { providerId: 'env-ollama' } },
    ])
    expect(models.given!.map(({ providerId }) => providerId)).toEqual(['env-openai', 'env-ollama'])
    await expect(modelAgents(['google:x'], {})).rejects.toThrow(/GOOGLE_GENERATIVE_AI_API_KEY/)
  })
})
