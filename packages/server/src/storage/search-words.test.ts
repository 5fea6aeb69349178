import { describe, expect, it } from 'vitest'
import { phrasesOf, placesOf, wordsOf } from './search-words.ts'
import { snippetOf } from './snippet.ts'

const words = (text: string) => Array.from(wordsOf(text), ({ word }) => word)
const marked = (text: string, search: string) =>
  placesOf(text, phrasesOf(search)).map(({ start, end }) => text.slice(start, end))

describe('the words of a text', () => {
  it('P-9201 are compared without case, accents and width', () => {
    expect(words('Café ＡＢＣ１２, naïve_name')).toEqual(['cafe', 'abc12', 'naive', 'name'])
  })

  it('P-9201 of a script without spaces are pairs of neighbours', () => {
    expect(words('创建会议 plan')).toEqual(['创建', '建会', '会议', '议', 'plan'])
    expect(words('한국어')).toEqual(['한국', '국어', '어'])
    expect(words('𠀀𠀁')).toEqual(['𠀀𠀁', '𠀁'])
  })

  it('P-9201 of a search are phrases: what was typed together stands together', () => {
    expect(phrasesOf('perf/parallel tax')).toEqual([['perf', 'parallel'], ['tax']])
    expect(phrasesOf('创建会议')).toEqual([['创建', '建会', '会议']])
    expect(phrasesOf('会')).toEqual([['会']])
    expect(phrasesOf('Node版本')).toEqual([['node'], ['版本']])
    expect(phrasesOf('…!?')).toEqual([])
    expect(phrasesOf('"quotes" OR NEAR(')).toEqual([['quotes'], ['or'], ['near']])
  })

  it('P-9201 a search of any length is bounded', () => {
    expect(phrasesOf('word '.repeat(1_000)).length).toBeLessThan(50)
    expect(words('x'.repeat(1_000))[0]!.length).toBe(64)
  })

  it('P-9201 are marked where they stand, as far as they were typed', () => {
    expect(marked('A branch of the Branches', 'bra')).toEqual(['bra', 'Bra'])
    expect(marked('请创建一个会议。', '创建 会议')).toEqual(['创建', '会议'])
    expect(marked('三人开会', '会')).toEqual(['会'])
  })
})

describe('a snippet', () => {
  const shown = (text: string, search: string) => {
    const snippet = snippetOf(text, phrasesOf(search))
    return { ...snippet, marked: snippet.ranges.map(({ start, end }) => snippet.text.slice(start, end)) }
  }

  it('P-9202 shows the words around the place in one line, and says where they stand', () => {
    const text = `${'before '.repeat(50)}\n\n## The **latency**\nof the page ${'after '.repeat(80)}`
    const { text: line, marked, begins, ends } = shown(text, 'latency')
    expect(line).toContain('The latency of the page')
    expect(line).toMatch(/^before /)
    expect([marked, begins, ends]).toEqual([['latency'], false, false])
    expect(line.length).toBeLessThan(230)
  })

  it('P-9202 shows an address when the words stand there', () => {
    expect(shown('See [the notes](https://x.test/walrus).', 'walrus').marked).toEqual(['walrus'])
    expect(shown('Short', 'short')).toMatchObject({ text: 'Short', begins: true, ends: true })
  })
})
