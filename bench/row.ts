/** One line of the table: a figure of ours, beside a peer's where there is one, and what it has to be. */
export interface Row {
  readonly name: string
  readonly ours: number
  readonly peer?: number
  readonly unit: string
  /** How many times better ours is than the peer, or what the target speaks of. */
  readonly ratio?: number
  readonly target: string
  readonly ok: boolean
}

export interface Section {
  /** What `--only` selects by. */
  readonly name: string
  run(): Promise<Row[]>
}

/** Returns what it made. */
export type Work = () => unknown

/**
 * Medians in milliseconds of several pieces of work that take turns in one run: what else the machine does meets all
 * of them alike, so their ratios hold where the figures do not.
 */
export async function takeTurns<Name extends string>(
  work: Readonly<Record<Name, Work>>,
  times: number,
  warmUps = 1,
): Promise<Record<Name, number>> {
  const names = Object.keys(work) as Name[]
  const samples = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>
  // What was made last is kept: a collection between turns would throw away the code that was optimised for it.
  const open = new Map<Name, unknown>()
  for (let turn = -warmUps; turn < times; turn++) {
    for (const name of names) {
      globalThis.gc?.()
      const since = performance.now()
      const made = await work[name]()
      const ms = performance.now() - since
      open.set(name, made)
      if (turn >= 0) samples[name].push(ms)
    }
  }
  return Object.fromEntries(names.map(name => [name, median(samples[name])])) as Record<Name, number>
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export function percentile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN
}

/** A figure that is not what it should be says nothing about speed. */
export function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The measurement is void: ${what}`)
}
