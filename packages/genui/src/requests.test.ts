import { readFileSync } from 'node:fs'
import type { JsonObject } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { basicCatalog } from './a2ui/basic-catalog.ts'
import { SurfaceModel } from './a2ui/surface-model.ts'
import { Surfaces } from './a2ui/surfaces.ts'
import { compileHints } from './hints/compile.ts'
import { validateHints } from './hints/index.ts'
import { readSchema, validateSchema } from './schema/index.ts'

type Asked = { request: string; hints?: JsonObject; a2ui?: JsonObject[] }
const all: Asked[] = JSON.parse(readFileSync(new URL('./requests.fixture.json', import.meta.url), 'utf8'))
const ofHints = all.filter(({ hints }) => hints)
const ofA2ui = all.filter(({ a2ui }) => a2ui)

/** What the engine, the surface and every component that is drawn complain about. */
function complaints(envelopes: JsonObject[]): unknown[] {
  const surfaces = new Surfaces()
  const { results } = surfaces.apply(envelopes)
  const found = results.flatMap((result): unknown[] => (result.ok ? (result.diagnostics ?? []) : [result]))
  for (const surfaceId of surfaces.ids) {
    found.push(...surfaces.inspect(surfaceId))
    const onDiagnostic = (diagnostic: unknown) => found.push(diagnostic)
    const model = new SurfaceModel({ surfaceId, catalog: basicCatalog, onDiagnostic }, surfaces.snapshot(surfaceId))
    const visit = (id: string): void => {
      const node = model.getNode(id)
      if (!node || node.missing) found.push(`${id} is missing`)
      else found.push(...node.diagnostics)
      for (const child of node?.children ?? []) visit(child)
    }
    visit(model.getSurface().root!)
  }
  return found
}

describe('twenty things that people ask agents to show', () => {
  it('A2-315 UH-230 there are twenty, answered in both forms', () => {
    expect(new Set(all.map(({ request }) => request)).size).toBe(20)
    expect(Math.min(ofHints.length, ofA2ui.length)).toBeGreaterThanOrEqual(8)
  })

  it.each(ofHints)('UH-230 "$request" is answered by hints without any complaint', ({ hints }) => {
    expect(validateHints(hints)).toEqual([])
    const { schema, diagnostics } = compileHints(hints, { locale: 'en' })
    expect(diagnostics.filter(({ level }) => level !== 'default')).toEqual([])
    expect(validateSchema(schema)).toEqual([])
    expect(readSchema(schema).diagnostics.filter(({ level }) => level !== 'default')).toEqual([])
  })

  it.each(ofA2ui)('A2-315 "$request" is answered by A2UI without any complaint', ({ a2ui }) => {
    expect(complaints(a2ui!)).toEqual([])
  })

  it('A2-315 UH-230 a slip in an answer is found', () => {
    const typo = { intent: 'status', titel: 'Done' }
    expect(validateHints(typo)).not.toEqual([])
    const createSurface = { surfaceId: 's', catalogId: basicCatalog.ids[0]!, root: { id: 'root', type: 'Txt' } }
    expect(complaints([{ version: 'v0.9', createSurface }])).not.toEqual([])
  })
})
