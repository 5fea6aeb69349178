/** Where the rows of a list are, by what was measured of them and what is guessed of the others. */
export class RowHeights<R extends { key: string }> {
  #guess: (row: R) => number
  #measured = new Map<string, number>()
  #rows: readonly R[] = []
  #places = new Map<string, number>()
  /** The upper edge of each row, and at the end the lower edge of the last. */
  #tops = new Float64Array(1)
  /** From this row on the edges have to be added up again. */
  #from = 0

  constructor(guess: (row: R) => number) {
    this.#guess = guess
  }

  get rows(): readonly R[] {
    return this.#rows
  }

  setRows(rows: readonly R[]): void {
    if (rows === this.#rows) return
    this.#rows = rows
    this.#places = new Map(rows.map((row, at) => [row.key, at]))
    this.#tops = new Float64Array(rows.length + 1)
    this.#from = 0
  }

  /** Whether the row is higher or lower than it was thought to be. */
  measure(key: string, height: number): boolean {
    // Two ways to measure differ by less than anybody sees.
    if (Math.abs((this.#measured.get(key) ?? Number.NEGATIVE_INFINITY) - height) < 0.1) return false
    this.#measured.set(key, height)
    this.#from = Math.min(this.#from, this.#places.get(key) ?? this.#from)
    return true
  }

  indexOf(key: string): number {
    return this.#places.get(key) ?? -1
  }

  /** The upper edge of a row. That of the row behind the last one is the lower edge of them all. */
  top(index: number): number {
    this.#addUp()
    return this.#tops[index] ?? 0
  }

  get total(): number {
    return this.top(this.#rows.length)
  }

  /** The row at a height; the first or the last one when it is beyond them. */
  at(height: number): number {
    this.#addUp()
    let low = 0
    let high = this.#rows.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#tops[middle]! <= height) low = middle
      else high = middle - 1
    }
    return low
  }

  #addUp(): void {
    for (let at = this.#from; at < this.#rows.length; at++) {
      const row = this.#rows[at]!
      this.#tops[at + 1] = this.#tops[at]! + (this.#measured.get(row.key) ?? this.#guess(row))
    }
    this.#from = this.#rows.length
  }
}
