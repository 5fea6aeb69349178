import { describe, expect, it } from 'vitest'
import { gistOf } from './gist.ts'

describe('the gist of a reasoning', () => {
  it('P-8711 is its first words, without marks of Markdown', () => {
    expect(gistOf('\n\n- The **wide bar** is not `CPU`.\nIt is two waits.')).toBe('The wide bar is not CPU.')
    expect(gistOf('')).toBe('')
  })

  it('P-8711 is the newest heading that a model gave it', () => {
    expect(gistOf('**Reading the profile**\n\nI look.\n\n**Two waits in a row**\n\nTax.')).toBe('Two waits in a row')
    expect(gistOf('## Plan\nfirst')).toBe('Plan')
  })

  it('P-8711 is one short line, also without a space', () => {
    expect(gistOf('word '.repeat(100)).length).toBeLessThanOrEqual(161)
    expect(gistOf('字'.repeat(500))).toHaveLength(161)
    expect(gistOf('😀'.repeat(200)).isWellFormed()).toBe(true)
  })
})
