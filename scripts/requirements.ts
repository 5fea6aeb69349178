// Fails when a row called done has no test, when a test names no row, or when the rows themselves are wrong.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createVitest } from 'vitest/node'
import { type Coverage, coverageProblems } from './spec-coverage.ts'

export interface Row {
  readonly id: string
  readonly line: string
  readonly status: 'done' | 'open'
  readonly source: string
}

export interface ListedTest {
  /** The titles of all describes around the test, and of the test itself. */
  readonly name: string
  readonly file: string
  /** False for a skipped or planned test. It proves nothing, but has to name a row like any other test. */
  readonly runs: boolean
}

/** An id is one token: letters, digits and underscores, joined by single hyphens or dots. */
const token = /[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*/g
const tokensOf = (text: string): string[] => text.match(token) ?? []

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function hasExactly(value: Record<string, unknown>, keys: string[]) {
  return Object.keys(value).sort().join() === keys.sort().join()
}

const isTextMap = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every(text => typeof text === 'string')

/** A file of our own has source and rows; that of a specification also says which lines its rows cover. */
function isRowFile(value: unknown): value is { source: string; rows: unknown } & Partial<Coverage> {
  if (!isRecord(value) || !isText(value.source)) return false
  if (hasExactly(value, ['source', 'rows'])) return true
  const { document } = value
  return (
    hasExactly(value, ['source', 'document', 'covers', 'rows']) &&
    isRecord(document) &&
    hasExactly(document, ['lines', 'sha256']) &&
    typeof document.lines === 'number' &&
    isText(document.sha256) &&
    isTextMap(value.covers)
  )
}

export function readRows(folder: string): { rows: Row[]; coverages: Coverage[]; problems: string[] } {
  const rows: Row[] = []
  const coverages: Coverage[] = []
  const problems: string[] = []
  const places = new Map<string, string>()
  for (const file of readdirSync(folder).filter(name => name.endsWith('.json'))) {
    let content: unknown
    try {
      content = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    } catch (error) {
      problems.push(`${file}: ${(error as Error).message}`)
      continue
    }
    if (!isRowFile(content)) {
      problems.push(`${file}: must be { "source": "…", "rows": […] }, for a specification with document and covers`)
      continue
    }
    const { source, document, covers } = content
    if (document && covers) coverages.push({ source, document, covers })
    if (!Array.isArray(content.rows)) {
      problems.push(`${file}: rows must be a list`)
      continue
    }
    for (const [index, row] of (content.rows as unknown[]).entries()) {
      const place = `${file} row ${index + 1}`
      if (!isRecord(row) || !hasExactly(row, ['id', 'line', 'status'])) {
        problems.push(`${place}: must have exactly id, line and status`)
        continue
      }
      const { id, line, status } = row
      if (!isText(id) || tokensOf(id)[0] !== id) problems.push(`${place}: ${JSON.stringify(id)} is not an id`)
      else if (!isText(line)) problems.push(`${place}: ${id} has no line`)
      else if (status !== 'done' && status !== 'open') problems.push(`${place}: ${id} must be done or open`)
      else if (places.has(id)) problems.push(`${place}: ${id} is already ${places.get(id)}`)
      else {
        places.set(id, place)
        rows.push({ id, line, status, source })
      }
    }
  }
  return { rows, coverages, problems }
}

/** An id with its digits blanked. A word of the same form that is no id is probably a mistake. */
const shapeOf = (text: string) => text.replace(/\d/g, '#')

export function compare(rows: readonly Row[], tests: readonly ListedTest[]) {
  const ids = new Set(rows.map(row => row.id))
  const shapes = new Set(rows.map(row => shapeOf(row.id)).filter(shape => shape.includes('#')))
  const tested = new Map<string, number>()
  const problems: string[] = []
  for (const { name, file, runs } of tests) {
    const tokens = new Set(tokensOf(name))
    const named = [...tokens].filter(word => ids.has(word))
    const slips = [...tokens].filter(word => !ids.has(word) && shapes.has(shapeOf(word)))
    if (slips.length > 0) problems.push(`${file}: "${name}" names ${slips.join(', ')}, which is no row`)
    else if (named.length === 0) problems.push(`${file}: "${name}" names no row`)
    if (runs) for (const id of named) tested.set(id, (tested.get(id) ?? 0) + 1)
  }
  for (const row of rows) {
    if (row.status === 'done' && !tested.has(row.id)) {
      problems.push(`${row.id} (${row.source}) is called done, and no test names it: ${row.line}`)
    }
  }
  return { problems, tested }
}

export function summary(rows: readonly Row[], tested: ReadonlyMap<string, number>): string {
  const sources = [...new Set(rows.map(row => row.source))].sort()
  const width = Math.max(0, ...sources.map(source => source.length))
  return sources
    .map(source => {
      const own = rows.filter(row => row.source === source)
      const done = own.filter(row => row.status === 'done').length
      const tests = own.reduce((sum, row) => sum + (tested.get(row.id) ?? 0), 0)
      return `${source.padEnd(width)} ${done} done, ${own.length - done} open, named by ${tests} tests`
    })
    .join('\n')
}

/**
 * Loads the test files without running their tests, so that nested
 * describes, it.each and contract suites give their real names.
 */
async function listTests(root: string) {
  const vitest = await createVitest('test', { root, watch: false, reporters: [], isolate: false })
  try {
    const { testModules, unhandledErrors } = await vitest.collect([], { staticParse: false })
    const problems = [
      ...unhandledErrors.map(error => `while listing the tests: ${(error as Error)?.message ?? error}`),
      ...testModules.flatMap(module => module.errors().map(error => `${module.relativeModuleId}: ${error.message}`)),
    ]
    const tests = testModules.flatMap(module =>
      [...module.children.allTests()].map(test => ({
        name: test.fullName,
        file: module.relativeModuleId,
        runs: test.options.mode === 'run' || test.options.mode === 'only',
      })),
    )
    return { tests, problems }
  } finally {
    await vitest.close()
  }
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  const { rows, coverages, problems } = readRows(join(root, 'docs/requirements'))
  const ids = new Set(rows.map(row => row.id))
  const listed = await listTests(root)
  const compared = compare(rows, listed.tests)
  console.log(summary(rows, compared.tested))
  const uncovered = coverages.flatMap(coverage => coverageProblems(coverage, ids))
  const all = [...problems, ...uncovered, ...listed.problems, ...compared.problems]
  for (const problem of all) console.error(problem)
  // A test file may have opened a handle while it was loaded, and that would keep the process alive.
  process.exit(all.length === 0 ? 0 : 1)
}
