import { foldedText, searchTest } from '@vitrine/protocol'
import { readStored, writeStored } from '../stored.ts'

/** What a command is found by. */
export interface Findable {
  id: string
  label: string
  group: string
  /** Other words it is found by. */
  words?: string
}

/** How often commands were run, and when last, by their ids. */
export type Used = Readonly<Record<string, readonly [count: number, at: number]>>

const USED = 'vitrine.used'
const MOST = 100
/** What was used a month ago counts half. */
const HALF = 30 * 24 * 3_600_000

export const readUsed = (): Used => readStored<Used>(USED, {})

/** Remembers that a command was run. Those that were run longest ago are forgotten first. */
export function countUse(id: string, now = Date.now()): void {
  const used = readUsed()
  const next = { ...used, [id]: [Math.min(weight(used, id, now) + 1, 1000), now] as const }
  const newest = Object.entries(next)
    .sort(([, [, a]], [, [, b]]) => b - a)
    .slice(0, MOST)
  writeStored(USED, Object.fromEntries(newest))
}

/** How much a command is in use now. */
export function weight(used: Used, id: string, now: number): number {
  const [count, at] = (Object.hasOwn(used, id) && used[id]) || [0, 0]
  return count * 0.5 ** ((now - at) / HALF)
}

/** Upper and lower case, accents, the width of letters and the slash of a command make no difference. */
const plain = (text: string): string => foldedText(text).replace(/^\s*\//, '')

/** How well a command fits, from 0 for the best; null when one of the words does not occur. */
function fit(command: Findable, text: string, hasAll: (text: string) => boolean): number | null {
  const { label, group, words = '' } = command
  if (!hasAll(`${label} ${words} ${group}`)) return null
  if (plain(label).startsWith(text)) return 0
  if (hasAll(label)) return 1
  return hasAll(`${label} ${words}`) ? 2 : 3
}

/**
 * The commands that have all the words, the best fit first; of those that fit as well, what is used most, and then what
 * stands first in the list.
 */
export function matchCommands<T extends Findable>(
  commands: readonly T[],
  search: string,
  used: Used = {},
  now = Date.now(),
): T[] {
  const text = plain(search).trim()
  if (text === '') return [...commands]
  const hasAll = searchTest(text)
  return commands
    .flatMap(command => {
      const rank = fit(command, text, hasAll)
      return rank === null ? [] : [{ command, rank, use: weight(used, command.id, now) }]
    })
    .sort((a, b) => a.rank - b.rank || b.use - a.use)
    .map(({ command }) => command)
}

/** The commands that are used most, at most `count` of them. */
export function mostUsed<T extends Findable>(commands: readonly T[], used: Used, count: number, now = Date.now()): T[] {
  return commands
    .filter(({ id }) => Object.hasOwn(used, id))
    .sort((a, b) => weight(used, b.id, now) - weight(used, a.id, now))
    .slice(0, count)
}
