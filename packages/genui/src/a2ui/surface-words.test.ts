import { applySurfaceOps, emptySurface, type JsonObject, type SurfaceOp } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { surfaceWords } from './surface-words.ts'

function drawn(components: Record<string, JsonObject>, data: JsonObject = {}) {
  const surface = emptySurface()
  const upserts = Object.entries(components).map(([id, component]): SurfaceOp => ({ op: 'upsert', id, component }))
  applySurfaceOps(surface, [{ op: 'create', root: 'root' }, ...upserts, { op: 'set', path: '', value: data }])
  return surface
}

describe('P-9612 the words of a surface', () => {
  it('P-9612 are what people read there, in order, with what is bound and repeated', () => {
    const surface = drawn(
      {
        root: { type: 'Column', children: ['title', 'list', 'go'] },
        title: { type: 'Text', text: 'Walrus watching', variant: 'h2' },
        list: { type: 'List', children: { componentId: 'item', path: '/tours' } },
        item: { type: 'Text', text: { path: 'name' } },
        go: { type: 'Button', text: 'Book now', variant: 'primary' },
      },
      { tours: [{ name: 'Morning tour' }, { name: 'Evening tour' }], unseen: 'not drawn' },
    )
    expect(surfaceWords(surface, 1_000)).toBe('Walrus watching\nMorning tour\nEvening tour\nBook now')
  })

  it('P-9612 have nothing of what people typed, of addresses and of names for the machine, and those of any catalog', () => {
    const surface = drawn(
      {
        root: { type: 'Column', children: ['field', 'pick', 'image', 'own'] },
        field: { type: 'TextField', label: 'Your name', value: { path: '/typed' } },
        pick: { type: 'Select', label: 'Tea', options: [{ label: 'Green tea', value: 'green-id' }], value: 'green-id' },
        image: { type: 'Image', url: 'https://x.test/secret.png', description: 'A harbour' },
        own: { type: 'EnergyMeter', title: 'Kitchen meter', mode: 'compact' },
      },
      { typed: 'Ann Example' },
    )
    const words = surfaceWords(surface, 1_000)
    expect(words.split('\n')).toEqual(
      expect.arrayContaining(['Your name', 'Tea', 'Green tea', 'A harbour', 'Kitchen meter']),
    )
    expect(words).not.toMatch(/Ann Example|x\.test|compact/)
  })

  it('P-9612 are bounded', () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ name: `Row number ${n}` }))
    const components = {
      root: { type: 'List', children: { componentId: 'item', path: '/rows' } },
      item: { type: 'Text', text: { path: 'name' } },
    }
    const words = surfaceWords(drawn(components, { rows }), 2_000)
    expect(words.length).toBeLessThanOrEqual(2_000)
    expect(words).toContain('Row number 1')
  })
})
