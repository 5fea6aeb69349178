import type { UiDiagnostic } from '../diagnostic.ts'
import { isPlainObject } from '../json.ts'
import * as examples from '../schema/examples.test.data.ts'
import {
  inspectSchema,
  type ResolvedUiNode,
  readSchema,
  schemaToMarkdown,
  schemaToText,
  type UiNode,
  type UiSchemaRenderer,
  validateSchema,
} from '../schema/index.ts'
import { compileHints, hintsStream, hintsToSchema, inspectHints } from './index.ts'

/** Random numbers that a seed repeats. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number
const below = (random: Random, most: number): number => Math.floor(random() * most)
const oneOf = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)]!

// --- legal documents to begin with; what they say is marked, so that it can be found again

const icon = { source: 'emoji', value: '«icon»', color: 'teal', size: 20 }
const actions = [
  { label: '«go»', style: 'primary', icon, action: { type: 'navigation', path: '/todo/1', params: { q: '«query»' } } },
  { label: '«web»', action: { type: 'url', url: 'https://x.example/a', target: '_blank' } },
  { label: '«said»', disabled: true, action: { type: 'event', event: 'e', payload: { deep: { text: '«payload»' } } } },
  { label: '«tool»', style: 'danger', confirm: '«sure»', action: { type: 'tool', toolId: 't', params: { id: 1 } } },
  { label: '«copy»', action: { type: 'copy', content: '«copied»', successMessage: '«done»' } },
  { label: '«send»', submit: true, action: { type: 'payload', payload: { form: 'f' }, submitTo: '/forms' } },
]
const rich = {
  version: '2.1',
  intent: 'mixed',
  status: 'warning',
  title: '«title»',
  description: '«description»',
  body: '**«body»** `«code»`\n\n```\n«block»\n```',
  bodyFormat: 'markdown',
  icon,
  image: { url: 'https://x.example/a.png', alt: '«alt»', caption: '«caption»' },
  progress: { value: 3, max: 8, label: '«progress»' },
  items: [
    { key: 'a', label: '«label»', value: '«value»', copyable: true },
    { key: '«key»', value: { nested: ['«nested»', 1, null] } },
  ],
  table: {
    columns: ['«column»', { key: 'k', label: '«second»', align: 'end' }],
    rows: [['«cell»', 1], { k: '«by key»', '«column»': 2 }],
    caption: '«table»',
  },
  chart: {
    kind: 'line',
    labels: ['«jan»'],
    series: [{ name: '«series»', data: [1, null] }],
    title: '«chart»',
    unit: '%',
  },
  listItems: [
    { id: 'i1', title: '«first»', subtitle: '«subtitle»', description: '«more»', icon, status: 'error', actions },
    { title: '«last»' },
  ],
  fields: [
    {
      key: 'name',
      label: '«name»',
      required: true,
      placeholder: '«like»',
      help: '«help»',
      maxLength: 9,
      pattern: '[a-z]+',
    },
    { key: 'pick', type: 'select', options: ['«option»', { value: 2, label: '«two»' }], value: 2 },
    { key: 'map', type: 'radio', options: { a: '«mapped»' } },
  ],
  sections: [
    { title: '«section»', content: '«content»', status: 'pending', items: [{ key: 'k', value: '«deep»' }], actions },
  ],
  actions,
  meta: { requestId: 'r1', note: '«meta»' },
}
const someHints: readonly unknown[] = [
  rich,
  examples.compileInput,
  { intent: 'message', body: '«hello»' },
  { intent: 'list', listItems: rich.listItems },
  { intent: 'form', fields: rich.fields },
  { intent: 'data', table: rich.table, chart: rich.chart },
]
const someSchemas: readonly unknown[] = [
  examples.simpleText,
  examples.cardWithActions,
  examples.errorStatusPanel,
  examples.gridLayout,
  examples.sectionLayout,
  hintsToSchema(rich),
  hintsToSchema(rich, { ids: true }),
]

// --- mutations

const words = [
  ...['title', 'items', 'listItems', 'sections', 'actions', 'action', 'table', 'rows', 'columns', 'chart', 'series'],
  ...[
    'fields',
    'options',
    'image',
    'icon',
    'meta',
    'key',
    'label',
    'id',
    'type',
    'value',
    'root',
    'children',
    'status',
  ],
  ...[
    'content',
    'format',
    'role',
    'gap',
    'visible',
    'name',
    'input',
    'url',
    'path',
    'params',
    'text',
    'message',
    'body',
  ],
  ...['__proto__', 'constructor', 'toString', 'unknown', '', 'a/b', 'm~n', '«new key»', 'card', 'stack', 'grid'],
]
const scalars = [
  ...['', ' ', 'info', 'SUCCESS', 'stack', 'card', 'text', 'navigation', '/todo/:id', '/a', 'javascript:alert(1)', '7'],
  ...['true', 'null', '\u202e', '\ud800', 'a\u0000b', '<b>', '`', '```', '](x)', 'en', '«new»', 'x'.repeat(40_000)],
  ...[0, -1, 1e308, -0, 0.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY, true, false, null, undefined, 10n, Symbol('s')],
]

type Holder = { [key: string]: unknown } | unknown[]
interface Place {
  readonly holder: Holder
  readonly key: string
}

function placesOf(value: unknown, found: Place[] = [], seen = new Set<unknown>()): Place[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return found
  seen.add(value)
  for (const key of Object.keys(value)) {
    found.push({ holder: value as Holder, key })
    placesOf((value as { [key: string]: unknown })[key], found, seen)
  }
  return found
}

const at = ({ holder, key }: Place): unknown => (holder as { [key: string]: unknown })[key]

function put({ holder, key }: Place, value: unknown): undefined {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A copy of a legal value with a few mistakes of every kind in it. */
function mutated(seed: unknown, random: Random): unknown {
  const top: { value: unknown } = { value: structuredClone(seed) }
  for (let left = 1 + below(random, 5); left > 0; left--) {
    const places = placesOf(top)
    if (places.length === 0 || places.length > 3_000) break
    mutate(oneOf(random, places), places, random)
  }
  return top.value
}

