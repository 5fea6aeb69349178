import { describe, expect, it } from 'vitest'
import { readPath, referencePath } from './pointer.ts'

describe('P-9500 references within a document', () => {
  it.each([
    ['#', []],
    ['#/$defs/name', ['$defs', 'name']],
    ['#/$defs/a~1b~0c', ['$defs', 'a/b~c']],
    ['#/$defs/two%20words', ['$defs', 'two words']],
    ['#/$defs/100%', ['$defs', '100%']],
    ['#anchor', undefined],
    ['other.json#/$defs/name', undefined],
    ['', undefined],
  ])('%s has its path, or none', (reference, path) => {
    expect(referencePath(reference)).toEqual(path)
  })

  it('a reference leads to what stands in the document', () => {
    const document = { $defs: { 'a/b': { type: 'string' } } }
    expect(readPath(document, referencePath('#/$defs/a~1b')!)).toEqual({ type: 'string' })
  })
})
