import { Suspense } from 'react'
import { lazily } from '../../lazily.tsx'
import { accessibilityOf, frame, oneOf, text } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

// Most texts have no mark-up: the parser is fetched for the first one that has.
const MarkdownText = lazily(async () => ({ default: (await import('../../markdown/markdown.tsx')).MarkdownText }))
const MARKED = /[*_`~#>|[\]$\\]|^\s*(?:[-+]|\d+[.)])\s|\n\s*\n/m
/** Where a line begins like an item of a list. */
const ITEM = /^\s*(?:[-+*]|\d+[.)])(?=\s)/

/** A number and nothing else. Signs are as wide as digits there, which looks wrong between letters. */
const FIGURES = /^[\d\s.,:%°€$£¥]*\d[\d\s.,:%°€$£¥]*$/

const tags = { body: 'p', caption: 'p', h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' } as const

export function Text({ node }: A2uiRendererProps) {
  const content = text(node, 'text')
  const variant = oneOf(node.props.variant, 'body', 'caption', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')
  const marked = node.props.markdown === true ? markdownOf(content) : undefined
  const { 'aria-label': _, ...attributes } = frame(node, `v-a2-bends v-a2-text v-a2-${variant}`)
  const { label } = accessibilityOf(node)
  const Tag = marked !== undefined ? 'div' : tags[variant]
  const shown =
    marked !== undefined ? (
      <Suspense fallback={content}>
        <MarkdownText text={marked} />
      </Suspense>
    ) : (
      content
    )
  return (
    <Tag
      {...attributes}
      {...(marked !== undefined && variant.startsWith('h') && heading(variant))}
      data-figures={FIGURES.test(content) || undefined}
      dir="auto"
    >
      {label === undefined ? (
        shown
      ) : (
        <>
          <span aria-hidden>{shown}</span>
          <span className="v-unseen">{label}</span>
        </>
      )}
    </Tag>
  )
}

/** The Markdown of a text that has marks. A single line is no list: ` - Qty: ` is a dash between two texts of a row. */
function markdownOf(content: string): string | undefined {
  const mark = content.trim().includes('\n') ? undefined : ITEM.exec(content)?.[0]
  if (mark === undefined) return MARKED.test(content) ? content : undefined
  const rest = content.slice(mark.length)
  return MARKED.test(rest) ? `${mark.slice(0, -1)}\\${mark.at(-1)}${rest}` : undefined
}

const heading = (variant: string) => ({ role: 'heading', 'aria-level': Math.min(6, Number(variant[1]) + 1) })
