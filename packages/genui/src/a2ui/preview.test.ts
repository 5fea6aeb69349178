// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import type { Json, JsonObject, SurfaceOp } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EnvelopeStream } from './envelope-stream.ts'
import { SurfacePreview } from './preview.ts'
import { SurfaceModel } from './surface-model.ts'
import { Surfaces } from './surfaces.ts'
import { parseEnvelopes, TextEnvelopeStream } from './text-envelope-stream.ts'

const text = (id: string): JsonObject => ({ id, component: 'Text', text: 'Hello' })

const nested: JsonObject = {
  version: 'v0.9',
  createSurface: {
    surfaceId: 's',
    catalogId: 'x',
    root: {
      id: 'root',
      type: 'Column',
      children: [
        { id: 'title', type: 'Heading', props: { text: 'Hello "you" \\ é \n', level: 1 } },
        { type: 'Card', children: [{ id: 'inner', type: 'Text', props: { text: { formatString: '${/n}' } } }] },
        { id: 'tabs', type: 'Tabs', props: { tabs: [{ title: 'One', child: { id: 'one', type: 'Divider' } }] } },
      ],
    },
    dataModel: { n: 1.5e3, list: [1, [2], { x: null }], flag: true },
  },
}
const flat: JsonObject = {
  version: 'v0.9',
  updateComponents: {
    surfaceId: 's',
    components: [
      { id: 'root', component: 'Column', children: ['a', 'b'] },
      { id: 'a', component: 'Text', text: 'first' },
      { id: 'b', component: 'Text', text: { path: '/n' } },
    ],
  },
}

const cuts = (text: string, at: readonly number[]) => {
  const points = [0, ...at.map(i => i % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return points.slice(1).map((end, i) => text.slice(points[i], end))
}
const shape = (model: SurfaceModel, id = model.getSurface().root): Json => {
  const node = id === undefined ? undefined : model.getNode(id)
  if (!node) return null
  const { children: _, child: __, ...props } = node.props
  return { id: node.id, type: node.type, props, children: node.children.map(child => shape(model, child)) }
}

describe('A2-111 envelopes from a stream', () => {
  it('A2-111 the same envelopes come out, wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (value, at, wrap) => {
        const envelopes = [nested, { odd: value as Json }, flat]
        const stream = new EnvelopeStream()
        const found: Json[] = []
        for (const piece of cuts(JSON.stringify(wrap ? { envelopes } : envelopes), at))
          found.push(...stream.push(piece).envelopes)
        // JSON has no -0 and no __proto__ trick that equality would see.
        expect(JSON.stringify(found)).toBe(JSON.stringify(envelopes))
        expect(stream.errors).toEqual([])
      }),
    )
  })
  it('A2-111 JSON Lines: a broken line spoils only itself', () => {
    const lines = [
      JSON.stringify(nested),
      '{"version": "v0.9", "cut',
      JSON.stringify(flat),
      '{"a": tru}',
      '{"open": [1',
      JSON.stringify(flat),
    ]
    const { envelopes, errors } = parseEnvelopes(lines.join('\n'))
    expect(envelopes).toEqual([nested, flat, flat])
    expect(errors).toHaveLength(3)
  })
  it('A2-111 prose around a block stays prose', () => {
    const text = `Before <b> <a2ui-json>${JSON.stringify(flat)}</a2ui-json> after <a2`
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), at => {
        const stream = new TextEnvelopeStream({ mode: 'tagged' })
        let prose = ''
        const found: Json[] = []
        for (const piece of cuts(text, at)) {
          const output = stream.push(piece)
          prose += output.text
          found.push(...output.envelopes)
        }
        prose += stream.end().text
        expect(prose).toBe('Before <b>  after <a2')
        expect(found).toEqual([flat])
      }),
    )
  })
  it('A2-111 says when the text ends in the middle', () => {
    const stream = new EnvelopeStream()
    stream.push('{"version": "v0.9"')
    stream.end()
    expect(stream.errors).toHaveLength(1)
  })
})

