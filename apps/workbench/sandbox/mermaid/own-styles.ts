// The policy of a sandbox forbids inline styles, as everywhere. The library writes some; here they become styles that a
// script sets, which a policy allows, because no text of a stranger can bring them along as markup.

const STYLE_IN_TAG = /(<[a-z][^<>]*?)\sstyle=/gi

/** Markup in which no element has a style: `applyStyles` gives them back. */
const withoutStyles = (markup: string): string => {
  let before: string
  let after = markup
  do {
    before = after
    after = before.replace(STYLE_IN_TAG, '$1 data-style=')
  } while (after !== before)
  return after
}

/** Style sheets that the library makes, instead of style elements. */
function adopt(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** Forgets the style sheets of the drawing before. */
export const dropStyles = (): void => {
  document.adoptedStyleSheets = []
}

/** Puts a drawing into the document, with the styles that its elements are to have. */
export function insert(place: Element, svg: string): void {
  place.innerHTML = withoutStyles(svg)
  for (const element of place.querySelectorAll<SVGElement>('[data-style]')) {
    element.style.cssText = element.getAttribute('data-style') ?? ''
    element.removeAttribute('data-style')
  }
}

const isStyle = (node: Node): node is Element => node instanceof Element && node.localName === 'style'

/** From now on, what the library writes as inline styles is set by script. */
export function allowOwnStyles(): void {
  const { setAttribute } = Element.prototype
  Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
    if (name === 'style' && 'style' in this) (this as SVGElement).style.cssText = value
    else setAttribute.call(this, name, value)
  }
  const { appendChild, insertBefore } = Node.prototype
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    if (!isStyle(node)) return appendChild.call(this, node) as T
    adopt(node.textContent ?? '')
    return node
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    if (!isStyle(node)) return insertBefore.call(this, node, next) as T
    adopt(node.textContent ?? '')
    return node
  }
  const { parseFromString } = DOMParser.prototype
  DOMParser.prototype.parseFromString = function (this: DOMParser, text: string, type: DOMParserSupportedType) {
    // The sanitiser of the library hands over an object that stands for its text.
    return parseFromString.call(this, withoutStyles(String(text)), type)
  }
}
