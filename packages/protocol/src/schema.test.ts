import { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { legalHistory } from './histories.fixture.ts'
import { eventSchemas, jsonSchemas, sessionEvent } from './schema.ts'

describe('P-008 the published JSON Schemas are the shapes that the server checks', () => {
  const ajv = new Ajv({ strict: false })
  const schemas = jsonSchemas()
  const validate = ajv.compile(schemas.event!)

  it('P-008 each event class and each command has a schema', () => {
    for (const type of Object.keys(eventSchemas)) expect(schemas).toHaveProperty([`event.${type}`])
    expect(schemas).toHaveProperty(['command.submitTurn'])
  })

  it('P-011 the latest time that an event may have is the latest that a JavaScript date can hold', () => {
    const [event] = legalHistory(1, 1)
    for (const [at, holds] of [
      [8.64e15, true],
      [8.64e15 + 1, false],
      [Number.MAX_SAFE_INTEGER, false],
    ] as const) {
      expect(sessionEvent.safeParse({ ...event, at }).success).toBe(holds)
      expect(Number.isNaN(new Date(at).getTime())).toBe(!holds)
    }
  })

  it('P-008 schema and server accept legal events and refuse the same broken ones', () => {
    for (const event of legalHistory(5, 300)) {
      expect(validate(event), JSON.stringify(validate.errors)).toBe(true)
      for (const broken of [
        { ...event, seq: 0 },
        { ...event, at: 'now' },
        { ...event, at: 8.64e15 + 1 },
        { ...event, type: 'nope' },
        { ...event, sessionId: 5 },
      ]) {
        expect(sessionEvent.safeParse(broken).success).toBe(false)
        expect(validate(broken)).toBe(false)
      }
    }
  })
})
