import type { EventDraft } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { Diagnostics } from './panels.tsx'

describe('diagnostics', () => {
  it('P-279 the fold and the runtime give codes that the page has words for; agents are quoted', () => {
    const { handle } = fakeSession().add(
      started(),
      { type: 'hologram.changed' } as unknown as EventDraft,
      { type: 'state.delta', patch: [{ op: 'remove', path: '/a' }] },
      { type: 'diagnostic.changed', diagnosticId: '1', state: 'open', code: 'person_forged', message: 'Refused.' },
      { type: 'diagnostic.changed', diagnosticId: '2', state: 'open', code: 'disk', message: 'The disk is full.' },
    )
    const html = draw(<Diagnostics handle={handle} />)
    expect([...html.matchAll(/<p>([^<]*)<\/p>/g)].map(([, words]) => words)).toEqual([
      'Events of the class hologram.changed are kept, but they are not understood.',
      'A change of the shared state could not be applied: no state',
      'The agent tried to write in a person&#x27;s name; this was left out.',
      'The disk is full.',
    ])
  })
})
