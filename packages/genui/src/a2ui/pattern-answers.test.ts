import { afterAll, describe, expect, it } from 'vitest'
import type { UiDiagnostic } from '../diagnostic.ts'
import { nodePatternWorker } from '../pattern/worker-node.ts'
import { SurfaceModel } from './surface-model.ts'

describe('A2-108 patterns of a surface', () => {
  const worker = nodePatternWorker()
  // On a busy machine the answer to a harmless pattern may come late.
  const patientWorker = nodePatternWorker(10_000)
  afterAll(() => {
    worker.close()
    patientWorker.close()
  })

  const field = (pattern: string, patternWorker?: typeof worker) => {
    const seen: UiDiagnostic[] = []
    const check = { condition: { call: 'regex', args: { value: { path: '/v' }, pattern } }, message: 'wrong' }
    const model = new SurfaceModel(
      { surfaceId: 's', onDiagnostic: d => seen.push(d), ...(patternWorker ? { patternWorker } : {}) },
      [
        { op: 'create', root: 'root' },
        { op: 'upsert', id: 'root', component: { type: 'Button', text: 'x', checks: [check] } },
      ],
    )
    return { model, seen }
  }
  const told = (model: SurfaceModel) => new Promise<void>(done => void model.subscribe('root', done))

  it('A2-108 a check waits for its answer, and a button waits with it', async () => {
    const { model } = field('^([a-z]+)*$', patientWorker)
    model.apply([{ op: 'set', path: '/v', value: 'abc' }])
    expect(model.getNode('root')).toMatchObject({ pending: true, disabled: true, errors: [] })
    await told(model)
    expect(model.getNode('root')).toMatchObject({ pending: false, disabled: false, errors: [] })
  })
  it('A2-108 C05 a time-out counts as not matching and is a diagnostic', async () => {
    const { model, seen } = field('^(a+)+$', worker)
    model.apply([{ op: 'set', path: '/v', value: `${'a'.repeat(40)}!` }])
    // On this thread the pattern would take years.
    expect(model.getNode('root')).toMatchObject({ pending: true, disabled: true })
    await told(model)
    expect(model.getNode('root')).toMatchObject({ pending: false, errors: ['wrong'] })
    expect(seen).toMatchObject([{ code: 'pattern_timeout' }])
  })
  it('A2-108 what is no pattern matches nothing and says so', () => {
    const { model, seen } = field('(', worker)
    expect(model.getNode('root')).toMatchObject({ pending: false, errors: ['wrong'] })
    expect(seen).toMatchObject([{ code: 'invalid_pattern', componentId: 'root' }])
  })
  it('A2-108 without a worker the pattern is refused', () => {
    const { model, seen } = field('^(a+)+$')
    expect(model.getNode('root')).toMatchObject({ errors: ['wrong'] })
    expect(seen).toMatchObject([{ code: 'pattern_refused' }])
  })
})
