import { renderToStaticMarkup } from 'react-dom/server'
import { MarkdownBlockView } from './markdown-block.tsx'
import { type MarkdownBlock, MarkdownStream, type Source } from './markdown-stream.ts'

export const source = (text: string): Source => ({ length: text.length, from: start => text.slice(start) })

/** What the page has for blocks. */
export const drawWhole = (blocks: readonly MarkdownBlock[]): string =>
  renderToStaticMarkup(blocks.map(block => <MarkdownBlockView key={block.key} block={block} />))

/** The same without the direction, which every block takes from its own text. */
export const draw = (blocks: readonly MarkdownBlock[]): string =>
  drawWhole(blocks).replaceAll(/ dir="(?:auto|ltr)"/g, '')

/** What the page has for a text that is there at once. */
export const html = (text: string): string => draw(new MarkdownStream().update(source(text), true))

/** What the page has for a text that arrived in pieces. */
export function streamed(pieces: readonly string[]): string {
  const stream = new MarkdownStream()
  let text = ''
  for (const piece of pieces) {
    text += piece
    stream.update(source(text))
  }
  return draw(stream.update(source(text), true))
}
