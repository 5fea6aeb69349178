import type { UiDiagnostic } from '@vitrine/genui'
import { Surfaces, toEnvelopes } from '@vitrine/genui/a2ui'
import { isObject, type JsonObject } from '@vitrine/protocol'

const KINDS = ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface']

const error = (code: UiDiagnostic['code'], message: string, path: string): UiDiagnostic => ({
  level: 'error',
  code,
  message,
  path,
})

/** Whether a value is one A2UI envelope, a list of them, or an object that has such a list. */
export const isEnvelopes = (value: unknown): boolean =>
  typeof value === 'object' && toEnvelopes(value).some(one => isObject(one) && KINDS.some(kind => kind in one))

/** The judgement of the engine about envelopes that come one after the other. A refused one is an error, all else a warning. */
export function inspectEnvelopes(value: unknown): UiDiagnostic[] {
  const envelopes = toEnvelopes(value)
  const [list] = isObject(value) ? Object.entries(value).filter(([, member]) => member === envelopes) : []
  const placeOf = (index: number): string => (list ? `/${list[0]}/${index}` : Array.isArray(value) ? `/${index}` : '')
  const surfaces = new Surfaces()
  const found = surfaces
    .apply(envelopes)
    .results.flatMap((result, index): UiDiagnostic[] =>
      result.ok
        ? (result.diagnostics ?? []).map(one => ({ ...one, level: 'repair', path: placeOf(index) + one.path }))
        : [error(result.code, result.error, placeOf(index) + result.path)],
    )
  // What is wrong with a surface as a whole has no place in one envelope.
  const left = surfaces.ids.flatMap(id =>
    surfaces.inspect(id).map(one => ({ ...one, level: 'repair' as const, path: '' })),
  )
  return [...found, ...left]
}

/** Whether a value is the public document of an A2UI catalog. */
export const isCatalog = (value: unknown): value is JsonObject => isObject(value) && 'catalogId' in value

/** What keeps a catalog from being used. */
export function inspectCatalog(catalog: JsonObject): UiDiagnostic[] {
  const { catalogId, components, functions = {} } = catalog
  const found: UiDiagnostic[] = []
  if (typeof catalogId !== 'string' || catalogId === '')
    found.push(error('wrong_type', 'the id of a catalog is a text', '/catalogId'))
  for (const [name, members] of Object.entries({ components, functions })) {
    if (!isObject(members))
      found.push(error('wrong_type', `${name} is an object with a schema for each name`, `/${name}`))
    else
      for (const [key, schema] of Object.entries(members))
        if (!isObject(schema)) found.push(error('wrong_type', `the schema of ${key} is an object`, `/${name}/${key}`))
  }
  return found
}
