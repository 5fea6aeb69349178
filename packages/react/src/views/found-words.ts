import { phrasesOf, placesOf } from '@vitrine/protocol'

/** The name under which the style sheet knows the marks. */
const HIGHLIGHT = 'v-found-words'
/** More text than this of one message is not looked through: that would hold up the page. */
const MOST = 100_000
const BLOCKS = 'p, li, td, th, dt, dd, pre, h1, h2, h3, h4, h5, h6, blockquote, figcaption, summary, button, label, div'

/** A piece of the page's text, and where it begins in the whole. */
interface Piece {
  node: Text
  start: number
}

/** Where the words of a search stand in what is drawn of an element, in order. */
export function wordRanges(element: Element, search: string): Range[] {
  const pieces: Piece[] = []
  let whole = ''
  let block: Element | null | undefined
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (
    let node = walker.nextNode() as Text | null;
    node && whole.length < MOST;
    node = walker.nextNode() as Text | null
  ) {
    const parent = node.parentElement
    if (parent?.closest('.v-unseen, [hidden], textarea')) continue
    // Words of two paragraphs are not one word.
    const own = parent?.closest(BLOCKS) ?? null
    if (own !== block) whole += '\n'
    block = own
    pieces.push({ node, start: whole.length })
    whole += node.data
  }
  return placesOf(whole, phrasesOf(search)).flatMap(({ start, end }) => {
    const [from, to] = [pointAt(pieces, start), pointAt(pieces, end - 1)]
    if (!from || !to) return []
    const range = document.createRange()
    range.setStart(from.node, from.offset)
    range.setEnd(to.node, to.offset + 1)
    return [range]
  })
}

function pointAt(pieces: readonly Piece[], at: number): { node: Text; offset: number } | undefined {
  const piece = pieces.findLast(({ start }) => start <= at)
  const offset = piece ? at - piece.start : 0
  return piece && offset < piece.node.length ? { node: piece.node, offset } : undefined
}

/**
 * Marks the words of a search in an element, also in what is drawn of it later, without touching its content. The returned
 * function takes the marks away. A browser without such marks shows none.
 */
export function markWords(element: Element, search: string): () => void {
  if (typeof Highlight === 'undefined' || !CSS.highlights || phrasesOf(search).length === 0) return () => {}
  let frame = 0
  const mark = () => {
    frame = 0
    CSS.highlights.set(HIGHLIGHT, new Highlight(...wordRanges(element, search)))
  }
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(mark)
  })
  observer.observe(element, { childList: true, subtree: true, characterData: true })
  mark()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete(HIGHLIGHT)
  }
}
