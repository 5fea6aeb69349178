import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { basicCatalog } from './basic-catalog.ts'
import type { Catalog } from './catalog.ts'
import { BASIC_CATALOG_ID } from './catalog-ids.ts'
import { propertyNames } from './check-schema.ts'
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
  return [intro, ENVELOPES, ...described, BINDINGS, INTERACTION].join('\n\n')
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

const componentLines = ({ components, definitions }: Catalog): string[] =>
  [...components].map(([type, { schema, description = '' }]) => {
    const names = [...propertyNames(schema, { root: definitions }, new Set())].filter(key => !HIDDEN.has(key))
    const props = names.map(key => describeProperty(key, schema))
    return `- ${type}: ${description} ${props.length ? `{${props.join(', ')}}` : ''}`.replaceAll('  ', ' ').trimEnd()
  })

const functionLines = ({ functions }: Catalog): string[] =>
  [...functions].map(([name, { parameters, description = '' }]) => {
    const args = isObject(parameters?.properties) ? Object.keys(parameters.properties).join(', ') : ''
    return `- ${name}(${args}): ${description}`.trimEnd()
  })

function describeProperty(key: string, schema: JsonObject): string {
  const property = propertyOf(key, schema)
  const choices =
    choicesOf(property) ??
    (isObject(property) && Array.isArray(property.anyOf) ? choicesOf(property.anyOf[0]) : undefined)
  return choices ? `${key}: ${choices.join('|')}` : key
}

const choicesOf = (schema: Json | undefined): Json[] | undefined =>
  isObject(schema) && Array.isArray(schema.enum) ? schema.enum : undefined

/** The schema of a property; public documents put their properties into the parts of an `allOf`. */
function propertyOf(key: string, schema: Json): Json | undefined {
  if (!isObject(schema)) return undefined
  if (isObject(schema.properties) && schema.properties[key] !== undefined) return schema.properties[key]
  const parts = Array.isArray(schema.allOf) ? schema.allOf : []
  return parts.map(part => propertyOf(key, part)).find(found => found !== undefined)
}
