import { describe, expect, it } from 'vitest'
import { fakeSession, started } from '../fixtures/session.ts'
import { recall, writtenTexts } from './recall.ts'

describe('what the arrow keys recall', () => {
  const texts = ['newest', 'older\nof two lines', 'oldest']
  const at = (text: string, caret = text.length) => ({ text, caret })

  it('P-8610 Up in an empty composer walks back through what was written, and Down goes forward to the empty composer', () => {
    const first = recall(texts, null, at(''), 'ArrowUp')
    expect(first).toEqual({ at: 0, text: 'newest' })
    const second = recall(texts, first!, at('newest'), 'ArrowUp')
    expect(second).toEqual({ at: 1, text: texts[1] })
    expect(recall(texts, second!, at(texts[1]!), 'ArrowDown')).toEqual(first)
    expect(recall(texts, first!, at('newest'), 'ArrowDown')).toBeNull()
    expect(recall(texts, null, at(''), 'ArrowDown')).toBeUndefined()
  })

  it('P-8610 the keys belong to a text that somebody wrote or changed, and to the lines of a recalled one', () => {
    expect(recall(texts, null, at('mine'), 'ArrowUp')).toBeUndefined()
    expect(recall(texts, { at: 0, text: 'newest' }, at('newest!'), 'ArrowUp')).toBeUndefined()
    const long = { at: 1, text: texts[1]! }
    expect(recall(texts, long, at(long.text), 'ArrowUp')).toBeUndefined()
    expect(recall(texts, long, at(long.text, 2), 'ArrowUp')).toEqual({ at: 2, text: 'oldest' })
    expect(recall(texts, long, at(long.text, 2), 'ArrowDown')).toBeUndefined()
    expect(recall(texts, { at: 2, text: 'oldest' }, at('oldest'), 'ArrowUp')).toBeUndefined()
  })

  it('P-8610 it is what the person wrote in this session, each text once', () => {
    const session = fakeSession().add(started())
    expect(writtenTexts(session.state)).toHaveLength(1)
  })
})
