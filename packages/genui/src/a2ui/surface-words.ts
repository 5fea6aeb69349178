import { isObject, type Json, own, type SurfaceContent, surfaceOps } from '@vitrine/protocol'
import { basicFunctions } from './functions.ts'
import { type SurfaceCatalog, SurfaceModel } from './surface-model.ts'
import { basicTraits, type ComponentTraits } from './traits.ts'

/** Properties that say something to people, in the basic catalog and by custom in others. */
const SAID = new Set([
  ...['text', 'label', 'title', 'subtitle', 'heading', 'description', 'caption', 'message', 'summary', 'hint'],
  ...['placeholder', 'content', 'options', 'tabs', 'columns', 'rows', 'items'],
])
/** Names inside a record of a list that say nothing to people: they tell the records apart, or lead somewhere. */
const NOT_SAID = new Set(['key', 'id', 'child', 'url', 'href', 'src', 'icon', 'component', 'type', 'action'])

/** So much of a surface is drawn for its words: what is further down is not read. */
const LIMITS = { drawn: 1_000, steps: 50_000 }

/** Any type of any catalog: words are read from what an agent drew also where only a page knows how it looks. */
const ANY: SurfaceCatalog = {
  functions: new Map(Object.entries(basicFunctions)),
  has: () => true,
  traits: (type): ComponentTraits => own(basicTraits, type) ?? {},
}

/**
 * The words that people read on a surface, in the order in which they stand there, a line for each, and at most so many
 * characters. What people have typed into its fields is not among them.
 */
export function surfaceWords(surface: SurfaceContent, most: number): string {
  const model = new SurfaceModel({ surfaceId: 'words', catalog: ANY, limits: LIMITS }, surfaceOps(surface))
  const lines: string[] = []
  let length = 0
  const add = (said: string): void => {
    const line = said.trim()
    if (line === '' || length >= most) return
    lines.push(line.slice(0, most - length))
    length += line.length + 1
  }
  const seen = new Set<string>()
  const visit = (id: string | undefined): void => {
    const node = id === undefined || seen.has(id) || length >= most ? undefined : model.getNode(id)
    if (!node) return
    seen.add(node.id)
    const { input, urls = {} } = own(basicTraits, node.type) ?? {}
    for (const [name, value] of Object.entries(node.props)) {
      if (SAID.has(name) && name !== input && !Object.hasOwn(urls, name)) say(value, add)
    }
    for (const child of node.children) visit(child)
  }
  visit(model.getSurface().root)
  model.dispose()
  return lines.join('\n')
}

function say(value: Json, add: (said: string) => void): void {
  if (typeof value === 'string') add(value)
  else if (typeof value === 'number') add(String(value))
  else if (Array.isArray(value)) for (const item of value) say(item, add)
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) if (!NOT_SAID.has(name)) say(member!, add)
}
