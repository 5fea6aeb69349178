import { isObject, type Json, type JsonObject } from '@vitrine/protocol'
import { BASIC_CATALOG_ID, basicCatalog } from './basic-catalog.ts'
import type { Catalog } from './catalog.ts'
import { propertyNames } from './check-schema.ts'
import { HELPERS } from './expression.ts'

const HIDDEN = new Set(['id', 'component', 'accessibility', 'weight'])

/** The part of a system prompt that teaches the tool, made from the catalogs that are really there. */
export function a2uiPrompt(catalogs: readonly Catalog[] = [basicCatalog]): string {
  return [INTRO, ...catalogs.map(describeCatalog), BINDINGS, INTERACTION].join('\n\n')
}

const INTRO = `# Drawing UI with the a2ui tool

Use it when the user asks for more than plain text (a form, a card, a list of options, a layout), when structured data
(tables, KPIs) scans better as UI than as markdown, or when the information is visual. Do not use it for pure prose: answer
prose as prose. For a question that must be answered before you go on, use the ask tool instead.

Send envelopes: {"envelopes": [{"version": "v0.9", "createSurface": {...}}]}. Each envelope has "version": "v0.9" and exactly
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

A click, a submit (Enter) or a change of a control comes back to you as a message that starts with [a2ui.action], with one
line of JSON: surfaceId, componentId, eventType, payload (value; values of the whole form on click and submit), and name and
context where the component declares action: {"event": {"name", "context"}}. Answer with another a2ui call or in text.`

function describeCatalog(catalog: Catalog): string {
  const lines = [
    `## Catalog ${catalog.ids[0] ?? BASIC_CATALOG_ID}`,
    '',
    'Components ("type" and "props"; children are nested):',
  ]
  for (const [type, spec] of catalog.components) {
    const names = [...propertyNames(spec.schema, { root: catalog.definitions }, new Set())].filter(
      key => !HIDDEN.has(key),
    )
    const props = names.map(key => describeProperty(key, spec.schema))
    lines.push(
      `- ${type}: ${spec.description ?? ''} ${props.length ? `{${props.join(', ')}}` : ''}`
        .replaceAll('  ', ' ')
        .trimEnd(),
    )
  }
  lines.push('', 'Functions ({"call": name, "args": {…}}):')
  for (const [name, spec] of catalog.functions) {
    const args = isObject(spec.parameters?.properties) ? Object.keys(spec.parameters.properties).join(', ') : ''
    lines.push(`- ${name}(${args}): ${spec.description ?? ''}`.trimEnd())
  }
  return lines.join('\n')
}

function describeProperty(key: string, schema: JsonObject): string {
  const property: Json | undefined = isObject(schema.properties) ? schema.properties[key] : undefined
  const choices =
    choicesOf(property) ??
    (isObject(property) && Array.isArray(property.anyOf) ? choicesOf(property.anyOf[0]) : undefined)
  return choices ? `${key}: ${choices.join('|')}` : key
}

const choicesOf = (schema: Json | undefined): Json[] | undefined =>
  isObject(schema) && Array.isArray(schema.enum) ? schema.enum : undefined
