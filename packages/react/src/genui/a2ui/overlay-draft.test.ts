import { SurfaceModel, type SurfaceOp } from '@vitrine/genui/a2ui'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readStored } from '../../stored.ts'
import { OverlayDraft } from './overlay-draft.ts'

const ops: SurfaceOp[] = [
  { op: 'create', root: 'root' },
  { op: 'upsert', id: 'root', component: { type: 'Column', children: ['name', 'pin', 'free'] } },
  { op: 'upsert', id: 'name', component: { type: 'TextField', label: 'Name', value: { path: '/name' } } },
  {
    op: 'upsert',
    id: 'pin',
    component: { type: 'TextField', variant: 'obscured', label: 'Pin', value: { path: '/pin' } },
  },
  { op: 'upsert', id: 'free', component: { type: 'TextField', label: 'Bound to nothing' } },
]
const open = (surfaceId: string) => new SurfaceModel({ surfaceId }, ops)

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

describe('A2-134 what a person typed is kept like a draft', () => {
  it('comes back after a reload, bound or not', () => {
    const model = open('s1')
    const draft = new OverlayDraft('session', model, new Set())
    model.setInput('name', 'Ada')
    model.setInput('free', 'note')
    draft.write()
    const again = open('s1')
    new OverlayDraft('session', again, new Set()).restore()
    expect(again.getNode('name')?.props.value).toBe('Ada')
    expect(again.getNode('free')?.props.value).toBe('note')
    const other = open('s1')
    new OverlayDraft('another session', other, new Set()).restore()
    expect(other.exportLocal()).toEqual({})
  })

  it('goes when it was accepted', () => {
    const model = open('s2')
    const draft = new OverlayDraft('session', model, new Set())
    model.setInput('name', 'Ada')
    draft.write()
    model.clearLocal(model.exportLocal())
    draft.write()
    expect(readStored('vitrine.surface.session.s2', null)).toBeNull()
  })

  it('never holds what was typed hidden', () => {
    const model = open('s3')
    const draft = new OverlayDraft('session', model, new Set(['/pin']))
    model.setInput('name', 'Ada')
    model.setInput('pin', '1234')
    draft.write()
    expect(readStored('vitrine.surface.session.s3', null)).toEqual({ '/name': 'Ada' })
  })
})
