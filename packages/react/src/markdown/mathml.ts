import temml, { type Options } from 'temml'

/** An element of MathML as data: its name, its attributes, its content. */
export type MathNode = string | [tag: string, attributes: Record<string, string>, ...children: MathNode[]]

/** The declarations of the package describe a module of another form than the one that it has. */
const { __renderToMathMLTree: treeOf } = temml as unknown as {
  __renderToMathMLTree(tex: string, options: Options): TemmlNode
}

const TAGS = new Set(
  (
    'math mrow mi mn mo mtext mspace mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover ' +
    'munderover mmultiscripts mprescripts none mtable mtr mtd menclose'
  ).split(' '),
)
/** What shapes a formula. Colours, addresses and events are not among them. */
const ATTRIBUTES = new Set(
  (
    'display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric ' +
    'movablelimits largeop linethickness width height depth voffset columnalign rowspacing columnspacing columnlines ' +
    'rowlines accent accentunder notation columnspan rowspan'
  ).split(' '),
)
const STYLES = /^(?:(?:padding|margin|border)(?:-\w+)*|width|height|min-width|vertical-align|text-align|white-space)$/
const PLAIN = /^[\w\s.%-]*$/

/** No formula that people write is larger. A larger one would cover what stands around it. */
const MOST_NODES = 5_000
/** Layout looks at what is deep inside of something once for each thing around it. */
const MOST_DEEP = 100

/** A formula as MathML. Throws when it is none that can be drawn. */
export function toMathml(tex: string, display: boolean): MathNode {
  const tree = treeOf(tex, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    strict: false,
    maxExpand: 500,
    maxSize: [20, 100],
  })
  let count = 0
  const copy = (node: TemmlNode, deep: number): MathNode[] => {
    if (++count > MOST_NODES || deep > MOST_DEEP) throw new Error('The formula is too large')
    if (typeof node.text === 'string') return [node.text]
    const children = (node.children ?? []).flatMap(child => copy(child, deep + 1))
    // What is in an element that we do not know is drawn without it.
    return TAGS.has(node.type ?? '') ? [[node.type!, attributesOf(node), ...children]] : children
  }
  const [root] = copy(tree, 0)
  if (root === undefined) throw new Error('The formula is empty')
  return root
}

interface TemmlNode {
  type?: string
  text?: string
  attributes?: Record<string, unknown>
  classes?: string[]
  style?: Record<string, unknown>
  children?: TemmlNode[]
}

function attributesOf({ attributes = {}, classes = [], style = {} }: TemmlNode): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) if (ATTRIBUTES.has(name)) kept[name] = String(value)
  const names = classes.filter(name => /^[\w-]+$/.test(name))
  if (names.length > 0) kept.class = names.join(' ')
  for (const [name, value] of Object.entries(style)) {
    const property = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    if (STYLES.test(property) && PLAIN.test(String(value))) kept[`style.${name}`] = String(value)
  }
  return kept
}
