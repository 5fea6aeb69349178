import { describe, expect, it } from 'vitest'
import { hasWholeWords, phrasesOf, placesOf, searchTest, wordsOf } from './search-words.ts'

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

describe('P-9610 the one rule by which something is found', () => {
  const found = (text: string, search: string) => searchTest(search)(text)

  it('P-9610 every word has to begin somewhere, in any order, whatever its case, accents and width', () => {
    expect(found('Crème brûlée, the recipe', 'recipe CREME')).toBe(true)
    expect(found('The ＡＢＣ of tea', 'abc')).toBe(true)
    expect(found('The map', 'ap')).toBe(false)
    expect(found('请创建一个会议', '会议 创建')).toBe(true)
    expect(found('perf/parallel', 'perf/par')).toBe(true)
    expect(found('parallel perf', 'perf/par')).toBe(false)
  })

  it('P-9610 a search of signs alone finds them as they are, and one for nothing finds all', () => {
    expect([found('C++ and C', '++'), found('C and D', '++'), found('Keys ?', '?')]).toEqual([true, false, true])
    expect([found('anything', ''), found('anything', '  ')]).toEqual([true, true])
  })

  it('P-9610 whole words are those that stand side by side and end there', () => {
    expect(hasWholeWords('please run tools in parallel', 'run tools')).toBe(true)
    expect(hasWholeWords('run the tools', 'run tools')).toBe(false)
    expect(hasWholeWords('planned', 'plan')).toBe(false)
    expect(hasWholeWords('帮我做计划吧', '计划')).toBe(true)
  })
})
