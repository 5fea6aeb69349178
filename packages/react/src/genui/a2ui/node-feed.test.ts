import { SurfaceModel } from '@vitrine/genui/a2ui'
import type { EventDraft, SurfaceOp } from '@vitrine/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeSession, started } from '../../fixtures/session.ts'
import { LiveSurface } from './live-surface.ts'
import { NodeFeed } from './node-feed.ts'
import { ProvisionalSurfaces } from './preview.tsx'

/** Frames that the test draws. */
function stubFrames(): () => void {
  let frames = new Map<number, () => void>()
  let last = 0
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => {
    frames.set(++last, frame)
    return last
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
  return () => {
    const drawn = frames
    frames = new Map()
    for (const frame of drawn.values()) frame()
  }
}

const create: SurfaceOp[] = [
  { op: 'create', root: 'root' },
  { op: 'upsert', id: 'root', component: { type: 'Text', text: { path: '/n' } } },
  { op: 'set', path: '', value: { n: 'old' } },
]
const changed = (ops: SurfaceOp[]): EventDraft => {
  return { type: 'surface.changed', runId: 'r1', surfaceId: 's', messageId: 'm1', partId: 'p1', ops }
}

afterEach(() => vi.unstubAllGlobals())

describe('P-8920 a change of a surface', () => {
  it('P-8920 is told with the next frame, however often it changes before', () => {
    const drawFrame = stubFrames()
    const model = new SurfaceModel({ surfaceId: 's' }, create)
    const feed = new NodeFeed(model)
    let told = 0
    feed.subscribe('root', () => told++)
    model.apply([{ op: 'set', path: '/n', value: 'one' }])
    model.apply([{ op: 'set', path: '/n', value: 'two' }])
    expect(told).toBe(0)
    drawFrame()
    expect(told).toBe(1)
  })

  it('P-8920 is drawn in the frame in which it is applied, not in the one after it', () => {
    const drawFrame = stubFrames()
    const session = fakeSession().add(started(), changed(create))
    session.flush()
    const live = new LiveSurface(session.handle, 's', 'en')
    const shown: unknown[] = []
    live.feed.subscribe('root', () => shown.push(live.model.getNode('root')?.props.text))
    session.add(changed([{ op: 'set', path: '/n', value: 'new' }]))
    expect(shown).toEqual([])
    drawFrame()
    expect(shown).toEqual(['new'])
  })

  it('A2-452 of which the arguments still stream is drawn in the frame that brings them, not in the one after it', () => {
    stubFrames()
    const root = { id: 'root', type: 'Column', children: [{ id: 'a', type: 'Text', props: { text: 'Already here' } }] }
    const text = JSON.stringify({ envelopes: [{ version: 'v0.9', createSurface: { surfaceId: 's', root } }] })
    const args = (length: number) => ({ length, from: (start: number) => text.slice(start, length) })
    const provisional = new ProvisionalSurfaces(
      'en',
      () => ({ catalog: undefined }) as never,
      () => {},
    )
    provisional.update(args(text.indexOf('Already') + 3))
    const { model, shared } = provisional.surfaces.get('s')!
    const shown: unknown[] = []
    shared.feed.subscribe('a', () => shown.push(model.getNode('a')?.props.text))
    provisional.update(args(text.indexOf('Already') + 7))
    expect(shown).toEqual(['Already'])
  })
})
