import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inline, quoted, shorten, valueTable } from './markdown.ts'

const hostile = fc.string({
  unit: fc.constantFrom(
    '`',
    '``',
    '|',
    '\\',
    '\n',
    '\r',
    '<b>',
    '[a](javascript:1)',
    '*',
    '#',
    ' ',
    'x',
    '\u202e',
    '😀',
  ),
})

const runsOf = (text: string) => (text.match(/`+/g) ?? []).map(run => run.length)

/** A code span ends at the first run of backticks that is as long as its opening run. The text has to end there. */
function isOneCodeSpan(text: string): boolean {
  const fence = /^`+/.exec(text)?.[0].length ?? 0
  return fence > 0 && runsOf(text).filter(run => run === fence).length === 2 && text.endsWith('`'.repeat(fence))
}

describe('foreign text in an answer', () => {
  it('P-504 a block shows any text as code and as nothing else', () => {
    fc.assert(
      fc.property(hostile, text => {
        const lines = quoted(text).split('\n')
        const fence = /^`{3,}/.exec(lines[0]!)![0]
        expect(lines.at(-1)).toBe(fence)
        expect(lines.slice(1, -1).every(line => !line.trimStart().startsWith(fence))).toBe(true)
      }),
    )
  })

  it('P-504 values in a line or a table are code spans, and a table has one row each', () => {
    fc.assert(
      fc.property(hostile, text => {
        const span = inline(text)
        expect(span === '*(empty)*' || isOneCodeSpan(span)).toBe(true)
        const rows = valueTable([['field', text]]).split('\n')
        expect(rows).toHaveLength(3)
        expect(rows[2]!.split('|')).toHaveLength(4)
      }),
    )
  })

  it('P-504 characters that hide or reorder text are left out, and long text is cut between characters', () => {
    expect(inline('a\u202eb\u200bc')).toBe('`abc`')
    expect(shorten('😀'.repeat(10), 3)).toBe('😀😀😀…')
    expect(quoted('x'.repeat(10_000)).length).toBeLessThan(500)
    expect(inline(' \n ')).toBe('*(empty)*')
  })
})
