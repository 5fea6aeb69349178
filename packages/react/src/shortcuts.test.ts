import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ariaKeys, capsOf, isPressed, keysFromAria, keyWords } from './shortcuts.ts'

const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
  ({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }) as KeyboardEvent

describe('shortcuts', () => {
  it('P-9304 a shortcut is written on caps, in words and for screen readers', () => {
    expect(capsOf('Mod+Shift+O')).toEqual([['Ctrl', 'Shift', 'O']])
    expect(capsOf('Escape Escape')).toEqual([['Esc'], ['Esc']])
    expect(keyWords('Alt+ArrowUp')).toBe('Alt+↑')
    expect(ariaKeys('Mod+K')).toBe('Control+K')
    expect(keysFromAria(ariaKeys('Mod+Shift+O'))).toBe('Mod+Shift+O')
  })

  it('P-9304 only the very combination is the shortcut', () => {
    const held = { ctrlKey: true, shiftKey: true }
    expect(isPressed(press('O', held), 'Mod+Shift+O')).toBe(true)
    expect(isPressed(press('o', { ctrlKey: true }), 'Mod+Shift+O')).toBe(false)
    expect(isPressed(press('o', { ...held, altKey: true }), 'Mod+Shift+O')).toBe(false)
    expect(isPressed(press('k'), 'Mod+K')).toBe(false)
    expect(isPressed(press('K', held), 'Mod+K')).toBe(false)
    expect(isPressed(press('?', { shiftKey: true }), '?')).toBe(true)
    expect(isPressed(press('?'), '?')).toBe(true)
    expect(isPressed(press('F6', { shiftKey: true }), 'F6')).toBe(false)
  })

  it('P-9304 a keyboard of another alphabet has the shortcut in the same place', () => {
    expect(isPressed(press('л', { ctrlKey: true, code: 'KeyK' }), 'Mod+K')).toBe(true)
    expect(isPressed(press('ß', { ctrlKey: true, code: 'Backslash' }), 'Mod+\\')).toBe(true)
    // On a keyboard with Latin letters in other places the letter counts, not the place.
    expect(isPressed(press('t', { ctrlKey: true, code: 'KeyK' }), 'Mod+K')).toBe(false)
  })

  it('P-9304 no view compares a key with a letter by itself: the tables have them, and the setting can switch them off', () => {
    const found = ['.', '../../../apps/workbench/src'].flatMap(folder => {
      const root = join(import.meta.dirname, folder)
      return readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter(name => /(?<!\.test)\.tsx?$/.test(name))
        .filter(name => /\bkey(?:\.to\w+Case\(\))? ?[!=]== ?'[a-z?/@]'/i.test(readFileSync(join(root, name), 'utf8')))
    })
    expect(found).toEqual([])
  })
})
