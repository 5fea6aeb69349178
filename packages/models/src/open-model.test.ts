import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { latestRun } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { converse } from './conversation.fixture.ts'
import { modelAgent } from './model-agent.ts'
import { openModel } from './open-model.ts'
import { openaiCompatible } from './wire/openai-chat.fixture.ts'
import { startProvider } from './wire/provider.fixture.ts'

describe('a model by its name', () => {
  it.each([
    ['openai:gpt-x', 'openai.responses'],
    ['anthropic:claude-x', 'anthropic.messages'],
    ['google:gemini-x', 'google.generative-ai'],
    ['ollama:llama3.2:3b', 'ollama.chat'],
  ])('MO-32 %s is a model of %s', async (name, provider) => {
    const model = await openModel(name, { apiKey: 'test-key' })
    expect([model.provider, model.modelId]).toEqual([provider, name.slice(name.indexOf(':') + 1)])
  })

  it.each(['gpt-x', 'nobody:x', ':x', 'openai:', 'toString:x'])(
    'MO-32 %s is refused with the names that exist',
    async name => {
      const names = /openai, anthropic, google, ollama, openai-compatible/
      await expect(openModel(name)).rejects.toThrow(names)
      // An agent that cannot work is refused before a server starts with it.
      expect(() => modelAgent({ agentId: 'm', model: name as 'a:b' })).toThrow(names)
    },
  )

  it('MO-32 a compatible server needs its address', async () => {
    await expect(openModel('openai-compatible:x')).rejects.toThrow(/give baseURL/)
  })

  it('MO-32 MO-1 an agent answers with a model that it was given by name', async () => {
    const provider = await startProvider()
    const talk = await converse(
      modelAgent({ agentId: 'm', model: 'ollama:llama3.2', provider: { baseURL: `${provider.url}/v1` } }),
    )
    provider.answers.push(openaiCompatible.says({ text: ['Hello.'] }))
    expect(latestRun(await talk.ask('Hi'))!.outcome).toBe('completed')
    expect(provider.requests[0]!.body.model).toBe('llama3.2')
    await talk.close()
    await provider.close()
  })

  it('MO-33 a server that does not run is said to be out of reach', async () => {
    const talk = await converse(
      modelAgent({ agentId: 'm', model: 'ollama:llama3.2', provider: { baseURL: 'http://127.0.0.1:9/v1' } }),
    )
    expect(latestRun(await talk.ask('Hi'))!.error).toMatchObject({ code: 'provider_unreachable' })
    await talk.close()
  })
})

it('MO-32 a package that is not installed is named, with the command that installs it', async () => {
  // The loader of another process says that there is no such package.
  const program = `
    import { registerHooks } from 'node:module'
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    registerHooks({
      resolve(name, context, next) {
        if (name === '@ai-sdk/google') throw missing
        return next(name, context)
      },
    })
    const { openModel } = await import(${JSON.stringify(new URL('./open-model.ts', import.meta.url).href)})
    await openModel('google:gemini-x').catch(error => console.log(error.code, error.next))`
  const args = ['--conditions=vitrine-source', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  expect(stdout.trim()).toBe('package_missing Run: npm install @ai-sdk/google')
})
