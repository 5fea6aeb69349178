import { phrasesOf } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { snippetOf } from './snippet.ts'

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

  it('P-9611 a table is shown as its cells, also when the snippet begins in the middle of a row', () => {
    const table = '| Name | Colour |\n|:-----|-------:|\n| Walrus | grey \\| brown |\n| Otter | brown |'
    expect(shown(table, 'walrus').text).toBe('Name · Colour Walrus · grey | brown Otter · brown')
    const long = `${table}\n| ${'filler '.repeat(30)} | penguin | black |`
    expect(shown(long, 'penguin').text).toMatch(/filler · penguin · black$/)
    expect(shown('Name | Colour\n--- | ---\nWalrus | grey', 'walrus').text).toBe('Name · Colour Walrus · grey')
    expect(shown('a || b is walrus', 'walrus').text).toBe('a || b is walrus')
  })
})
