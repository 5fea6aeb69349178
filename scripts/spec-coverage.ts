// Says whether each line of a specification has a row, or was read and found to promise nothing.
import { createHash } from 'node:crypto'

export interface Coverage {
  readonly source: string
  /** The text in which the lines were counted: a specification that has changed since must be read again. */
  readonly document: { readonly lines: number; readonly sha256: string }
  /** Lines, such as `12` or `12-15`, with the ids of their rows; without ids when the lines promise nothing. */
  readonly covers: Readonly<Record<string, string>>
}

interface Stretch {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly ids: readonly string[]
}

const stretchesOf = ({ covers }: Coverage): Stretch[] =>
  Object.entries(covers)
    .map(([name, ids]) => {
      const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(name) ?? []
      return { name, from: Number(from), to: Number(to), ids: ids.split(' ').filter(id => id !== '') }
    })
    .sort((a, b) => a.from - b.from)

/** What can be said without the specification: every line is named once, and every id is a row. */
export function coverageProblems(coverage: Coverage, ids: ReadonlySet<string>): string[] {
  const { source, document } = coverage
  const problems: string[] = []
  let next = 1
  for (const { name, from, to, ids: named } of stretchesOf(coverage)) {
    if (!(from <= to)) problems.push(`${source}: "${name}" is not a line or a range of lines`)
    else if (from !== next) problems.push(`${source}: line ${next} comes next, and "${name}" is there`)
    next = to + 1
    for (const id of named) if (!ids.has(id)) problems.push(`${source}: lines ${name} name ${id}, which is no row`)
  }
  if (next !== document.lines + 1) problems.push(`${source}: the lines end at ${next - 1} of ${document.lines}`)
  return problems
}

/** Words and marks of a line that promises something: a list, a row of a table, a word of duty. */
const PROMISE = /^\s*(?:[-•]|\d+[.)])\s|\||\b(?:must|should|shall|may|can|cannot|never|always|only|optional)\b/i
const RULE = /^\|(?:-{3,}\|)+$/

const promises = (lines: readonly string[], at: number): boolean =>
  PROMISE.test(lines[at]!) && !RULE.test(lines[at]!) && !RULE.test(lines[at + 1] ?? '')

/** What only the specification itself can say: it is the one that was read, and no line that promises is left out. */
export function documentProblems(coverage: Coverage, text: string): string[] {
  const { source, document } = coverage
  const lines = text.replace(/\n$/, '').split('\n')
  const sha256 = createHash('sha256').update(text).digest('hex')
  if (sha256 !== document.sha256 || lines.length !== document.lines) {
    return [`${source} has changed (${lines.length} lines, ${sha256}): read it again and correct "covers"`]
  }
  return stretchesOf(coverage)
    .filter(({ ids }) => ids.length === 0)
    .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
    .filter(line => promises(lines, line - 1))
    .map(line => `${source}: line ${line} promises something and has no row: ${lines[line - 1]!.trim()}`)
}
