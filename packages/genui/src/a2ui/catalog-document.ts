import { formatPointer, isObject, type Json, type JsonObject, own } from '@vitrine/protocol'
import { diagnosticLines, problem, type UiDiagnostic } from '../diagnostic.ts'
import { showJson } from '../json.ts'
import { basicParts } from './basic-catalog.ts'
import { Catalog, type CatalogComponent, missing } from './catalog.ts'
import { BASIC_CATALOG_ID, BASIC_CATALOG_IDS } from './catalog-ids.ts'
import { propertiesOf, unresolvedReference } from './check-schema.ts'
import type { CatalogFunction } from './expression.ts'
import { basicFunctions } from './functions.ts'
import type { ComponentTraits } from './traits.ts'

/** The member of a component's schema that has its traits. */
const TRAITS = 'x-traits'

/**
 * A catalog from its public JSON document. A document declares its functions, and `implement` has the code of those that
 * are not basic ones. A function without code fails when it is called, and says so. With `extends` it has everything of
 * the basic catalog too. It throws an error with the places of the mistakes that `catalogProblems` finds.
 */
export function catalogFromJson(
  document: JsonObject,
  implement: Readonly<Record<string, Pick<CatalogFunction, 'run' | 'effect'>>> = {},
): Catalog {
  const problems = catalogProblems(document)
  if (problems.length > 0) throw new Error(`The catalog has mistakes: ${diagnosticLines(problems).join('; ')}.`)
  const components: Record<string, CatalogComponent> = {}
  for (const [type, given] of Object.entries(isObject(document.components) ? document.components : {})) {
    if (!isObject(given)) continue
    const { [TRAITS]: traits, ...schema } = given
    components[type] = { schema, ...described(schema), ...(isObject(traits) && { traits: traits as ComponentTraits }) }
  }
  const functions: Record<string, CatalogFunction> = {}
  for (const [name, schema] of Object.entries(isObject(document.functions) ? document.functions : {})) {
    const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
    const returns = isObject(properties.returnType) ? properties.returnType.const : undefined
    const { run = missing(name), effect } = own(implement, name) ?? own(basicFunctions, name) ?? {}
    functions[name] = {
      returnType: (returns ?? 'any') as CatalogFunction['returnType'],
      run,
      ...(effect && { effect }),
      ...(isObject(schema) && described(schema)),
      ...(isObject(properties.args) ? { parameters: properties.args } : {}),
    }
  }
  const definitions = isObject(document.$defs) ? document.$defs : {}
  return new Catalog(String(document.catalogId ?? ''), document.extends === undefined ? {} : basicParts, {
    components,
    functions,
    definitions: document,
    ...(isObject(definitions.theme) ? { theme: definitions.theme } : {}),
  })
}

const described = ({ description }: JsonObject): { description?: string } =>
  typeof description === 'string' ? { description } : {}

