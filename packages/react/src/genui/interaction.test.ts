import type { Interaction, SessionState } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { changeOf } from './interaction.ts'

const components = new Map([
  ['name', { type: 'TextField', label: 'Name' }],
  ['pin', { type: 'TextField', label: 'PIN', variant: 'obscured' }],
  ['room', { type: 'Select', label: 'Room', options: [{ value: 'd', label: 'Double room' }] }],
])
const state = { surfaces: { byId: new Map([['s', { components }]]) } } as unknown as SessionState

const change = (componentId: string, value: unknown, eventType = 'change') =>
  changeOf(state, {
    kind: 'a2ui',
    surfaceId: 's',
    componentId,
    eventType,
    payload: { value },
  } as unknown as Interaction)

describe('A2-259 what a person changed, in words', () => {
  it('says the new value, an option by its label, and a tick as a tick', () => {
    expect(change('name', 'Ada')).toEqual({ kind: 'set', value: 'Ada' })
    expect(change('room', 'd')).toEqual({ kind: 'set', value: 'Double room' })
    expect(change('room', ['d'])).toEqual({ kind: 'set', value: 'Double room' })
    expect(change('gone', 7)).toEqual({ kind: 'set', value: '7' })
    expect(change('news', true)).toEqual({ kind: 'ticked', value: '' })
    expect(change('news', false)).toEqual({ kind: 'unticked', value: '' })
    expect(change('name', '')).toEqual({ kind: 'emptied', value: '' })
  })

  it('is one short line: long values, values that are no text and what was typed hidden are not in it', () => {
    for (const [id, value] of [
      ['name', 'x'.repeat(200)],
      ['name', { deep: 1 }],
      ['name', null],
      ['pin', '1234'],
    ] as const)
      expect(change(id, value)).toEqual({ kind: 'changed', value: '' })
  })

  it('is nothing for a press of a button or for Enter', () => {
    expect(change('name', 'Ada', 'click')).toBeUndefined()
    expect(change('name', 'Ada', 'submit')).toBeUndefined()
  })
})
