import { describe, expect, it } from 'vitest'
import { type TextPiece, TextPieces } from './text-pieces.ts'

const source = (text: string) => ({ length: text.length, from: (start: number) => text.slice(start) })
const cut = (text: string) => ({ list: new TextPieces().update(source(text), true) })
const starts = (list: readonly TextPiece[]) => list.map(({ start }) => start)
const paragraph = (at: number) => `Paragraph ${at} ${'of some words '.repeat(40)}\n\n`
const paragraphs = (count: number) => Array.from({ length: count }, (_, at) => paragraph(at)).join('')

describe('a long text', () => {
  it('P-8801 is divided between blocks, and the pieces together are the text', () => {
    const text = paragraphs(200)
    const { list } = cut(text)
    expect(list.length).toBeGreaterThan(10)
    expect(list.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
    for (const { start, end } of list) {
      expect(text.slice(start).startsWith('Paragraph')).toBe(true)
      expect(end - start).toBeLessThan(10_000)
    }
  })

  it('P-8801 a short text is one piece', () => {
    expect(cut(paragraphs(5)).list).toHaveLength(1)
  })

  it('P-8801 is divided at the same places when it arrives bit by bit', () => {
    const text = `${paragraphs(30)}\`\`\`ts\n${'const a = 1\n'.repeat(3_000)}\`\`\`\n\n${paragraphs(30)}`
    const growing = new TextPieces()
    for (let end = 0; end < text.length; end += 777) growing.update(source(text.slice(0, end)), false)
    const [first] = growing.update(source(text), false)
    expect(starts(growing.update(source(text), true))).toEqual(starts(cut(text).list))
    expect(growing.update(source(text), true)[0]!.source).toBe(first!.source)
  })

  it('P-8801 a list or a block between blank lines is never torn from what it belongs to', () => {
    const loose = `${'- an item with a few words\n\n  and its second paragraph\n\n'.repeat(100)}\n`
    const text = paragraphs(4) + loose + paragraphs(20)
    for (const { start } of cut(text).list) expect(text.slice(start)).toMatch(/^(Paragraph|- an item)/)
    const deep = Array.from({ length: 400 }, (_, at) => `${'  '.repeat(at)}- level ${at}`).join('\n')
    expect(cut(deep).list).toHaveLength(1)
  })

  it('P-8802 a code block, details and a formula stay whole, and what follows them is divided again', () => {
    const code = `\`\`\`ts\n${'const a = 1\n\nAnd a line\n\n'.repeat(1_000)}\`\`\`\n`
    const details = `<details>\n\n${paragraphs(30)}</details>\n`
    const formula = `$$\n${'a + b\n\nc + d\n\n'.repeat(800)}$$\n`
    for (const block of [code, details, formula]) {
      const text = `${paragraphs(12)}${block}\n${paragraphs(30)}`
      const { list } = cut(text)
      const from = text.indexOf(block)
      expect(list.filter(({ start }) => start > from && start < from + block.length)).toEqual([])
      expect(list.filter(({ start }) => start >= from + block.length).length).toBeGreaterThan(1)
    }
  })

  it('C05 P-8801 many small code blocks make many pieces, also while they arrive', () => {
    const block = '```js\nlet a\n```\n\n'
    const text = block.repeat(200)
    const { list } = cut(text)
    expect(list.length).toBeGreaterThan(10)
    const growing = new TextPieces()
    for (let end = 0; end < text.length; end += 77) growing.update(source(text.slice(0, end)), false)
    expect(starts(growing.update(source(text), true))).toEqual(starts(list))
  })

  it('P-8922 C05 is divided by what drawing it costs: lines, marks and notes weigh more than their characters', () => {
    const few = (count: number, one: (at: number) => string, between: string) =>
      Array.from({ length: count }, (_, at) => one(at)).join(between)
    const texts = {
      paragraphs: few(2_000, () => 'a', '\n\n'),
      items: few(2_000, () => '- a', '\n'),
      notes: few(2_000, at => `[^${at}]: a`, '\n'),
      links: few(200, at => few(5, to => `[a](b${at}${to})`, ' '), '\n\nA '),
      formulas: few(300, at => `So $x_${at}$ and $y$ follow.`, '\n\n'),
    }
    for (const [name, text] of Object.entries(texts)) {
      const { list } = cut(text)
      expect(list.length, name).toBeGreaterThan(text.length / 3_500)
      for (const { start, end } of list) {
        const lines = text.slice(start, end).split('\n').length
        const marks = text.slice(start, end).match(/[[$]/g)?.length ?? 0
        expect(lines, name).toBeLessThan(200)
        expect(marks, name).toBeLessThan(250)
      }
    }
  })

  it('P-8802 a long table has its head in each piece, and a line without an end is divided too', () => {
    const { list } = cut(`| a | b |\n|---|---|\n${'| one | two |\n'.repeat(2_000)}`)
    expect(list.length).toBeGreaterThan(1)
    for (const piece of list) expect(piece.source.from(0).startsWith('| a | b |\n|---|---|\n')).toBe(true)
    expect(cut('word '.repeat(20_000)).list.length).toBeGreaterThan(3)
    expect(cut('x'.repeat(100_000)).list.length).toBeGreaterThan(3)
  })

  it('P-8801 a link that is defined at the end has its address in every piece', () => {
    const { list } = cut(`See [the page][page].\n\n${paragraphs(40)}\n[page]: https://example.org/\n`)
    expect(list[0]!.source.from(0)).toContain('[page]: https://example.org/')
  })

  it('P-8801 a text that was replaced is divided anew', () => {
    const pieces = new TextPieces()
    pieces.update(source(paragraphs(40)), false)
    const other = paragraphs(40).replaceAll('Paragraph', 'Sentence')
    expect(pieces.update(source(other), true)[0]!.source.from(0)).toContain('Sentence 0')
  })
})
