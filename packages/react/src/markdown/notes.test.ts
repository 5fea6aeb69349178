import { describe, expect, it } from 'vitest'
import { TextPieces } from '../views/text-pieces.ts'
import { draw, source } from './markdown.fixture.tsx'
import { markdownBlocks } from './markdown-stream.ts'

const filler = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} ${'of some words '.repeat(40)}\n\n`).join('')
const text = `One[^b] and \`[^code]\`.\n\n\`\`\`\n[^c]\n\`\`\`\n\n${filler}Two[^a] and none[^x].\n\n${filler}[^a]: Text of a.\n\n[^b]: Text of b.\n`

/** What the rows of a text have, drawn as the conversation draws them. */
const rows = (pieces: TextPieces, shown: string, whole: boolean) => {
  const all = pieces.update(source(shown), whole)
  return all.map((piece, at) => draw(markdownBlocks(piece.source, whole || at < all.length - 1).blocks)).join('')
}
const numbers = (drawn: string) => drawn.match(/data-note-ref="\d+"/g)

describe('footnotes of a long text', () => {
  it('P-8905 a place and its text may be in different rows', () => {
    const drawn = rows(new TextPieces(), text, true)
    expect(numbers(drawn)).toEqual(['data-note-ref="1"', 'data-note-ref="2"'])
    expect(drawn).toMatch(/data-note="1".*Text of b.*data-note="2".*Text of a/s)
    expect(drawn).toContain('none[^x].')
  })

  it('P-8905 P-8908 while it arrives, a place keeps its number and is never seen as signs', () => {
    const pieces = new TextPieces()
    for (let end = 20; end < text.length; end += 1_999) {
      const drawn = rows(pieces, text.slice(0, end), false)
      expect(numbers(drawn)![0]).toBe('data-note-ref="1"')
      expect(drawn).not.toContain('One[')
    }
    expect(rows(pieces, text, true)).toBe(rows(new TextPieces(), text, true))
  })
})