function mutate(place: Place, places: readonly Place[], random: Random): undefined {
  const value = at(place)
  const { holder } = place
  switch (below(random, 12)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(place.key), 1)
      else delete holder[place.key]
      return
    case 1:
    case 2:
      return put(place, oneOf(random, scalars))
    case 3:
      if (Array.isArray(holder)) return void holder.push(structuredClone(plain(value)))
      return put({ holder, key: oneOf(random, words) }, plain(value))
    case 4: {
      const other = at(oneOf(random, places))
      return put(place, structuredClone(plain(other)))
    }
    case 5:
      if (Array.isArray(holder)) return void holder.reverse()
      delete holder[place.key]
      return put({ holder, key: oneOf(random, words) }, value)
    case 6:
      return put(place, [value])
    case 7:
      return put(place, { [oneOf(random, words)]: value })
    case 8: {
      let deep = value
      for (let level = below(random, 80); level > 0; level--) deep = random() < 0.5 ? [deep] : { sections: [deep] }
      return put(place, deep)
    }
    case 9:
      if (typeof value !== 'string') return put(place, safeJson(plain(value)) ?? '')
      return put(place, value.slice(0, below(random, value.length + 1)) + String(oneOf(random, scalars.slice(0, 24))))
    case 10:
      // Something that holds itself is rare: it costs the limits of a whole document to find its end.
      if (random() < 0.9) return put(place, oneOf(random, words))
      return put({ holder, key: Array.isArray(holder) ? String(holder.length) : oneOf(random, words) }, holder)
    default:
      return put({ holder, key: Array.isArray(holder) ? '0' : oneOf(random, words) }, oneOf(random, scalars))
  }
}

