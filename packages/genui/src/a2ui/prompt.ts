import { isObject, type Json, type JsonObject, own, readPath, referencePath } from '@vitrine/protocol'
import { clip } from '../json.ts'
import { basicCatalog } from './basic-catalog.ts'
import type { Catalog } from './catalog.ts'
import { BASIC_CATALOG_ID } from './catalog-ids.ts'
import { propertiesOf } from './check-schema.ts'
import { HELPERS } from './expression.ts'

const HIDDEN = new Set(['id', 'component', 'accessibility', 'weight'])

/** The part of a system prompt that teaches the tool, made from the catalogs that are really there. */
export function a2uiPrompt(
  catalogs: readonly Catalog[] = [basicCatalog],
  /** `ask`: the agent has a tool of this name, for questions that hold it up. */
  tools: { ask?: boolean } = {},
): string {
  const intro = tools.ask ? `${INTRO} ${ASK}` : INTRO
  const described = catalogs.map(catalog => describeCatalog(catalog, catalogs[0]!))
  return [intro, ENVELOPES, ...described, FORMS, BINDINGS, INTERACTION].join('\n\n')
}

const INTRO = `# Drawing UI with the a2ui tool

Use it when the user asks for more than plain text (a form, a card, a list of options, a layout), when structured data
(tables, KPIs) scans better as UI than as markdown, or when the information is visual. Do not use it for pure prose: answer
prose as prose.`

const ASK = 'For a question that must be answered before you go on, use the ask tool instead.'

const ENVELOPES = `Send envelopes: {"envelopes": [{"version": "v0.9", "createSurface": {...}}]}. Each envelope has "version": "v0.9" and exactly
one of createSurface, updateComponents, updateDataModel, deleteSurface.
- createSurface {surfaceId, catalogId, theme?, root, dataModel?}: the whole tree and its data, in one envelope.
- updateDataModel {surfaceId, path, value}: when data changes. Without value the path is deleted.
- updateComponents {surfaceId, components | replace {id, component} | delete [ids]}: when the structure changes.
- deleteSurface {surfaceId}: when it is no longer needed.
Keep surfaceId and component ids stable, so that things change in place. A failed entry of the result has a code, a path and
an error: correct that envelope and send it again.`

const FORMS = `Forms: options [{"value", "label"}]; columns [{"key", "label"}], rows [{key: value}]; tabs [{"title", "child"}]; checks
[{"condition": true or a call, "message"}]; action {"event": …} (below) or {"functionCall": {"call", "args"}}.`

const BINDINGS = `## Values

A property takes a value, or: {"path": "/user/name"} (also {"$ref": …}) from the data model; {"literal": …} as it is;
{"formatString": "Hi \${/name}"}; or one of the helpers ${HELPERS.join(', ')}: {"if": {"cond", "then", "else"}},
{"eq": [a, b]}, {"concat": [a, b]}, {"length": v}, {"join": {"items", "separator"}}, {"coalesce": [a, b]},
{"map": {"from": {"path": "/items"}, "as": "item", "template": {"formatString": "\${/item/name}"}}}.
To repeat a component for each item of a list: "children": {"componentId": "row", "path": "/items"}; inside it a pointer
without a leading slash is relative to the item. For a type that is not in the catalog put a short Paragraph nearby, so that
people still see something. Text is plain: HTML is shown as it is written. Images: http, https or data.`

const INTERACTION = `## What people do

A pressed button, Enter in a field (submit) or a changed control comes back to you as one message, such as:
[a2ui.action]
{"surfaceId":"trip","componentId":"book","eventType":"click","payload":{"values":{"guests":2}},"name":"book","context":{"hotel":7}}
eventType is click, submit or change. payload.values has the value of every field, by component id (a change has payload.value
alone). name and context are those of the component's "action": {"event": {"name", "context"}}; give each button one. Answer
with another a2ui call that changes the surface, or in text.`

