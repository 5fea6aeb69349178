import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ThinkBlocks } from './think-blocks.ts'

/** What the pieces of a text say together, when it comes in these deltas. */
function divided(deltas: readonly string[]) {
  const blocks = new ThinkBlocks()
  const pieces = [...deltas.flatMap(delta => blocks.push(delta)), ...blocks.end()]
  const said = (kind: string) => pieces.filter(piece => piece.kind === kind)
  const reasoning: string[] = []
  for (const { block, text } of said('reasoning')) reasoning[block - 1] = (reasoning[block - 1] ?? '') + text
  return {
    reasoning: reasoning.filter(Boolean),
    answer: said('text')
      .map(({ text }) => text)
      .join(''),
    removed: blocks.removed,
  }
}

/** The text in deltas that end at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map(place => place % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...ends].map((from, index) => text.slice(from, ends[index] ?? text.length)).filter(Boolean)
}

const words = fc.stringMatching(/^[a-z <>/\n]{0,12}$/)
const tag = fc.constantFrom(
  '<think>',
  '</think>',
  '<thinking>',
  '</thinking>',
  '<THINK>',
  '</Think>',
  '<',
  '</thi',
  '\n',
)
const texts = fc.array(fc.oneof(words, tag, fc.string({ maxLength: 6 })), { maxLength: 8 }).map(all => all.join(''))

describe('P-8710 blocks of reasoning at the beginning of a text', () => {
  it('P-8710 L5 the block is reasoning, what follows it is the answer', () => {
    const text = '<think>\nTwo waits in a row.\n</think>\n\nThe **answer**.'
    expect(divided([text])).toEqual({
      reasoning: ['Two waits in a row.\n'],
      answer: 'The **answer**.',
      removed: text.indexOf('The'),
    })
  })

  it('P-8710 both names of the tag count, in any case, and white space before them', () => {
    expect(divided(['\n <Thinking>a</thinking> b'])).toMatchObject({ reasoning: ['a'], answer: 'b' })
    expect(divided(['<think>a</thinking></think>b'])).toMatchObject({ reasoning: ['a</thinking>'], answer: 'b' })
  })

  it('P-8710 several blocks one after the other are several thoughts, and an empty one is none', () => {
    expect(divided(['<think>\n\n</think>\n<think>b</think>c'])).toMatchObject({ reasoning: ['b'], answer: 'c' })
    expect(divided(['<think>a</think><think>b</think>c'])).toMatchObject({ reasoning: ['a', 'b'], answer: 'c' })
  })

  it('P-8710 a block that nobody closes is reasoning to its end', () => {
    expect(divided(['<think>cut o', 'ff </thi'])).toMatchObject({ reasoning: ['cut off </thi'], answer: '' })
  })

  it('P-8710 text that speaks of the tags stays as it is', () => {
    for (const text of [
      'Models write <think>…</think> first.',
      '`<think>` opens a block.',
      '```xml\n<think>a</think>\n```',
      '<thinker>a</thinker>',
      '<',
      '\n\n',
      `${' '.repeat(300)}<think>a</think>`,
    ])
      expect(divided([text]), text).toEqual({ reasoning: [], answer: text, removed: 0 })
  })

  it('P-8710 the pieces are the same however the text is cut into deltas', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        expect(divided(cut(text, places))).toEqual(divided(text ? [text] : []))
      }),
      { numRuns: 2_000 },
    )
  })

  it('P-8710 the answer is the end of the text, and nothing but tags and white space around them is lost', () => {
    fc.assert(
      fc.property(texts, text => {
        const { reasoning, answer, removed } = divided(text ? [text] : [])
        expect(text.slice(removed)).toBe(answer)
        const bare = (given: string) => given.replace(/<\/?think(?:ing)?>|\s/gi, '')
        expect([...reasoning, answer].map(bare).join('')).toBe(bare(text))
      }),
      { numRuns: 2_000 },
    )
  })
})
