import { type Json, type JsonObject, MASK } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskResponse } from './mask-response.ts'

const password = { type: 'string', format: 'password' }

/** A schema that has a password somewhere, and a value that fits it with the secret in that place. */
const hiding = fc.letrec<{ place: { schema: JsonObject; value: Json } }>(tie => ({
  place: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constant({ schema: password, value: 'the secret' }),
    fc.constant({ schema: { type: 'string', writeOnly: true }, value: 'the secret' }),
    fc.constant({ schema: { $ref: '#/$defs/hidden' }, value: 'the secret' }),
    fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), tie('place')).map(([name, { schema, value }]) => ({
      schema: { [name]: [{ type: 'null' }, schema] },
      value,
    })),
    fc.tuple(fc.constantFrom('if', 'then', 'else'), tie('place')).map(([name, { schema, value }]) => ({
      schema: { [name]: schema },
      value,
    })),
    tie('place').map(({ schema, value }) => ({ schema: { properties: { a: schema } }, value: { a: value, b: 1 } })),
    tie('place').map(({ schema, value }) => ({ schema: { additionalProperties: schema }, value: { x: value } })),
    tie('place').map(({ schema, value }) => ({ schema: { patternProperties: { '^x': schema } }, value: { x: value } })),
    tie('place').map(({ schema, value }) => ({ schema: { items: schema }, value: [value] })),
    tie('place').map(({ schema, value }) => ({ schema: { prefixItems: [{}, schema] }, value: [1, value] })),
  ),
})).place

describe('L10 responses', () => {
  it('L10 a password is masked wherever the schema says so', () => {
    fc.assert(
      fc.property(hiding, ({ schema, value }) => {
        const shown = JSON.stringify(maskResponse({ ...schema, $defs: { hidden: password } }, value))
        expect(shown).not.toContain('the secret')
        expect(shown).toContain(MASK)
      }),
    )
  })

  it('L10 P-9500 other values stay, and a reference that leads nowhere hides its value', () => {
    const schema = { properties: { name: { $ref: '#/$defs/name' }, list: { items: { anyOf: [{ type: 'number' }] } } } }
    const value = { name: 'Ada', list: [1, 2], more: null }
    expect(maskResponse({ ...schema, $defs: { name: { type: 'string' } } }, value)).toEqual(value)
    expect(maskResponse(schema, value)).toEqual({ ...value, name: MASK })
    expect(maskResponse(undefined, value)).toEqual(value)
    for (const $ref of ['#/$defs/a~1name', '#/$defs/one%20name'])
      expect(maskResponse({ $ref, $defs: { 'a/name': {}, 'one name': {} } }, value)).toEqual(value)
    // A schema that refers to itself comes to an end.
    expect(maskResponse({ allOf: [{ $ref: '#' }] }, value)).toEqual(value)
  })
})
