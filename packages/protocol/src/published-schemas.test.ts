import { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { legalHistory } from './histories.fixture.ts'
import { eventSchemas, jsonSchemas, sessionEvent } from './schema.ts'

describe('P-008 a published JSON Schema', () => {
  const validate = new Ajv({ strict: false }).compile(jsonSchemas().event!)
  const events = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(seed => legalHistory(seed, 200))
  const wrong: unknown[] = [null, true, -1, 'x', [], {}, { type: 5 }]

  it('P-008 gives the same verdict as the server when a field of an event is missing, something else or unknown', () => {
    const seen = new Set<string>()
    const differs: string[] = []
    let refused = 0
    for (const event of events) {
      // One event of each class with each set of fields is enough.
      const shape = `${event.type} ${Object.keys(event).sort()}`
      if (seen.has(shape)) continue
      seen.add(shape)
      for (const name of Object.keys(event)) {
        const { [name as never]: _, ...rest } = event
        const others = [rest, { ...event, nobodyKnows: 1 }, ...wrong.map(value => ({ ...rest, [name]: value }))]
        for (const broken of others) {
          const accepted = sessionEvent.safeParse(broken).success
          if (!accepted) refused++
          if (validate(broken) !== accepted) differs.push(`${event.type}.${name}: ${JSON.stringify(broken)}`)
        }
      }
    }
    expect(differs).toEqual([])
    expect(refused).toBeGreaterThan(500)
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(Object.keys(eventSchemas).length / 2)
  })
})
