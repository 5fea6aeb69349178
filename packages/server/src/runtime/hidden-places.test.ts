import { basicCatalog } from '@vitrine/genui/a2ui'
import type { SessionEvent, SurfaceOp } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { EverHidden } from './hidden-places.ts'

it('A2-330 fields and paths stay known until the surface is created anew, also when a removed surface comes back', async () => {
  const log: SessionEvent[] = []
  const asked: number[] = []
  const hidden = new EverHidden(
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
  change({ op: 'create', root: 'root' }, field('a'))
  change({ op: 'delete', id: 'a' })
  change({ op: 'remove' })
  expect(await hidden.of('s')).toMatchObject({ fields: new Set(['a']), paths: new Set(['/a']) })
  change(field('b'))
  change({ op: 'upsert', id: 'b', component: { type: 'Text', text: 'gone' } })
  expect(await hidden.of('s')).toMatchObject({ fields: new Set(['a', 'b']), paths: new Set(['/a', '/b']) })
  change({ op: 'create', root: 'root' }, field('c'))
  expect(await hidden.of('s')).toMatchObject({ fields: new Set(['c']), paths: new Set(['/c']) })
  // The log is read once, and then only what is new in it.
  expect(asked).toEqual([1, 4, 6])
})