/** Everything in a public document of a catalog that its author cannot have meant, each with its place. */
export function catalogProblems(document: JsonObject): UiDiagnostic[] {
  const { extends: base, components = {}, functions = {} } = document
  const reader = new DocumentReader(document)
  if (base !== undefined && !BASIC_CATALOG_IDS.includes(base as string)) {
    const message = `${showJson(base)} cannot be extended; only the basic catalog can: ${BASIC_CATALOG_ID}`
    reader.tell('wrong_choice', message, ['extends'])
  }
  if (!isObject(components)) reader.tell('wrong_type', 'is not an object of schemas by type', ['components'])
  reader.schemas(document.$defs, ['$defs'])
  reader.schemas(functions, ['functions'])
  for (const [type, schema] of Object.entries(isObject(components) ? components : {})) {
    const path = ['components', type]
    if (!isObject(schema)) {
      reader.tell('wrong_type', `${showJson(schema)} is not the schema of a component`, path)
      continue
    }
    reader.schema(schema, path)
    if (schema[TRAITS] !== undefined) reader.traits(schema[TRAITS], schema, [...path, TRAITS])
  }
  return reader.problems
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const LISTS_OF_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS_OF_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const SCHEMAS =
  'items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else'
/** Keywords of JSON Schema with values that are not schemas. Not all are checked, but none is a mistake. */
const VALUES =
  '$schema $id $ref $comment $anchor $dynamicRef $dynamicAnchor $vocabulary title description default examples deprecated ' +
  'readOnly writeOnly type enum const required format pattern minLength maxLength minimum maximum exclusiveMinimum ' +
  'exclusiveMaximum multipleOf minItems maxItems uniqueItems minContains maxContains minProperties maxProperties ' +
  'dependentRequired discriminator contentEncoding contentMediaType contentSchema'
const KEYWORDS: ReadonlySet<string> = new Set([
  ...LISTS_OF_SCHEMAS,
  ...MAPS_OF_SCHEMAS,
  ...SCHEMAS.split(' '),
  ...VALUES.split(' '),
])
const TRAIT_NAMES = 'input, hides, pressed, urls, refs, records and aliases'
const USES = ['image', 'video', 'audio', 'link']

const isNames = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string' && item !== '')

class DocumentReader {
  readonly problems: UiDiagnostic[] = []
  readonly #document: JsonObject

  constructor(document: JsonObject) {
    this.#document = document
  }

  tell(code: UiDiagnostic['code'], message: string, path: readonly string[]): void {
    this.problems.push(problem(code, message, formatPointer(path)))
  }

  schemas(value: Json | undefined, path: readonly string[]): void {
    if (isObject(value)) for (const [key, schema] of Object.entries(value)) this.schema(schema, [...path, key])
  }

  schema(value: Json | undefined, path: readonly string[]): void {
    if (typeof value === 'boolean') return
    if (!isObject(value)) {
      this.tell('wrong_type', `${showJson(value)} is not a schema`, path)
      return
    }
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, key]
      if (LISTS_OF_SCHEMAS.includes(key)) {
        if (Array.isArray(inner)) for (const [i, part] of inner.entries()) this.schema(part, [...at, String(i)])
        else this.tell('wrong_type', `${showJson(inner)} is not a list of schemas`, at)
      } else if (MAPS_OF_SCHEMAS.includes(key)) {
        if (isObject(inner)) this.schemas(inner, at)
        else this.tell('wrong_type', `${showJson(inner)} is not an object of schemas`, at)
      } else if (SCHEMAS.split(' ').includes(key)) this.schema(inner, at)
      else if (!KEYWORDS.has(key) && !key.startsWith('x-'))
        this.tell('unknown_field', `'${key}' is not a keyword of JSON Schema; a note of your own begins with 'x-'`, at)
      else this.#value(key, inner, at)
    }
  }

  #value(key: string, value: Json, at: readonly string[]): void {
    if (key === '$ref') {
      const why = unresolvedReference(value, this.#document)
      if (why !== undefined) this.tell('unreadable', why, at)
    } else if (key === 'type') {
      const wrong = [value].flat().find(name => !TYPES.includes(name as string))
      if (wrong !== undefined)
        this.tell('wrong_choice', `${showJson(wrong)} is not a type; types are ${TYPES.join(', ')}`, at)
    } else if (key === 'required') {
      if (!isNames(value)) this.tell('wrong_type', `${showJson(value)} is not a list of names of properties`, at)
    } else if (key === 'enum') {
      if (!Array.isArray(value)) this.tell('wrong_type', `${showJson(value)} is not a list of values`, at)
    } else if (key === 'pattern') {
      try {
        new RegExp(String(value))
      } catch (error) {
        this.tell('invalid_pattern', error instanceof Error ? error.message : String(error), at)
      }
    }
  }

  /** The traits of a component, as far as they are data. */
  traits(traits: Json | undefined, schema: JsonObject, path: readonly string[]): void {
    if (!isObject(traits)) {
      this.tell('wrong_type', `${showJson(traits)} is not an object of traits`, path)
      return
    }
    const known = propertiesOf(schema, this.#document)
    const named = (name: Json | undefined, at: readonly string[]): void => {
      if (typeof name !== 'string' || !known.has(name))
        this.tell('unknown_field', `${showJson(name)} is no property of the component`, [...path, ...at])
    }
    const wrong = (key: string, form: string): void =>
      this.tell('wrong_type', `${showJson(traits[key])} is not ${form}`, [...path, key])
    const { input, hides, pressed, urls, refs, records, aliases, ...others } = traits
    for (const key of Object.keys(others))
      this.tell('unknown_field', `'${key}' is no trait; traits are ${TRAIT_NAMES}`, [...path, key])
    if (input !== undefined) named(input, ['input'])
    if (hides !== undefined) {
      if (input === undefined)
        this.tell('missing', "'hides' is about what people type, and needs the trait 'input'", [...path, 'hides'])
      if (isObject(hides) && Array.isArray(hides.values)) named(hides.property, ['hides', 'property'])
      else if (hides !== true) wrong('hides', 'true or an object with property and values')
    }
    if (pressed !== undefined && pressed !== true) wrong('pressed', 'true')
    if (urls !== undefined) {
      if (!isObject(urls)) wrong('urls', `an object with one of ${USES.join(', ')} for each property`)
      else
        for (const [name, use] of Object.entries(urls)) {
          named(name, ['urls', name])
          if (!USES.includes(use as string))
            this.tell('wrong_choice', `${showJson(use)} is not one of ${USES.join(', ')}`, [...path, 'urls', name])
        }
    }
    if (refs !== undefined) {
      if (!isNames(refs)) wrong('refs', 'a list of names of properties')
      else for (const [i, name] of refs.entries()) named(name.split('.')[0], ['refs', String(i)])
    }
    if (records !== undefined) {
      if (!isNames(records)) wrong('records', 'a list of names of properties')
      else for (const [i, name] of records.entries()) named(name, ['records', String(i)])
    }
    if (aliases !== undefined) {
      if (!isObject(aliases)) wrong('aliases', 'an object with the name of a property for each other name')
      else for (const [alias, name] of Object.entries(aliases)) named(name, ['aliases', alias])
    }
  }
}
