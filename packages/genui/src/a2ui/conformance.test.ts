import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, type Json, type JsonObject, type SurfaceOp } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isClientMessage } from './actions.ts'
import { basicCatalog } from './basic-catalog.ts'
import type { Catalog } from './catalog.ts'
import { catalogFromJson } from './catalog-document.ts'
import { basicFunctions } from './functions.ts'
import { SurfacePreview } from './preview.ts'
import { pruneDocuments, renderDocuments, type SchemaDocuments } from './schema-documents.ts'
import { SurfaceModel } from './surface-model.ts'
import { Surfaces } from './surfaces.ts'
import { TextEnvelopeStream } from './text-envelope-stream.ts'

/**
 * Runs the public corpus and our own small sample of the same form. Limits that the corpus fixes and we leave configurable
 * (`Limits (configurable, tested)`) are set to the corpus's values. A case is left out only with the line that contradicts it.
 */
const LIMITS = { depth: 50, callDepth: 5 }

const here = fileURLToPath(new URL('.', import.meta.url))
const corpora = [join(here, 'conformance-sample'), join(here, '../../../../../shared/conformance/a2ui')].filter(
  existsSync,
)

type Exclusion = { name: string; quote: string; source: string }
const exclusions: Exclusion[] = JSON.parse(readFileSync(join(here, 'conformance-exclusions.json'), 'utf8'))

const read = (path: string): Json => {
  const text = readFileSync(path, 'utf8')
  return path.endsWith('.yaml') ? parse(text) : JSON.parse(text)
}
const files = (folder: string, ending: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith(ending))
        .toSorted()
    : []

const run = (name: string, test: () => void) => {
  const excluded = exclusions.find(entry => entry.name === name)
  if (excluded) it.skip(`${name} (left out: "${excluded.quote}", ${excluded.source})`, () => {})
  else it(name, test)
}

// ---- the view that two ways of streaming must agree on

type View = { type: string; props: JsonObject; children: (View | null)[] } | null

/** What a person would see: the tree from the root, a missing or loading child as a placeholder, no ids. */
function view(model: SurfaceModel): View {
  const visit = (id: string): View => {
    const node = model.getNode(id)
    if (!node || node.missing || node.componentId.startsWith('loading_')) return null
    const { children: _, child: __, ...props } = node.props
    const children = node.children.map(visit)
    return { type: node.type, props, children: children.length === 1 && children[0] === null ? [] : children }
  }
  const { root } = model.getSurface()
  return root === undefined ? null : visit(root)
}

