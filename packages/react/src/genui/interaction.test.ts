import { type Interaction, MASK, type SessionState } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { changeOf, labelOf } from './interaction.ts'

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
      ['pin', MASK],
    ] as const)
      expect(change(id, value)).toEqual({ kind: 'changed', value: '' })
  })

  it('is nothing for a press of a button or for Enter', () => {
    expect(change('name', 'Ada', 'click')).toBeUndefined()
    expect(change('name', 'Ada', 'submit')).toBeUndefined()
  })
})

describe('US-247 the words on the button of a card that was pressed', () => {
  it('are found by what the button does, whatever the order of its parameters', () => {
    const button = (label: string, params: object) => ({
      type: 'button',
      label,
      action: { type: 'tool', toolId: 't', params },
    })
    const ui = { type: 'stack', children: [button('One', { a: 1, b: 1 }), button('Two', { a: 1, b: 2 })] }
    const card = {
      tools: { byId: new Map([['c', { result: { known: true, value: { ui } } }]]) },
    } as unknown as SessionState
    const pressed = {
      kind: 'ui_schema',
      toolCallId: 'c',
      action: { type: 'tool', toolId: 't', params: { b: 2, a: 1 } },
    }
    expect(labelOf(card, pressed as unknown as Interaction)).toBe('Two')
  })
})
