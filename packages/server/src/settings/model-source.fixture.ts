import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Agent } from '../agents/agent.ts'
import { AgentError } from '../agents/agent-error.ts'
import type { GivenProvider, ModelSource, ProviderAccess } from '../agents/model-source.ts'

/** A provider on loopback that lists two models for the right key, and repeats a wrong key in its refusal. */
export interface EchoingProvider {
  url: string
  /** The only key that it takes. Without one it takes everything. */
  key: string | undefined
  /** The keys that it was given, in order. */
  keys: (string | undefined)[]
  close(): Promise<void>
}

export async function startEchoingProvider(key?: string): Promise<EchoingProvider> {
  const server = createServer((request, response) => {
    const given = request.headers.authorization?.replace('Bearer ', '')
    provider.keys.push(given)
    const isRight = provider.key === undefined || given === provider.key
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
    const refusal = { error: { message: `Incorrect API key provided: ${given}`, base64: btoa(given ?? '') } }
    response.end(JSON.stringify(isRight ? { data: [{ id: 'small' }, { id: 'large' }] } : refusal))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const provider: EchoingProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key,
    keys: [],
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return provider
}

/**
 * A source of models as careless as one may be: it repeats everything that the provider says. Its agent says with which
 * model, instructions and key length it answers.
 */
export function carelessSource(defaultAddress: string, given: readonly GivenProvider[] = []): ModelSource {
  const ask = ({ baseURL = defaultAddress, apiKey }: ProviderAccess, signal?: AbortSignal) =>
    fetch(`${baseURL}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      ...(signal && { signal }),
    })
  return {
    given,
    kinds: [
      { kind: 'cloud', name: 'Cloud', key: 'required', address: 'optional', defaultAddress },
      {
        kind: 'local',
        name: 'Local',
        key: 'optional',
        address: 'required',
        presets: [{ name: 'Public', address: 'https://public.example.org/v1', key: 'required' }],
      },
      { kind: 'fixed', name: 'Fixed', key: 'none', address: 'none' },
    ],
    async test(access, signal) {
      const response = await ask(access, signal)
      const body = await response.text()
      if (!response.ok) {
        return {
          ok: false,
          code: 'key_refused',
          message: `Refused: ${body}`,
          next: 'Copy the key again.',
          response: body,
        }
      }
      const { data } = JSON.parse(body) as { data: { id: string }[] }
      return { ok: true, message: 'It works.', models: data.map(({ id }) => ({ modelId: id })) }
    },
    info: (_, modelId) => ({
      modelId,
      ...(modelId === 'large' && { name: 'Large', contextTokens: 1_000, efforts: ['low', 'high'] }),
    }),
    agent({ agentId, name, description, modelId, instructions, providerId }, access): Agent {
      return {
        agentId,
        name,
        description,
        scripted: false,
        model: { providerId, modelId },
        async *run(input, context) {
          const given = await access()
          const response = await ask(given)
          if (!response.ok) throw new AgentError('The key was refused.', { code: 'key_invalid' })
          yield { type: 'text.delta', partId: 'a', delta: `${modelId} (${instructions}) begins. ` }
          if (input.text === 'wait') await context.steers.wait()
          yield { type: 'text.delta', partId: 'a', delta: `${modelId} (${instructions}) ends.` }
        },
      }
    },
  }
}