for (const corpus of corpora) {
  const label = corpus.endsWith('sample') ? 'own sample' : 'public corpus'

  describe(`A2-122 ${label}: cases`, () => {
    for (const file of files(join(corpus, 'cases'), '.json')) {
      const { schema, tests } = read(join(corpus, 'cases', file)) as unknown as {
        schema: string
        tests: { description: string; valid: boolean; data: JsonObject }[]
      }
      for (const { description, valid, data } of tests)
        run(`${file}: ${description}`, () => {
          if (schema === 'client_to_server.json') expect(isClientMessage(data)).toBe(valid)
          else expect(verdict(new Surfaces(), [data], false).ok).toBe(valid)
        })
    }
    for (const file of files(join(corpus, 'cases'), '.jsonl'))
      run(file, () => {
        const preview = new SurfacePreview({ source: new TextEnvelopeStream({ mode: 'lines' }) })
        const { envelopes } = preview.push(readFileSync(join(corpus, 'cases', file), 'utf8'))
        expect(preview.source.errors).toEqual([])
        const result = new Surfaces().apply(envelopes)
        expect(result.results.filter(entry => !entry.ok)).toEqual([])
        expect(result.applied).toBeGreaterThan(2)
      })
  })

  describe(`A2-122 ${label}: examples`, () => {
    for (const file of files(join(corpus, 'examples'), '.json'))
      run(file, () => {
        const { messages } = read(join(corpus, 'examples', file)) as unknown as { messages: JsonObject[] }
        const surfaces = new Surfaces()
        const diagnostics: unknown[] = []
        const models = new Map<string, SurfaceModel>()
        for (const message of messages) {
          const result = surfaces.apply([message])
          expect(result.results[0]).toMatchObject({ ok: true })
          for (const entry of result.results) {
            if (!entry.ok) continue
            expect(entry.diagnostics).toBeUndefined()
            let model = models.get(entry.surfaceId)
            if (!model) {
              model = new SurfaceModel({ surfaceId: entry.surfaceId, onDiagnostic: d => diagnostics.push(d) })
              models.set(entry.surfaceId, model)
            }
            model.apply(entry.ops)
          }
        }
        for (const [id, model] of models) {
          if (model.getSurface().root === undefined) continue
          expect(surfaces.inspect(id).filter(d => d.code !== 'unreachable_component')).toEqual([])
          expect(JSON.stringify(view(model))).not.toContain('null')
          model.dispose()
          expect(model.live).toEqual({ subscriptions: 0, nodes: 0 })
        }
        expect(diagnostics).toEqual([])
      })
  })

  describe(`A2-122 ${label}: validator`, () => {
    for (const test of suite(corpus, 'validator.yaml'))
      run(test.name, () => {
        for (const step of (test.steps ?? [test]) as Step[]) {
          const catalog = catalogOf(corpus, test)
          const surfaces = new Surfaces({ catalogs: [catalog], limits: LIMITS })
          const result = verdict(surfaces, step.payload as JsonObject[], true)
          if (step.expect_error === undefined) {
            expect(result).toEqual({ ok: true, error: '' })
            continue
          }
          expect(result.ok).toBe(false)
          expectError(step.expect_error, result.error, result.path)
        }
      })
  })

  describe(`A2-122 ${label}: streaming parser`, () => {
    for (const test of suite(corpus, 'streaming_parser.yaml')) run(test.name, () => stream(corpus, test))
  })

  const accessibility = join(corpus, 'conformance', 'accessibility.yaml')
  describe.skipIf(!existsSync(accessibility))(`A2-122 ${label}: accessibility attributes reach the node`, () => {
    // Of a later version; what a component says about itself is carried in every version.
    for (const test of existsSync(accessibility) ? (read(accessibility) as unknown as Test[]) : [])
      it(test.name, () => {
        const { components, ...root } = test.surface as JsonObject
        const model = new SurfaceModel({ surfaceId: 's' }, [{ op: 'create', root: 'root' }])
        const all = Object.entries({ root, ...(components as JsonObject) }) as [string, JsonObject][]
        for (const [id, { component, id: _, ...rest }] of all)
          model.apply([{ op: 'upsert', id, component: { type: String(component), ...rest } }])
        const tree = (test.assertions as JsonObject).accessibility_tree as { [id: string]: JsonObject }
        for (const [id, attributes] of Object.entries(tree)) {
          const declared = all.find(([key]) => key === id)![1].accessibility
          if (declared) expect(model.getNode(id)?.props.accessibility).toEqual(attributes)
          else expect(Object.values(model.getNode(id)!.props)).toContain(attributes.label)
        }
      })
  })

  describe(`A2-122 ${label}: catalog`, () => {
    for (const test of suite(corpus, 'catalog.yaml')) run(test.name, () => catalogCase(test))
  })
}

describe('A2-122 exclusions', () => {
  const documents = ['specs/a2ui.md', 'design/decisions.md'].map(name => join(here, '../../../../../shared', name))
  it.skipIf(!documents.every(existsSync))('quote lines that are there', () => {
    for (const { quote, source } of exclusions) {
      const text = readFileSync(documents.find(path => path.endsWith(source))!, 'utf8').replaceAll(/\s+/g, ' ')
      expect(text).toContain(quote)
    }
  })
  it('name cases that exist', () => {
    const names = corpora.flatMap(corpus =>
      ['validator.yaml', 'streaming_parser.yaml', 'catalog.yaml'].flatMap(file =>
        suite(corpus, file).map(test => test.name),
      ),
    )
    if (corpora.length > 1) for (const { name } of exclusions) expect(names).toContain(name)
  })
})

