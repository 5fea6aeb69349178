import { createGoogle } from '@ai-sdk/google'
import type { Said, Wire } from './provider.fixture.ts'

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\r\n\r\n`
const parts = (list: object[], more: object = {}): string =>
  data({ candidates: [{ content: { parts: list, role: 'model' }, index: 0, ...more }], modelVersion: 'test-model' })

function beginning({ reasoning, text = [], calls = [], image }: Said): string[] {
  return [
    ...(reasoning ? [parts([{ text: reasoning, thought: true }])] : []),
    ...text.map(piece => parts([{ text: piece }])),
    ...(image ? [parts([{ inlineData: { mimeType: 'image/png', data: image } }])] : []),
    // Calls come whole; the first one carries what Google wants back.
    ...(calls.length > 0
      ? [
          parts(
            calls.map(({ id, name, args }, index) => ({
              functionCall: { id, name, args },
              ...(index === 0 && reasoning && { thoughtSignature: `signed:${reasoning}` }),
            })),
          ),
        ]
      : []),
  ]
}

/** Google generateContent. */
export const google: Wire = {
  name: 'Google generateContent',
  model: baseURL => createGoogle({ baseURL: `${baseURL}/v1beta`, apiKey: 'test-key' })('gemini-2.5-flash'),
  says: said => {
    const { input = 12, output = 5, cached = 0, reasoning = 0 } = said.usage ?? {}
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
    }
    const end = data({
      candidates: [
        { content: { parts: [{ text: '' }], role: 'model' }, finishReason: said.finish ?? 'STOP', index: 0 },
      ],
      usageMetadata,
      modelVersion: 'test-model',
    })
    return { pieces: [...beginning(said), end] }
  },
  saysBeginning: said => ({ pieces: beginning(said) }),
  fails: (status, message, headers = {}) => ({
    status,
    headers,
    pieces: [JSON.stringify({ error: { code: status, message, status: 'FAILED' } })],
  }),
}