/** One catalog. What the first one has told is not told again. */
function describeCatalog(catalog: Catalog, first: Catalog): string {
  const title = `## Catalog ${catalog.ids[0] ?? BASIC_CATALOG_ID}`
  const [types, calls] = [componentLines(catalog), functionLines(catalog)]
  const told = catalog === first ? [] : [...componentLines(first), ...functionLines(first)]
  const all = told.length > 0 && told.every(line => types.includes(line) || calls.includes(line))
  const fresh = (lines: readonly string[]) => (all ? lines.filter(line => !told.includes(line)) : lines)
  return [
    title,
    ...(all ? ['', `Everything of ${first.ids[0]}, and:`] : []),
    ...section('Components ("type" and "props"; children are nested):', fresh(types)),
    ...section('Functions ({"call": name, "args": {…}}):', fresh(calls)),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length ? ['', title, ...lines] : [])

const componentLines = (catalog: Catalog): string[] =>
  [...catalog.components].map(([type, { schema, description = '' }]) => {
    // The words of basic names are known; what their values look like is said once, below.
    const isBasic = basicCatalog.components.get(type)?.schema === schema
    const props = isBasic ? basicProperties(schema) : typedProperties(schema, catalog, catalog.traits(type).input)
    return `- ${type}: ${description} ${props.length ? `{${props.join(', ')}}` : ''}`.replaceAll('  ', ' ').trimEnd()
  })

const functionLines = (catalog: Catalog): string[] =>
  [...catalog.functions].map(([name, { parameters = {}, description = '' }]) => {
    const isBasic = basicCatalog.functions.get(name)?.parameters === parameters
    const args = isBasic ? [...partsOf(parameters, catalog).keys()] : typedProperties(parameters, catalog)
    return `- ${name}(${args.join(', ')})${description && `: ${description}`}`
  })

/** The names of properties, with their values where these are a choice. */
const basicProperties = (schema: JsonObject): string[] =>
  [...partsOf(schema, basicCatalog)].map(([key, { property }]) => {
    const choices = [property, ...alternativesOf(property)].map(choicesOf).find(found => found !== undefined)
    return choices ? `${key}: ${choices.join('|')}` : key
  })

/** The properties with what a model cannot guess of them: types, which are optional, and what they are for. */
const typedProperties = (schema: JsonObject, catalog: Catalog, input?: string): string[] =>
  [...partsOf(schema, catalog)].map(([key, { property, required }]) => {
    const told = isObject(property) && typeof property.description === 'string' ? property.description : ''
    const notes = [clip(told.replace(/\.$/, ''), 100), key === input ? 'people edit it' : ''].filter(
      note => note !== '',
    )
    const note = notes.length > 0 ? ` (${notes.join('; ')})` : ''
    return `${key}${required ? '' : '?'}: ${typeText(property, catalog)}${note}`
  })

const alternativesOf = (schema: Json | undefined): readonly Json[] => {
  const parts = isObject(schema) ? (schema.anyOf ?? schema.oneOf) : undefined
  return Array.isArray(parts) ? parts : []
}

const choicesOf = (schema: Json | undefined): Json[] | undefined =>
  isObject(schema) && Array.isArray(schema.enum) ? schema.enum : undefined

type Parts = Map<string, { property: Json; required: boolean }>

/** The properties of a schema and of its parts; public documents put them into the parts of an `allOf`. */
function partsOf(schema: JsonObject, { definitions }: Catalog): Parts {
  const required = new Set<Json>()
  const visit = (part: Json): void => {
    if (!isObject(part)) return
    for (const key of Array.isArray(part.required) ? part.required : []) required.add(key)
    for (const inner of Array.isArray(part.allOf) ? part.allOf : []) visit(inner)
  }
  visit(schema)
  const shown = [...propertiesOf(schema, definitions)].filter(([key]) => !HIDDEN.has(key))
  return new Map(shown.map(([key, property]) => [key, { property, required: required.has(key) }]))
}

/** The shared types, as a model reads them. */
const SHARED: Readonly<Record<string, string>> = {
  DynamicString: 'string',
  DynamicNumber: 'number',
  DynamicBoolean: 'boolean',
  DynamicStringList: 'string[]',
  DynamicList: 'list',
  ComponentId: 'component',
  ChildList: 'components',
  Action: 'action',
  CheckRule: 'check',
}

/** A schema in a few words. What is deeper than a few levels is an object. */
function typeText(schema: Json | undefined, catalog: Catalog, depth = 0): string {
  if (!isObject(schema)) return 'any'
  if (typeof schema.$ref === 'string') {
    const shared = own(SHARED, schema.$ref.split('/').at(-1) ?? '')
    const target =
      shared === undefined && depth < 3 ? readPath(catalog.definitions, referencePath(schema.$ref) ?? ['']) : undefined
    return shared ?? (target === undefined ? 'any' : typeText(target, catalog, depth + 1))
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = choicesOf(schema)
  if (choices) return choices.join('|')
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return [...new Set(alternatives.map(part => typeText(part, catalog, depth)))].join('|')
  if (schema.type === 'array') {
    const item = typeText(schema.items, catalog, depth)
    return item.includes('|') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (isObject(schema.properties) && depth < 3) {
    const parts = [...partsOf(schema, catalog)]
    return `{${parts.map(([key, { property, required }]) => `${key}${required ? '' : '?'}: ${typeText(property, catalog, depth + 1)}`).join(', ')}}`
  }
  return schema.type === undefined ? 'any' : [schema.type].flat().join('|')
}
