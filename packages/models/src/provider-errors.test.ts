import { APICallError } from 'ai'
import { describe, expect, it } from 'vitest'
import { explain } from './provider-errors.ts'

const failure = (statusCode: number | undefined, message: string, headers: Record<string, string> = {}) =>
  new APICallError({
    message,
    url: 'http://127.0.0.1:1/v1/chat',
    requestBodyValues: {},
    responseHeaders: headers,
    responseBody: '',
    ...(statusCode !== undefined && { statusCode }),
  })

describe('what a provider answers', () => {
  it.each([
    [401, 'no', 'key_invalid', false],
    [403, 'no', 'key_invalid', false],
    [402, 'no', 'no_credit', false],
    [429, 'You exceeded your current quota, please check your plan and billing details.', 'no_credit', false],
    [429, 'Slow down.', 'rate_limited', true],
    [404, 'The model `x` does not exist', 'model_not_found', false],
    [400, "This model's maximum context length is 8192 tokens.", 'context_too_long', false],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'context_too_long', false],
    [413, 'too large', 'context_too_long', false],
    [400, 'Images are not supported.', 'files_unsupported', false],
    [404, 'No endpoints found that support image input', 'files_unsupported', false],
    [400, 'image_url is only supported by certain models.', 'files_unsupported', false],
    [400, 'registry.ollama.ai/library/gemma does not support tools', 'tools_unsupported', false],
    [404, 'Function calling is not enabled for this model', 'tools_unsupported', false],
    [400, 'Streaming is not supported for this model.', 'streaming_unsupported', false],
    [400, 'temperature is odd', 'request_refused', false],
    [500, 'Oops', 'provider_failed', true],
    [503, 'Overloaded', 'provider_failed', true],
    [undefined, 'Cannot connect to API: connect ECONNREFUSED', 'provider_unreachable', true],
  ])('MO-33 %s %s is %s', (status, message, code, again) => {
    const found = explain(failure(status, message))
    expect([found.error.code, found.again]).toEqual([code, again])
    expect(found.error.next).toMatch(/\.$/)
  })

  it('MO-5 MO-33 says how long to wait, in each form that providers use', () => {
    const waits = (headers: Record<string, string>) => explain(failure(429, 'Slow down.', headers)).waitMs
    expect(waits({ 'retry-after': '2' })).toBe(2_000)
    expect(waits({ 'retry-after-ms': '250' })).toBe(250)
    expect(waits({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toBeGreaterThan(50_000)
    expect(waits({ 'retry-after': 'soon' })).toBeUndefined()
  })

  it('MO-4 repeats no key that the provider repeats', () => {
    const { error } = explain(failure(400, 'The key sk-live-1234567890abcdef and Bearer abcdefgh12345678 are odd.'))
    expect(error.message).not.toMatch(/1234567890|abcdefgh/)
  })
})