// ---- the steps

type Step = JsonObject & { payload?: Json; expect_error?: Json; input?: string; expect?: Json }
type Test = { name: string; catalog: JsonObject; action: string } & JsonObject

/** Cases of version 0.9; those of other protocol versions are refused as `version_mismatch` before they could matter. */
function suite(corpus: string, file: string): Test[] {
  const path = join(corpus, 'conformance', file)
  if (!existsSync(path)) return []
  return (read(path) as unknown as Test[]).filter(test => String(test.catalog?.version) === '0.9')
}

function catalogOf(corpus: string, test: Test): Catalog {
  const given = test.catalog.catalog_schema
  const document = typeof given === 'string' ? read(join(corpus, 'conformance', given)) : given
  return catalogFromJson(document as JsonObject, basicFunctions)
}

/**
 * The validator's verdict on a whole payload: what is refused, and, for a payload that creates its surface, what is reported
 * about the finished tree. An update alone is judged against a surface that is there.
 */
function verdict(
  surfaces: Surfaces,
  payload: JsonObject[],
  whole: boolean,
): { ok: boolean; error: string; path?: string } {
  const bodies = payload.map(message => Object.entries(message).find(([key]) => key !== 'version')?.[1] as JsonObject)
  const creates = payload.some(message => message.createSurface !== undefined)
  if (!creates)
    for (const body of bodies)
      if (typeof body?.surfaceId === 'string' && !surfaces.ids.includes(body.surfaceId))
        surfaces.apply([{ version: 'v0.9', createSurface: { surfaceId: body.surfaceId, catalogId: 'any' } }])
  const { results } = surfaces.apply(payload)
  for (const [i, result] of results.entries())
    if (!result.ok) return { ok: false, error: result.error, path: `messages.${i}${result.path.replaceAll('/', '.')}` }
  const complete = payload.some(message => message.updateComponents !== undefined)
  if (whole && creates && complete)
    for (const id of surfaces.ids) {
      const found = surfaces.inspect(id)
      if (found.length > 0) return { ok: false, error: found.map(({ message }) => message).join('; ') }
    }
  return { ok: true, error: '' }
}

function expectError(expected: Json, error: string, path?: string): void {
  if (isObject(expected)) {
    for (const detail of (expected.details ?? []) as JsonObject[]) expect(path).toBe(detail.path)
    if (typeof expected.message === 'string') expect(error).toMatch(new RegExp(expected.message, 'i'))
  } else expect(error).toMatch(new RegExp(String(expected).replaceAll(/([>])/g, '$1'), 'i'))
}

