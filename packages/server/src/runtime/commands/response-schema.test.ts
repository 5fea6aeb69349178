import type { JsonObject } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { responseProblem, schemaProblem } from './response-schema.ts'

const form = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...rest })

describe('H12 the schema of a response is limited before it is compiled', () => {
  it('H12 a schema whose references double with each level is refused at once', () => {
    const levels = 9
    const definitions = Object.fromEntries(
      Array.from({ length: levels }, (_, i) => [
        `l${i}`,
        i === levels - 1
          ? { type: 'string' }
          : { anyOf: Array.from({ length: 6 }, () => ({ $ref: `#/$defs/l${i + 1}` })) },
      ]),
    )
    const bomb = { ...form({ x: { $ref: '#/$defs/l0' } }), $defs: definitions } as JsonObject
    expect(JSON.stringify(bomb).length).toBeLessThan(3_000)
    const small = process.threadCpuUsage()
    schemaProblem(form(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, { type: 'string' }]))))
    const unit = process.threadCpuUsage(small).user
    const before = process.threadCpuUsage()
    expect(schemaProblem(bomb)).toContain('2000 parts when its references are written out')
    // Compiling it takes a second and twice as long for each level more; a schema of 200 fields takes a few milliseconds.
    expect(process.threadCpuUsage(before).user).toBeLessThan(Math.max(unit * 20, 50_000))
  })

  it.each<[string, JsonObject, string]>([
    ['refers to itself', form({ next: { $ref: '#' } }), 'refers to itself'],
    ['is nested too deep', [...'x'.repeat(40)].reduce<JsonObject>(inner => ({ not: inner }), {}), 'deeper than 32'],
    ['is too long', form({ a: { description: 'x'.repeat(40_000) } }), 'longer than'],
    ['has a reference to nothing', form({ a: { $ref: '#/$defs/none' } }), ''],
  ])('H12 a schema that %s is refused with the reason', (_name, schema, reason) => {
    expect(schemaProblem(schema)).toContain(reason)
  })

  it('H12 a schema for a form is used, with references', async () => {
    const schema = {
      ...form({ mail: { $ref: '#/$defs/mail' }, size: { enum: ['S', 'M'] } }, { required: ['mail'] }),
      $defs: { mail: { type: 'string', pattern: '^[^@]+@[^@]+$' } },
    } as JsonObject
    expect(schemaProblem(schema)).toBeUndefined()
    expect(await responseProblem(schema, { mail: 'a@b' })).toBeUndefined()
    expect(await responseProblem(schema, { mail: 'nobody' })).toContain('mail')
  })

  it('H12 a pattern that takes for ever is stopped while the server goes on', async () => {
    const schema = form({ a: { type: 'string', pattern: '^(a+)+$' } })
    expect(schemaProblem(schema)).toBeUndefined()
    let ticks = 0
    const clock = setInterval(() => ticks++, 5)
    const problem = await responseProblem(schema, { a: `${'a'.repeat(41)}!` })
    clearInterval(clock)
    expect(problem).toContain('could not be checked in time')
    expect(ticks).toBeGreaterThan(5)
    expect(await responseProblem(schema, { a: 'aaa' })).toBeUndefined()
    expect(await responseProblem(schema, { a: 'b' })).toContain('a:')
  })

  it('H12 a pattern in the names of properties is judged as well', async () => {
    const schema: JsonObject = { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } }
    expect(await responseProblem(schema, { [`${'a'.repeat(41)}!`]: 'x' })).toContain('in time')
  })
})
