import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hintsToSchema, uiHintsShape, validateHints } from '../hints/index.ts'
import * as examples from '../schema/examples.test.data.ts'
import { uiSchemaShape, validateSchema } from '../schema/index.ts'
import { jsonSchemaOf } from './json-schema.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
const schema = ajv.compile(jsonSchemaOf(uiSchemaShape))
const hints = ajv.compile(jsonSchemaOf(uiHintsShape))

describe('JSON Schema', () => {
  it('US-55 agrees with the strict check on the examples', () => {
    for (const example of [
      examples.simpleText,
      examples.cardWithActions,
      examples.errorStatusPanel,
      examples.gridLayout,
      examples.sectionLayout,
      examples.compileOutput,
    ])
      expect(schema(example), JSON.stringify(schema.errors)).toBe(true)
    expect(hints(examples.compileInput)).toBe(true)
    expect(validateHints(examples.compileInput)).toEqual([])
  })

  it('US-55 accepts all that the strict check accepts, and refuses what it refuses by shape', () => {
    const shapes = new Set(['missing', 'wrong_type', 'wrong_choice', 'unknown_field', 'unknown_type', 'out_of_range'])
    const node = fc.record(
      {
        type: fc.constantFrom('text', 'badge', 'kv', 'divider', 'progress', 'field', 'nothing'),
        content: fc.oneof(fc.string(), fc.integer()),
        label: fc.string(),
        name: fc.string(),
        status: fc.constantFrom('info', 'other'),
        items: fc.array(fc.record({ key: fc.string(), value: fc.jsonValue() }, { requiredKeys: [] }), { maxLength: 2 }),
        maxLines: fc.integer({ min: -1, max: 3 }),
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.array(node, { maxLength: 3 }), children => {
        const document = { root: { type: 'stack', children: JSON.parse(JSON.stringify(children)) } }
        const found = validateSchema(document)
        if (found.length === 0) expect(schema(document), JSON.stringify(schema.errors)).toBe(true)
        if (found.some(({ code }) => shapes.has(code))) expect(schema(document)).toBe(false)
      }),
      { numRuns: 300 },
    )
    expect(schema(hintsToSchema({ title: 'x', fields: [{ key: 'a' }] }))).toBe(true)
  })
})