/** Both sides draw: ours from its provisional operations, theirs from the messages it expects. The two views must agree. */
function stream(corpus: string, test: Test): void {
  const catalog = catalogOf(corpus, test)
  const growing = (test.catalog.custom_cuttable_keys ?? []) as string[]
  const preview = new SurfacePreview({
    source: new TextEnvelopeStream({ mode: 'tagged' }),
    catalogOf: () => catalog,
    growing,
  })
  const surfaces = new Surfaces({ catalogs: [catalog], limits: LIMITS })
  const ours = new Map<string, SurfaceModel>()
  const theirs = new Map<string, SurfaceModel>()
  const model = (models: Map<string, SurfaceModel>, id: string) => {
    const found = models.get(id) ?? new SurfaceModel({ surfaceId: id, catalog })
    models.set(id, found)
    return found
  }
  const expected = new Expected()
  for (const step of test.steps as unknown as Step[]) {
    const { text, envelopes } = preview.push(step.input!)
    for (const [id, ops] of preview.take()) model(ours, id).apply(ops)
    const refused = envelopes.flatMap(envelope => surfaces.apply([envelope]).results.filter(result => !result.ok))
    if (step.expect_error !== undefined) {
      expect(refused.map(result => (result.ok ? '' : result.error)).join(' ')).toMatch(
        new RegExp(String(step.expect_error), 'i'),
      )
      continue
    }
    const wanted = step.expect as { text?: string; a2ui?: JsonObject[] }[]
    expect(text).toBe(wanted.map(part => part.text ?? '').join(''))
    for (const message of wanted.flatMap(part => part.a2ui ?? []))
      for (const [id, ops] of expected.ops(message, catalog)) model(theirs, id).apply(ops)
    for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
      expect(view(model(ours, id))).toEqual(view(model(theirs, id)))
      expect(model(ours, id).dataModel()).toEqual(model(theirs, id).dataModel())
    }
    expected.closed(envelopes.length > 0)
  }
}

/** Reads the messages that the corpus yields. Its data messages are what is new of an envelope, not the whole of it. */
class Expected {
  #partial = false

  closed(complete: boolean): void {
    this.#partial = !complete
  }

  ops(message: JsonObject, catalog: Catalog): Map<string, SurfaceOp[]> {
    const { updateDataModel } = message
    if (isObject(updateDataModel)) {
      const value = updateDataModel.value as JsonObject
      const ops: SurfaceOp[] = this.#partial ? merge(value, '') : [{ op: 'set', path: '', value }]
      return new Map([[updateDataModel.surfaceId as string, ops]])
    }
    const preview = new SurfacePreview({ catalogOf: () => catalog })
    preview.push(JSON.stringify(message))
    return preview.take()
  }
}

const merge = (value: JsonObject, path: string): SurfaceOp[] =>
  Object.entries(value).flatMap(([key, item]): SurfaceOp[] =>
    isObject(item) && Object.keys(item).length > 0
      ? merge(item, `${path}/${key}`)
      : [{ op: 'set', path: `${path}/${key}`, value: item }],
  )

function catalogCase(test: Test): void {
  const { catalog_schema: catalog, s2c_schema, common_types_schema, custom_cuttable_keys } = test.catalog
  const documents: SchemaDocuments = { catalog: catalog as JsonObject }
  if (isObject(s2c_schema)) documents.serverToClient = s2c_schema
  if (isObject(common_types_schema)) documents.commonTypes = common_types_schema
  const expected = (test.expect ?? {}) as JsonObject
  switch (test.action) {
    case 'prune': {
      const { allowed_components: components, allowed_messages: messages } = test.args as { [key: string]: string[] }
      const pruned = pruneDocuments(documents, { ...(components && { components }), ...(messages && { messages }) })
      if (expected.catalog_schema) expect(pruned.catalog).toEqual(expected.catalog_schema)
      if (expected.s2c_schema) expect(pruned.serverToClient).toEqual(expected.s2c_schema)
      if (expected.common_types_schema) expect(pruned.commonTypes).toEqual(expected.common_types_schema)
      break
    }
    case 'render':
      expect(renderDocuments(documents)).toBe(String(test.expect_output).trimEnd())
      break
    case 'verify_cuttable_keys': {
      // Ours are an option of the preview: a cut text of that name is shown.
      const preview = new SurfacePreview({ catalogOf: () => basicCatalog, growing: custom_cuttable_keys as string[] })
      for (const key of custom_cuttable_keys as string[]) {
        preview.push(
          `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"x","component":"Own","${key}":"gro`,
        )
        expect(preview.take().get('s')).toEqual([{ op: 'upsert', id: 'x', component: { type: 'Own', [key]: 'gro' } }])
        break
      }
      break
    }
    default:
      throw new Error(`unknown action ${test.action}`)
  }
}
