import { describe, expect, it } from 'vitest'
import * as examples from './examples.test.data.ts'
import { readSchema, schemaToText, type UiSchemaRenderer, validateSchema, writeSchema } from './index.ts'

const cases = [
  ['US-36 Example 1', examples.simpleText],
  ['US-37 Example 2', examples.cardWithActions],
  ['US-38 Example 3', examples.errorStatusPanel],
  ['US-40 Example 5', examples.sectionLayout],
] as const

describe('the examples of the document', () => {
  for (const [name, example] of cases)
    it(`${name} is legal as printed and reads without repairs`, () => {
      expect(validateSchema(example)).toEqual([])
      const { schema, diagnostics } = readSchema(example)
      expect(diagnostics.filter(d => d.level !== 'default')).toEqual([])
      expect(schemaToText(schema!)).toMatchSnapshot()
      expect(JSON.parse(writeSchema(example as UiSchemaRenderer))).toEqual(example)
    })

  it('US-39 Example 4: type card is a stack with the look of a card, and reported', () => {
    const { schema, diagnostics } = readSchema(examples.gridLayout)
    expect(schema?.root.children).toHaveLength(3)
    for (const child of schema!.root.children)
      expect(child).toMatchObject({ type: 'stack', appearance: 'card', direction: 'vertical' })
    expect(diagnostics.filter(d => d.code === 'alias').map(d => d.path)).toEqual(
      [0, 1, 2].map(i => `/root/children/${i}/type`),
    )
    expect(diagnostics.filter(d => d.level === 'error')).toEqual([])
    expect(validateSchema(examples.gridLayout).map(d => d.code)).toEqual([
      'unknown_type',
      'unknown_type',
      'unknown_type',
    ])
    expect(schemaToText(schema!)).toMatchSnapshot()
  })
})
