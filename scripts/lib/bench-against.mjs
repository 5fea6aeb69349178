// Measures this tree and an older commit in turns, and says which figures have become worse.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cache, root, run, Stop } from './run.mjs'

/** A figure counts as worse from this factor on. Smaller differences cannot be told from noise on a shared machine. */
const TOLERATED = 1.15
const MORE_IS_BETTER = /\/s$/

/** @typedef {{ name: string, ours: number, unit: string }} Figure */

/**
 * Reads the figures of a table that `printTable` wrote.
 * @param {string} output
 * @returns {Figure[]}
 */
export function figuresIn(output) {
  return output.split('\n').flatMap(line => {
    const [name, ours, ...rest] = line.startsWith('  ') ? line.trim().split(/ {2,}/) : []
    const value = Number(ours?.replaceAll(',', ''))
    // In many rows the column of the peer is empty, so the unit may come earlier.
    const unit = rest.find(cell => !/^[\d,.]+$/.test(cell))
    return name && unit && Number.isFinite(value) ? [{ name, ours: value, unit }] : []
  })
}

/** @param {number[]} values */
const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Says for each figure that both have by which factor the second is worse.
 * @param {Figure[][]} before
 * @param {Figure[][]} after
 */
export function compare(before, after) {
  /** @param {Figure[][]} runs @param {string} name */
  const of = (runs, name) => median(runs.flatMap(run => run.filter(row => row.name === name).map(row => row.ours)))
  return (after[0] ?? []).flatMap(({ name, unit }) => {
    const [old, now] = [of(before, name), of(after, name)]
    if (Number.isNaN(old)) return []
    const worse = old === now ? 1 : MORE_IS_BETTER.test(unit) ? old / now : now / old
    return [{ name, unit, before: old, now, worse, ok: worse <= TOLERATED }]
  })
}

/**
 * @param {{ commit: string, times: number, args: string[] }} asked
 * @returns {Promise<number>} The exit code.
 */
export async function benchAgainst({ commit, times, args }) {
  const { code, output } = await run('git', ['rev-parse', '--verify', `${commit}^{commit}`])
  if (code !== 0) throw new Stop(`There is no commit ${commit}.`)
  const folder = join(cache, `bench-${output.trim().slice(0, 12)}`)
  if (!existsSync(folder)) {
    const added = await run('git', ['worktree', 'add', '--detach', folder, output.trim()])
    if (added.code !== 0) throw new Stop(added.output)
  }
  /** @type {Figure[][]} */
  const before = []
  /** @type {Figure[][]} */
  const after = []
  for (let turn = 1; turn <= times; turn++) {
    for (const [cwd, runs] of /** @type {const} */ ([
      [folder, before],
      [root, after],
    ])) {
      console.log(`… ${turn} of ${times}: ${cwd === root ? 'this tree' : commit}`)
      const measured = await run(process.execPath, ['scripts/bench.mjs', ...args], { cwd })
      if (measured.code !== 0) throw new Stop(measured.output)
      runs.push(figuresIn(measured.output))
    }
  }
  const rows = compare(before, after)
  for (const { name, unit, before: old, now, worse, ok } of rows) {
    const by = worse > 1 ? `${worse.toFixed(2)} × worse` : `${(1 / worse).toFixed(2)} × better`
    console.log(
      `${ok ? '✓' : '✗'} ${name.padEnd(92)} ${String(old).padStart(9)} ${String(now).padStart(9)} ${unit}  ${by}`,
    )
  }
  const worse = rows.filter(({ ok }) => !ok)
  console.log(`\n${rows.length - worse.length} of ${rows.length} figures are no more than 15 % worse than at ${commit}`)
  return worse.length === 0 && rows.length > 0 ? 0 : 1
}
