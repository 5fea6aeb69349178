import { Lexer } from 'marked'
import { describe, expect, it } from 'vitest'
import { portionOf } from './markdown-block.tsx'

const marksOf = (text: string) => Lexer.lexInline(text)

describe('P-9607 the portions of a paragraph', () => {
  it('P-9607 are smaller where hidden characters are drawn beside the marks, and never empty', () => {
    const plain = portionOf(marksOf('`abc` [x](https://example.org) '.repeat(100)))
    const hidden = portionOf(marksOf('`a\u202eb\u2066c` [\u202ex](https://example.org) '.repeat(100)))
    const full = portionOf(marksOf(`\`${'\u202e'.repeat(50)}\` `.repeat(100)))
    expect([plain, hidden < plain, full]).toEqual([40, true, 10])
  })
})
