import { Suspense } from 'react'
import { lazily } from '../../lazily.tsx'
import { accessibilityOf, frame, oneOf, text } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

// Most texts have no mark-up: the parser is fetched for the first one that has.
const MarkdownText = lazily(async () => ({ default: (await import('../../markdown/markdown.tsx')).MarkdownText }))
const MARKED = /[*_`~#>|[\]$\\]|^\s*(?:[-+]|\d+[.)])\s|\n\s*\n/m

const tags = { body: 'p', caption: 'p', h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' } as const

export function Text({ node }: A2uiRendererProps) {
  const content = text(node, 'text')
  const variant = oneOf(node.props.variant, 'body', 'caption', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')
  const marked = node.props.markdown === true && MARKED.test(content)
  const { 'aria-label': _, ...attributes } = frame(node, `v-a2-text v-a2-${variant}`)
  const { label } = accessibilityOf(node)
  const Tag = marked ? 'div' : tags[variant]
  const shown = marked ? (
    <Suspense fallback={content}>
      <MarkdownText text={content} />
    </Suspense>
  ) : (
    content
  )
  return (
    <Tag {...attributes} {...(marked && variant.startsWith('h') && heading(variant))} dir="auto">
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

const heading = (variant: string) => ({ role: 'heading', 'aria-level': Math.min(6, Number(variant[1]) + 1) })
