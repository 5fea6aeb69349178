import { basicCatalog, Catalog } from '@vitrine/genui/a2ui'
import type { SessionEvent, SurfaceOp } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { SurfacePasts } from './surface-pasts.ts'

it('A2-330 A2-381 fields and paths stay known for ever, also when a surface was removed or is created anew under its id', async () => {
  const log: SessionEvent[] = []
  const asked: number[] = []
  const pasts = new SurfacePasts(
    async function* (seq) {
      asked.push(seq)
      yield* log.filter(event => event.seq >= seq)
    },
    [basicCatalog],
  )
  const change = (...ops: SurfaceOp[]): void => {
    log.push({ type: 'surface.changed', seq: log.length + 1, surfaceId: 's', ops } as unknown as SessionEvent)
  }
  const field = (id: string): SurfaceOp => ({
    op: 'upsert',
    id,
    component: { type: 'TextField', variant: 'obscured', value: { path: `/${id}` } },
  })
  const known = async (...ids: string[]) => {
    const { hiddenFields, hidden } = await pasts.of('s')
    expect([...hiddenFields]).toEqual(ids)
    expect(['a', 'b', 'c'].filter(id => hidden.has([id]))).toEqual(ids)
  }
  change({ op: 'create', root: 'root' }, field('a'))
  change({ op: 'delete', id: 'a' })
  change({ op: 'remove' })
  await known('a')
  change(field('b'))
  change({ op: 'upsert', id: 'b', component: { type: 'Text', text: 'gone' } })
  await known('a', 'b')
  change({ op: 'create', root: 'root' }, field('c'))
  await known('a', 'b', 'c')
  // The log is read once, and then only what is new in it.
  expect(asked).toEqual([1, 4, 6])
})

it('A2-357 each change of a surface costs what it changes, however many components the surface has', async () => {
  let looks = 0
  class Counting extends Catalog {
    override traits(type: string) {
      looks++
      return basicCatalog.traits(type)
    }
  }
  const upsert = (i: number): SurfaceOp => ({ op: 'upsert', id: `c${i}`, component: { type: 'TextField', label: 'L' } })
  const first: SurfaceOp[] = [{ op: 'create', root: 'root' }, ...Array.from({ length: 1_000 }, (_, i) => upsert(i))]
  const changes = Array.from({ length: 500 }, (_, i): SurfaceOp[] => [upsert(i)])
  const set: SurfaceOp = { op: 'set', id: 'c7', path: '/variant', value: 'obscured' }
  const pasts = new SurfacePasts(
    async function* () {
      for (const [i, ops] of [first, ...changes, [set]].entries())
        yield { type: 'surface.changed', seq: i + 1, surfaceId: 's', ops } as unknown as SessionEvent
    },
    [new Counting('c')],
  )
  expect([...(await pasts.of('s')).hiddenFields]).toEqual(['c7'])
  expect(looks).toBe(1_501)
})
