import { SurfaceModel } from '@vitrine/genui/a2ui'
import type { SurfaceOp } from '@vitrine/protocol'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storeDrafts } from '../../drafts.ts'
import { SurfaceDraft } from './surface-draft.ts'

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

const kept = new Map<string, string>()
const inBrowser = (key: string): unknown => JSON.parse(kept.get(key) ?? 'null')

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

describe('A2-134 what a person typed is kept like a draft', () => {
  it('comes back after a reload, bound or not', () => {
    const model = open('s1')
    const draft = new SurfaceDraft('session', model, new Set())
    model.setInput('name', 'Ada')
    model.setInput('free', 'note')
    draft.keep()
    storeDrafts()
    const again = open('s1')
    new SurfaceDraft('session', again, new Set()).restore()
    expect(again.getNode('name')?.props.value).toBe('Ada')
    expect(again.getNode('free')?.props.value).toBe('note')
    const other = open('s1')
    new SurfaceDraft('another session', other, new Set()).restore()
    expect(other.exportLocal()).toEqual({})
  })

  it('a draft is removed when its values were accepted', () => {
    const model = open('s2')
    const draft = new SurfaceDraft('session', model, new Set())
    model.setInput('name', 'Ada')
    draft.keep()
    storeDrafts()
    expect(inBrowser('vitrine.surface.session.s2')).toEqual({ '/name': 'Ada' })
    model.clearLocal(model.exportLocal())
    draft.keep()
    storeDrafts()
    expect(inBrowser('vitrine.surface.session.s2')).toBeNull()
  })

  it('a draft never keeps what was typed into a hidden field', () => {
    const model = open('s3')
    const draft = new SurfaceDraft('session', model, new Set(['/pin']))
    model.setInput('name', 'Ada')
    model.setInput('pin', '1234')
    draft.keep()
    storeDrafts()
    expect(inBrowser('vitrine.surface.session.s3')).toEqual({ '/name': 'Ada' })
  })
})
