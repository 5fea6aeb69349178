import { describe, expect, it } from 'vitest'
import { matchCommands, mostUsed, weight } from './palette-match.ts'

const command = (id: string, label: string, words = '') => ({ id, label, words, group: 'View' })
const all = [
  command('settings', 'Settings', 'preferences options'),
  command('dark', 'Appearance: Dark', 'theme night'),
  command('light', 'Appearance: Light', 'theme day'),
  command('keys', 'Keyboard shortcuts', 'hotkeys help'),
  command('cafe', 'Café list'),
]
const found = (search: string, used = {}) => matchCommands(all, search, used).map(({ id }) => id)

describe('finding commands', () => {
  it('P-9302 a command is found by its name, by other words for it, in any order and without accents', () => {
    expect(found('theme')).toEqual(['dark', 'light'])
    expect(found('dark theme')).toEqual(['dark'])
    expect(found('PREFER')).toEqual(['settings'])
    expect(found('cafe')).toEqual(['cafe'])
    expect(found('shortcut')).toEqual(['keys'])
    expect(found('no such word')).toEqual([])
    expect(found('')).toHaveLength(all.length)
  })

  it('P-9302 a name that begins with the words comes before one that has them, and both before other words', () => {
    const list = [command('a', 'My settings'), command('b', 'Other', 'settings'), command('c', 'Settings')]
    expect(matchCommands(list, 'settings').map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })

  it('P-9340 a command of the agent is found by its letters behind the slash, and before those of the page', () => {
    const list = [command('approval', '/approval', 'Shows asking'), command('map', '/map'), ...all]
    const first = (search: string) => matchCommands(list, search)[0]?.id
    expect(matchCommands(list, 'ap').map(({ id }) => id)).toEqual(['approval', 'dark', 'light'])
    expect([first('/app'), first('/'), first('appe')]).toEqual(['approval', 'approval', 'dark'])
  })

  it('P-9303 of commands that fit as well, the one that is used more comes first, and old use counts less', () => {
    const now = Date.now()
    const used = { light: [3, now], dark: [4, now - 90 * 24 * 3_600_000] } as const
    expect(found('theme', used)).toEqual(['light', 'dark'])
    expect(mostUsed(all, used, 1).map(({ id }) => id)).toEqual(['light'])
    expect(weight(used, 'constructor', now)).toBe(0)
  })
})
