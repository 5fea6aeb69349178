import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { envelopesOf, written } from '../../../apps/workbench/src/pages/gallery-form.ts'
import { samples } from '../../../apps/workbench/src/pages/gallery-samples.ts'

const root = resolve(import.meta.dirname, '../../..')
const shared = join(root, '../shared')

/** Something that an agent draws, by a name to choose it with. */
export interface Example {
  name: string
  value: unknown
}

type Record = { [key: string]: unknown }

/** What a developer asked for by parts of names, or everything. */
export const chosen = (all: readonly Example[], wanted: readonly string[]): Example[] =>
  all.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))

/** The samples of the gallery. */
export const gallerySamples = (): Example[] =>
  samples.map(sample => ({ name: `sample ${sample.id}`, value: JSON.parse(written(envelopesOf(sample, 'nested'))) }))

/** The public examples of A2UI and the documents of its specification, where they are: lists of envelopes. */
export function a2uiDocuments(): Example[] {
  const found: Example[] = []
  const folder = join(shared, 'conformance/a2ui/examples')
  if (existsSync(folder))
    for (const file of readdirSync(folder).sort())
      found.push({
        name: basename(file, '.json'),
        value: { envelopes: (readJson(join(folder, file)) as Record).messages },
      })
  const form = join(shared, 'conformance/a2ui/cases/contact_form_example.jsonl')
  if (existsSync(form))
    found.push({ name: 'contact_form', value: { envelopes: withoutEnd(jsonIn(readFileSync(form, 'utf8'))) } })
  for (const value of specification('a2ui.md')) {
    if (Array.isArray(value.envelopes)) found.push({ name: 'a2ui.md order', value })
    else if (value.type !== undefined) found.push({ name: 'a2ui.md if', value: { envelopes: [around(value)] } })
  }
  const single = specification('a2ui.md').filter(({ version }) => version !== undefined)
  if (single.length > 0) found.push({ name: 'a2ui.md counter', value: { envelopes: withoutEnd(single) } })
  return found
}

/** The documents and the hints of the specification of UI Schema, where it is, and the examples of the playground. */
export function uiDocuments(): Example[] {
  const listed = readJson(join(root, 'apps/workbench/src/pages/playground-examples.json')) as {
    id: string
    document: unknown
  }[]
  const given = specification('ui-schema.md').filter(({ root, intent }) => root !== undefined || intent !== undefined)
  return [
    ...given.map((value, at) => ({ name: `ui-schema.md ${at + 1} ${value.intent ? 'hints' : 'document'}`, value })),
    ...listed.map(({ id, document }) => ({ name: id, value: document })),
  ]
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

function specification(name: string): Record[] {
  const path = join(shared, 'specs', name)
  return existsSync(path) ? jsonIn(readFileSync(path, 'utf8')) : []
}

/** The objects of JSON in a text that begin a line, each with everything inside of it. */
function jsonIn(text: string): Record[] {
  const found: Record[] = []
  for (let at = 0; at < text.length; ) {
    const next = /^\s*\{/m.exec(text.slice(at))
    if (!next) break
    const start = at + next.index + next[0].length - 1
    const end = endOf(text, start)
    at = start + 1
    if (end === undefined) continue
    try {
      found.push(JSON.parse(text.slice(start, end)) as Record)
      at = end
    } catch {
      // Not JSON: a type, or an example that leaves something out.
    }
  }
  return found
}

/** Where the object that begins here ends. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return undefined
}

/** An example that takes its surface away at the end would leave nothing to look at. */
const withoutEnd = (envelopes: readonly Record[]) => envelopes.filter(envelope => envelope.deleteSurface === undefined)

const around = (component: Record): Record => ({
  version: 'v0.9',
  createSurface: {
    surfaceId: 'component',
    catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json',
    root: { id: 'root', type: 'Column', children: [component] },
    dataModel: { online: true, since: '9 o’clock' },
  },
})
