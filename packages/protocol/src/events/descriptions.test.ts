import { describe, expect, it } from 'vitest'
import { createState } from '../entities.ts'
import type { EventType } from '../events.ts'
import { apply } from '../project/apply.ts'
import { eventNotes, eventSchemas, jsonSchemas } from '../schema.ts'
import { verify } from '../verify.ts'
import { examples } from './examples.fixture.ts'
import { guide, written } from './guide.fixture.ts'

interface Node {
  description?: string
  const?: unknown
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  oneOf?: Node[]
}

/** The fields without a description, at any depth. What tells the members of a union apart explains itself. */
function undescribed(node: Node, path: string): string[] {
  const fields = Object.entries(node.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description === undefined && field.const === undefined ? [`${path}/${name}`] : []),
    ...undescribed(field, `${path}/${name}`),
  ])
  const inner = [node.items, ...(node.anyOf ?? []), ...(node.oneOf ?? [])].filter(one => one !== undefined)
  return [...fields, ...inner.flatMap(one => undescribed(one, path))]
}

const types = Object.keys(eventSchemas) as EventType[]
const schemas = jsonSchemas() as Record<string, Node>

describe('P-015 every event says what it is', () => {
  it.each(types)('P-015 %s says when it comes, why, and in which order, and what each of its fields means', type => {
    const note = eventNotes.get(eventSchemas[type])
    for (const text of [note?.when, note?.why, note?.order]) expect(text).toMatch(/^[A-Z`].*\.$/)
    expect(schemas[`event.${type}`]!.description).toBe(`${note!.when} ${note!.why} ${note!.order}`)
    expect(undescribed(schemas[`event.${type}`]!, type)).toEqual([])
  })

  it('P-015 the test would notice a field without a description', () => {
    const node = { properties: { a: { description: 'A.', properties: { b: {} } }, kind: { const: 'x' } } }
    expect(undescribed(node, 'x')).toEqual(['x/a/b'])
  })
})

describe('P-016 the guide to the events', () => {
  it('P-016 has an example of every event class, with exactly the fields of its class', () => {
    expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(types))
    for (const event of examples) {
      const schema = eventSchemas[event.type] as (typeof eventSchemas)['run.started']
      expect([event.type, schema.strict().safeParse(event).error?.issues]).toEqual([event.type, undefined])
    }
  })

  it('P-016 its examples are one session in which every event is legal', () => {
    const state = createState('basel')
    for (const event of examples) {
      expect([event.type, verify(state, event)]).toEqual([event.type, undefined])
      apply(state, event)
    }
    expect(state.diagnostics.byId.has('final_mismatch')).toBe(false)
  })

  it('P-016 is up to date with the schemas and the examples', () => {
    expect(written()).toBe(guide())
  })
})
