import { describe, expect, it } from 'vitest'
import { compileInput } from '../schema/examples.test.data.ts'
import { validateSchema } from '../schema/index.ts'
import { hintsToSchema } from './index.ts'

const typical = [
  compileInput,
  {
    intent: 'data',
    title: 'Orders',
    table: {
      columns: ['Order', 'Total'],
      rows: [
        ['A-1', 12.5],
        ['A-2', 9],
        ['A-3', 120],
      ],
    },
  },
  {
    intent: 'form',
    title: 'Contact',
    fields: [
      { key: 'name', required: true, minLength: 2 },
      { key: 'email', type: 'email', required: true },
      { key: 'subject', options: { sales: 'Sales', support: 'Support' } },
    ],
  },
]

/** The best of a few windows: other work on the machine is not what is measured. */
function rate(inputs: readonly unknown[], work: (input: unknown) => unknown): number {
  const window = (): number => {
    const before = process.threadCpuUsage()
    const spent = () => process.threadCpuUsage(before).user
    let done = 0
    for (; spent() < 60_000; done += inputs.length) for (const input of inputs) work(input)
    return (done * 1_000_000) / spent()
  }
  return Math.max(...Array.from({ length: 6 }, window))
}

describe('speed', () => {
  it('UH-32 compiles 10,000 typical payloads a second', () => {
    expect(rate(typical, hintsToSchema)).toBeGreaterThan(10_000)
  })

  it('US-60 checks 20,000 typical schemas a second', () => {
    const schemas = typical.map(hints => hintsToSchema(hints))
    expect(rate(schemas, schema => validateSchema(schema))).toBeGreaterThan(20_000)
  })
})