describe('A2-111 preview', () => {
  const feed = (preview: SurfacePreview, model: SurfaceModel, chunk: string) => {
    preview.push(chunk)
    for (const [, ops] of preview.take()) model.apply(ops)
  }

  it('A2-111 a component appears when its own object is complete, its open parents with it', () => {
    const preview = new SurfacePreview()
    const model = new SurfaceModel({ surfaceId: 's' })
    feed(
      preview,
      model,
      '{"envelopes":[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"x","root":{"id":"root","type":"Column","children":[',
    )
    expect(shape(model)).toMatchObject({ type: 'Column', children: [] })
    feed(preview, model, '{"id":"a","type":"Text","props":{"text":"Hel')
    expect(shape(model)).toMatchObject({ children: [{ id: 'a', props: { text: 'Hel' } }] })
    feed(preview, model, 'lo"}},{"id":"b","ty')
    expect(shape(model)).toMatchObject({ children: [{ id: 'a', props: { text: 'Hello' } }] })
    const a = model.getNode('a')
    feed(preview, model, 'pe":"Divider"}]},"dataModel":{"list":[1,{"x":2},{"y"')
    expect(model.getNode('root')?.children).toEqual(['a', 'b'])
    expect(model.dataModel()).toEqual({ list: [1, { x: 2 }, {}] })
    feed(preview, model, ':3}]}}}]}')
    expect(model.dataModel()).toEqual({ list: [1, { x: 2 }, { y: 3 }] })
    expect(model.getNode('a')).toBe(a)
  })

  it('A2-341 a surface whose root is named begins with that component, as the applied one does', () => {
    const envelopes = [
      { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'x', root: 'main', components: [text('main')] } },
    ]
    const preview = new SurfacePreview()
    const model = new SurfaceModel({ surfaceId: 's' })
    feed(preview, model, JSON.stringify({ envelopes }).slice(0, -4))
    expect(shape(model)).toMatchObject({ id: 'main', props: { text: 'Hello' } })
  })

  it('A2-341 a surface of a host is read with the traits of its catalog', () => {
    const catalogOf = (id: string | undefined) =>
      id === 'host' ? { traits: (type: string) => (type === 'Shelf' ? { refs: ['books'] } : {}) } : undefined
    const shelf = { id: 'root', component: 'Shelf', books: [text('a')] }
    const envelopes = [{ version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'host', root: shelf } }]
    const preview = new SurfacePreview({ catalogOf })
    preview.push(JSON.stringify({ envelopes }))
    const upserts = [...preview.take().values()].flat().filter(op => op.op === 'upsert')
    expect(upserts.map(({ id }) => id).sort()).toEqual(['a', 'root'])
  })

  it('A2-111 wherever it is cut, it ends as the applied surface', () => {
    const applied = new SurfaceModel({ surfaceId: 's' })
    for (const result of new Surfaces().apply([nested, flat]).results) if (result.ok) applied.apply(result.ops)
    for (const envelopes of [[nested], [nested, flat]]) {
      const end = new SurfaceModel({ surfaceId: 's' })
      for (const result of new Surfaces().apply(envelopes).results) if (result.ok) end.apply(result.ops)
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 12 }), at => {
          const preview = new SurfacePreview()
          const model = new SurfaceModel({ surfaceId: 's' })
          for (const piece of cuts(JSON.stringify({ envelopes }), at)) feed(preview, model, piece)
          expect(shape(model)).toEqual(shape(end))
          expect(model.dataModel()).toEqual(end.dataModel())
        }),
      )
    }
  })
  it('A2-111 hands out what is new: each component once when complete, and what is open again', () => {
    const components = Array.from({ length: 500 }, (_, i) => ({ id: `t${i}`, component: 'Text', text: `text ${i}` }))
    const root = { id: 'root', component: 'Column', children: components.map(({ id }) => id) }
    const json = JSON.stringify([
      flat,
      { version: 'v0.9', updateComponents: { surfaceId: 's', components: [root, ...components] } },
    ])
    const preview = new SurfacePreview()
    const count: Record<string, number> = {}
    for (let i = 0; i < json.length; i += 20) {
      preview.push(json.slice(i, i + 20))
      for (const [, ops] of preview.take())
        for (const op of ops) if (op.op === 'upsert') count[op.id] = (count[op.id] ?? 0) + 1
    }
    // Some 60 characters each, in pieces of 20: never more often than it was seen open.
    for (const { id } of components) expect(count[id]).toBeLessThanOrEqual(4)
  })
  it('A2-123 hostile pieces break nothing', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom(
              '{',
              '}',
              '[',
              ']',
              '"',
              ':',
              ',',
              '\\u00',
              '{"version":"v0.9","createSurface":{"surfaceId":"s","root":{"id":"__proto__","type":"Text",',
              '"__proto__":{"polluted":1}',
            ),
          ),
        ),
        pieces => {
          const preview = new SurfacePreview()
          const model = new SurfaceModel({ surfaceId: 's' })
          const all: SurfaceOp[] = []
          for (const piece of pieces) {
            preview.push(piece)
            for (const [, ops] of preview.take()) all.push(...ops)
          }
          model.apply(all)
          expect(({} as JsonObject).polluted).toBeUndefined()
        },
      ),
    )
  })
})
