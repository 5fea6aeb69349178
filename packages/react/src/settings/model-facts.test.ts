import { describe, expect, it } from 'vitest'
import { modelFacts } from './model-facts.ts'
import { settingsWords } from './words.ts'

const say = settingsWords('en')

describe('what is said of a model', () => {
  it('SE-60 has what is known, in a line', () => {
    const known = { contextTokens: 200_000, takes: { images: true }, price: { input: 3, output: 15 } }
    expect(modelFacts(say, known)).toBe('200k context, images, $3 / $15 per million')
    expect(modelFacts(say, { contextTokens: 32_768, isLocal: true, price: { input: 0, output: 0 } })).toBe(
      '33k context, on this machine, free',
    )
    expect(modelFacts(say, { price: { input: 0.25, output: 1.5 } })).toBe('$0.25 / $1.5 per million')
  })

  it('SE-60 L8 says nothing of what is not known, and never zero', () => {
    expect(modelFacts(say, {})).toBe('')
    expect(modelFacts(say, { takes: { images: false }, price: { input: 3 } })).toBe('')
  })

  it('SE-61 every sentence has its places in every language', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
    for (const key of ['price', 'keyLooks', 'preset', 'deleteAgent'] as const) {
      expect([key, places(settingsWords('zh-CN')(key))]).toEqual([key, places(settingsWords('en')(key))])
    }
  })
})