/** What can be copied: no cycles and no symbols. */
function plain(value: unknown, depth = 0): unknown {
  if (depth > 12 || typeof value === 'symbol') return null
  if (Array.isArray(value)) return value.slice(0, 20).map(item => plain(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, depth + 1)]))
}

// --- laws

/** What is wrong, in words; nothing when every law holds. */
export type Verdict = string | undefined

/** Marked words of a value that is JSON and within the limits. What is not has no place in a document. */
function marks(value: unknown, found = new Set<string>(), depth = 0, seen = new Set<unknown>()): Set<string> {
  if (typeof value === 'string') {
    if (value.length <= 30_000) for (const [mark] of value.matchAll(/«[^«»]*»/g)) found.add(mark)
    return found
  }
  if (depth > 24 || typeof value !== 'object' || value === null || seen.has(value)) return found
  if (!Array.isArray(value) && !isPlainObject(value)) return found
  seen.add(value)
  // The key __proto__ has no place in a document, and neither has what stands under it.
  for (const key of Object.keys(value))
    if (key !== '__proto__') marks((value as { [key: string]: unknown })[key], found, depth + 1, seen)
  seen.delete(value)
  return found
}

const isCyclic = (value: unknown, above: readonly unknown[] = []): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (above.includes(value) || above.length > 60 || Object.values(value).some(inner => isCyclic(inner, [...above, value])))

const idsOf = (node: UiNode, found = new Map<string, string>()): Map<string, string> => {
  found.set(node.id!, node.type)
  if ('children' in node) for (const child of node.children) idsOf(child, found)
  return found
}

/** Hints: any value compiles to one legal document that has all of its content, and growing hints keep their ids. */
function hintsLaws(value: unknown, often: boolean): Verdict {
  const { schema, diagnostics } = compileHints(value)
  const illegal = validateSchema(schema)[0]
  if (illegal) return `total: ${illegal.path} ${illegal.message}`
  const written = JSON.stringify(schema)
  const large = diagnostics.some(({ code }) => code === 'too_large' || code === 'too_many_components')
  if (!large && !isCyclic(value)) {
    const lost = [...marks(value)].find(mark => !written.includes(mark))
    if (lost) return `lossless: ${lost} is in the hints and not in the document`
  }
  const again = normalised(schema)
  if (again) return again
  if (!often) return undefined
  if (JSON.stringify(hintsToSchema(value)) !== written) return 'deterministic: another document the second time'
  const found = inspectHints(value)
  if (found.some(({ level, message }) => level === 'default' || message === ''))
    return 'inspect: a finding says nothing'
  return growing(value)
}

/** Ids that were shown stay, wherever the text of the hints is cut. */
function growing(value: unknown): Verdict {
  const text = isCyclic(value) ? undefined : safeJson(value)
  if (text === undefined || text.length > 20_000) return undefined
  const stream = hintsStream()
  let before = new Map<string, string>()
  const step = Math.max(1, Math.ceil(text.length / 40))
  for (let from = 0; from < text.length; from += step) {
    stream.push(text.slice(from, from + step))
    const schema = stream.schema()
    if (!schema) continue
    const now = idsOf(schema.root)
    for (const id of before.keys())
      if (!now.has(id)) return `stable ids: ${id} is gone after ${text.slice(0, from + step)}`
    before = now
  }
  return undefined
}

const safeJson = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** What the reader tells the author of a legal document, as a repair: the strict check says nothing of it. */
const NOTES: ReadonlySet<string> = new Set([
  ...['target_ignored', 'given_twice', 'missing', 'wrong_choice', 'wrong_type', 'out_of_range', 'validation_failed'],
])
const isNote = ({ level, code }: UiDiagnostic): boolean => level === 'repair' && NOTES.has(code)

