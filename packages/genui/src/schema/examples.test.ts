import { describe, expect, it } from 'vitest'
import * as examples from './examples.test.data.ts'
import { readSchema, schemaToText, type UiSchemaRenderer, validateSchema, writeSchema } from './index.ts'

const cases = [
  ['US-36 Example 1', examples.simpleText],
  ['US-37 Example 2', examples.cardWithActions],
  ['US-38 Example 3', examples.errorStatusPanel],
  ['US-39 US-201 Example 4', examples.gridLayout],
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

  it('US-39 US-201 Example 4: a node of type card is a stack with the look of a card', () => {
    const { schema } = readSchema(examples.gridLayout)
    expect(schema?.root.children).toHaveLength(3)
    for (const child of schema!.root.children)
      expect(child).toMatchObject({ type: 'stack', appearance: 'card', direction: 'vertical' })
    // Also as the root, and with what a stack takes beside.
    const card = { root: { type: 'card', direction: 'horizontal', gap: 4, align: 'end', children: [] } }
    expect(validateSchema(card)).toEqual([])
    expect(readSchema(card).schema?.root).toMatchObject({ type: 'stack', appearance: 'card', direction: 'horizontal' })
    // A card that is to look like something else is a contradiction.
    expect(validateSchema({ root: { type: 'card', appearance: 'plain', children: [] } })).toHaveLength(1)
  })
})
