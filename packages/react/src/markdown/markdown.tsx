import { useEffect, useMemo, useReducer } from 'react'
import { MarkdownBlockView } from './markdown-block.tsx'
import { type MarkdownBlock, markdownBlocks, type Source } from './markdown-stream.ts'
import { drawLater, usePortions } from './portions.ts'

/** Characters that are read in one task. A longer text is read and drawn piece by piece, so that the page never stands. */
const PASS = 32_000
/** Blocks that are drawn in one task. */
const PORTION = 50

/** Markdown as React elements. HTML in it is text: no HTML is ever parsed (C01). */
export function Markdown({ source, whole }: { source: Source; whole: boolean }) {
  const blocks = useMarkdownBlocks(source, whole)
  const shown = usePortions(blocks.length, PORTION)
  return (
    <div className="v-markdown">
      {blocks.slice(0, shown).map(block => (
        <MarkdownBlockView key={block.key} block={block} />
      ))}
    </div>
  )
}

/** Markdown of a text that is complete. */
export function MarkdownText({ text }: { text: string }) {
  const source = useMemo(() => ({ length: text.length, from: (start: number) => text.slice(start) }), [text])
  return <Markdown source={source} whole />
}

/** The blocks of a text as far as they were read; what is left follows by itself. */
function useMarkdownBlocks(source: Source, whole: boolean): readonly MarkdownBlock[] {
  const [, goOn] = useReducer((passes: number) => passes + 1, 0)
  const { blocks, unread } = markdownBlocks(source, whole, PASS)
  useEffect(() => {
    if (unread > 0) return drawLater(goOn)
  })
  return blocks
}