/** Documents: reading never fails, says what it did, and reading the result again changes nothing. */
function schemaLaws(value: unknown, often: boolean): Verdict {
  const { schema, diagnostics } = readSchema(value)
  const strict = validateSchema(value)
  const said = diagnostics.filter(finding => finding.level !== 'default' && !isNote(finding))
  if (said.length > 0 !== strict.length > 0)
    return `reader and check: the check says ${strict[0]?.message}, the reader ${said[0]?.message}`
  if (!schema) return strict.length > 0 ? undefined : 'total: a legal document is not read'
  const again = normalised(schema as UiSchemaRenderer)
  if (again || !often) return again
  if (JSON.stringify(readSchema(value)) !== JSON.stringify({ schema, diagnostics }))
    return 'deterministic: another result'
  if (inspectSchema(value).length === 0 && strict.length > 0) return 'inspect: it says nothing of what is not legal'
  const text = schemaToText(schema)
  const markdown = schemaToMarkdown(schema)
  const shown = [...shownMarks(schema.root)]
  const lost = shown.find(mark => !text.includes(mark) || !markdown.replaceAll('\\', '').includes(mark))
  return lost && `text: ${lost} is drawn and not in the text`
}

const hasMark = (node: ResolvedUiNode): boolean =>
  node.type === 'unknown' || ((node.type === 'stack' || node.type === 'grid') && node.children.some(hasMark))

function normalised(document: UiSchemaRenderer): Verdict {
  const first = readSchema(document).schema
  if (!first) return 'normal form: a document that was read is not read again'
  // A mark stands for what is not legal: it is the only part of the result that is none itself.
  if (hasMark(first.root)) return undefined
  const second = readSchema(first)
  if (JSON.stringify(second.schema) !== JSON.stringify(first)) return 'normal form: reading again changes it'
  const illegal = validateSchema(first)[0]
  if (illegal) return `normal form: ${illegal.path} ${illegal.message}`
  return undefined
}

/** Marked words that a person sees without pressing anything. */
function shownMarks(node: ResolvedUiNode, found = new Set<string>()): Set<string> {
  if (node.visible === false) return found
  const see = (...texts: unknown[]) => {
    for (const text of texts) marks(text, found)
  }
  switch (node.type) {
    case 'text':
      see(node.content)
      break
    case 'badge':
    case 'button':
      see(node.label)
      break
    case 'icon':
      if (node.source === 'emoji') see(node.value)
      break
    case 'kv':
      for (const item of node.items) see(item.label ?? item.key, item.value)
      break
    case 'table':
      see(
        node.caption,
        node.columns.map(({ label }) => label),
      )
      for (const row of node.rows) see(row)
      break
    case 'field':
      see(
        node.label,
        node.help,
        node.options?.map(({ label }) => label),
      )
      break
    case 'progress':
      see(node.label)
      break
    case 'image':
      see(node.alt, node.caption)
      break
    case 'chart':
      see(
        node.title,
        node.labels,
        node.series.map(({ name }) => name),
      )
      break
    case 'stack':
    case 'grid':
      for (const child of node.children) shownMarks(child, found)
  }
  return found
}

/** The mutated hints or document that a seed stands for. */
function mutatedBy(seed: number): { value: unknown; isHints: boolean } {
  const random = randomOf(seed)
  const isHints = random() < 0.6
  return { value: mutated(oneOf(random, isHints ? someHints : someSchemas), random), isHints }
}

/** Runs the laws on so many mutated documents. Returns the first failures with the seeds that repeat them. */
export function fuzz(count: number, firstSeed: number): string[] {
  const failures: string[] = []
  for (let seed = firstSeed; seed < firstSeed + count && failures.length < 10; seed++) {
    const { value, isHints } = mutatedBy(seed)
    const often = seed % 16 === 0
    try {
      const verdict = isHints ? hintsLaws(value, often) : schemaLaws(value, often)
      if (verdict) failures.push(`seed ${seed}: ${verdict}`)
    } catch (error) {
      failures.push(`seed ${seed}: it throws ${error instanceof Error ? error.stack : error}`)
    }
  }
  return failures
}
