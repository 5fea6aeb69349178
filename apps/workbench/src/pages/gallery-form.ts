import type { Json, JsonObject } from '@vitrine/protocol'
import { named, type Sample, type Sketch } from './gallery-samples.ts'

export type Form = 'nested' | 'public'

const VERSION = 'v0.9'
const NESTED = 'https://a2ui.org/specification/v0_9/basic_catalog.json'
const PUBLIC = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json'

/** The sample as an agent would send it. */
export function envelopesOf(sample: Sample, form: Form): Json[] {
  return form === 'nested' ? nested(sample) : flat(sample)
}

function nested({ id, root, theme, dataModel }: Sample): Json[] {
  const createSurface = {
    surfaceId: id,
    catalogId: NESTED,
    ...(theme && { theme }),
    root,
    ...(dataModel && { dataModel }),
  }
  const more = named[id]
  return [
    { version: VERSION, createSurface } as unknown as Json,
    ...(more ? [{ version: VERSION, updateComponents: { surfaceId: id, components: more } } as unknown as Json] : []),
  ]
}

function flat({ id, root, theme, dataModel }: Sample): Json[] {
  const components: JsonObject[] = []
  for (const sketch of [root, ...(named[id] ?? [])]) flatten(sketch, components)
  return [
    { version: VERSION, createSurface: { surfaceId: id, catalogId: PUBLIC, ...(theme && { theme }) } },
    { version: VERSION, updateComponents: { surfaceId: id, components } },
    ...(dataModel ? [{ version: VERSION, updateDataModel: { surfaceId: id, value: dataModel } }] : []),
  ]
}

/** Parents before their children, as the public examples have it. */
function flatten(sketch: Sketch, into: JsonObject[]): void {
  const { id, type, props = {}, children = [] } = sketch
  const [component, own, extra] = publicForm(id, type, props)
  const ids = children.map(child => child.id)
  const slot: JsonObject =
    ids.length === 0 ? {} : type === 'Card' && ids.length === 1 ? { child: ids[0]! } : { children: ids }
  into.push({ id, component, ...own, ...slot }, ...extra)
  for (const child of children) flatten(child, into)
}

/** Where the public catalog has another name for the same thing. */
function publicForm(id: string, type: string, props: JsonObject): [string, JsonObject, JsonObject[]] {
  const { text, level, src, alt, rows, ...rest } = props
  const url: JsonObject = { ...(src !== undefined && { url: src }), ...(alt !== undefined && { description: alt }) }
  switch (type) {
    case 'Heading':
      return ['Text', { text: text ?? '', variant: `h${String(level)}` }, []]
    case 'Paragraph':
      return ['Text', { text: text ?? '' }, []]
    case 'Checkbox':
      return ['CheckBox', props, []]
    case 'TextArea':
      return ['TextField', { ...rest, variant: 'longText' }, []]
    case 'Image':
    case 'Video':
    case 'AudioPlayer':
      return [type, { ...url, ...rest }, []]
    case 'Button': {
      const action = rest.action ?? { event: { name: id, context: {} } }
      return [
        'Button',
        { child: `${id}-label`, ...rest, action },
        [{ id: `${id}-label`, component: 'Text', text: text ?? '' }],
      ]
    }
    default:
      return [type, props, []]
  }
}

export const written = (envelopes: readonly Json[]): string => JSON.stringify({ envelopes }, null, 2)
