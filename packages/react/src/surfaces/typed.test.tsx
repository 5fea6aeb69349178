import type { ActionRequest } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { UiState } from '../genui/schema/ui-state.ts'
import { RequestCard } from './request-card.tsx'
import { forgetTyped, isSecret, placeOf, readTyped, writeTyped } from './typed.ts'

describe('what was typed and not sent', () => {
  const place = placeOf('s1', 'a1')
  const card = (request: ActionRequest) => {
    const { handle } = fakeSession().add(started(), { type: 'action.required', runId: 'r1', actionId: 'a1', request })
    return draw(<RequestCard handle={handle} actionId="a1" />)
  }

  it('P-275 a request comes back with what was typed into it', () => {
    writeTyped(place, 'question', 'half an ans')
    writeTyped(place, 'args', '{"files": ["b"]}')
    writeTyped(place, 'form', { n: '7' })
    const schema = { type: 'object', properties: { n: { type: 'integer', title: 'Guests' } } }
    expect(card({ kind: 'question', title: 'Name?' })).toContain('half an ans</textarea>')
    expect(card({ kind: 'approval', title: 'Delete?', args: { files: ['a'] } })).toContain('[&quot;b&quot;]')
    expect(card({ kind: 'form', title: 'Table', schema })).toContain('value="7"')
    forgetTyped(place)
    expect(card({ kind: 'question', title: 'Name?' })).not.toContain('half an ans')
  })

  it('P-275 a card comes back with what was typed into it until its form was sent', () => {
    const first = new UiState('s1.c1')
    first.store('name', 'Ada')
    expect(new UiState('s1.c1').field('name')).toEqual({ value: 'Ada' })
    expect(new UiState('s1.c2').field('name')).toBeUndefined()
    first.keyFor('look', '1')
    first.accepted('look')
    expect(readTyped('s1.c1')).toEqual({ name: 'Ada' })
    first.keyFor('send', '2', true)
    first.accepted('send')
    expect(readTyped('s1.c1')).toEqual({})
  })

  it('P-275 what is named like a secret is not stored', () => {
    expect(['password', 'API key', 'client_secret', 'accessToken', 'Passphrase'].filter(isSecret)).toHaveLength(5)
    expect(['name', 'passenger', 'key', 'party'].filter(isSecret)).toEqual([])
  })
})
