import { describe, expect, it } from 'vitest'
import { loaders, openCode } from './highlight.ts'
import { KINDS, type Marks } from './highlight-kinds.ts'
import { languageIds, languageOf } from './languages.ts'

/** The pieces of a line that have a colour, with the name of it. */
function pieces(line: string, marks: Marks): [kind: string, text: string][] {
  const found: [string, string][] = []
  let end = 0
  for (let at = 0; at < marks.length; at += 2) {
    const text = line.slice(end, end + marks[at]!)
    end += text.length
    if (KINDS[marks[at + 1]!] !== '') found.push([KINDS[marks[at + 1]!]!, text.trim()])
  }
  expect(end).toBe(line.length)
  return found
}

describe('the colours of code', () => {
  it('P-8902 keywords, names, strings, numbers and comments are told apart', async () => {
    const lines = ["export function f(a: number) { return g('10m', 250) } // both"]
    const reader = await openCode('typescript')
    expect(pieces(lines[0]!, reader.read(lines)[0]!)).toEqual([
      ['keyword', 'export'],
      ['keyword', 'function'],
      ['name', 'f'],
      ['name', 'number'],
      ['keyword', 'return'],
      ['name', 'g'],
      ['string', "'10m'"],
      ['number', '250'],
      ['comment', '// both'],
    ])
  })

  it('P-8902 lines that arrive one by one get the colours that they have together', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    const lines = ['const a = `first', '  ${b + 1} /* no comment */', 'last` /* a', 'comment */ return 1']
    const whole = (await openCode('typescript')).read(lines)
    const reader = await openCode('typescript')
    const arrived: Marks[] = []
    for (const line of lines) {
      for (let end = 0; end < line.length; end++) reader.peek(line.slice(0, end))
      arrived.push(...reader.read([line]))
    }
    expect(arrived).toEqual(whole)
  })

  it('P-8902 every language of the list has its file, and is found by the names that people use', () => {
    expect(Object.keys(loaders).toSorted()).toEqual([...languageIds()].toSorted())
    for (const [name, id] of Object.entries({ ts: 'typescript', Bash: 'shellscript', 'c++': 'cpp', yml: 'yaml' })) {
      expect(languageOf(name)?.id).toBe(id)
    }
    expect(languageOf('constructor')).toBeUndefined()
  })
})
