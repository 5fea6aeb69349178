import type { ResolvedNode, UiWords } from '@vitrine/genui/schema'
import { type ReactElement, type ReactNode, useCallback, useId, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { CodeBlock } from '../../markdown/code-block.tsx'
import { MarkdownText } from '../../markdown/markdown.tsx'
import { visible, visibleMarkdown } from '../../visible.tsx'
import { statusIcons, statusTones } from './status.ts'
import { useUi } from './ui-context.ts'

/** `level` is the rank of a title here: titles of inner cards and sections stand below those of outer ones. */
export function Text({ node, level }: { node: ResolvedNode<'text'>; level: number }) {
  const { words } = useUi()
  const drawn = drawWords(node, level, words)
  if (node.maxLines === undefined) return drawn
  const kind = node.role === 'code' ? 'code' : node.format
  return (
    <Clamped lines={node.maxLines} kind={kind}>
      {drawn}
    </Clamped>
  )
}

function drawWords(node: ResolvedNode<'text'>, level: number, words: UiWords): ReactElement {
  const { content, role, status } = node
  if (role === 'code') return <CodeBlock code={content} language="" />
  const className = `v-ui-text v-ui-${role}`
  const mark = status && status !== 'info' && (
    <>
      <Icon of={statusIcons[status]} className="v-ui-shape" />
      <span className="v-unseen">{words.status[status]}: </span>
    </>
  )
  if (node.format === 'markdown') {
    const heading = role === 'title' ? { role: 'heading', 'aria-level': level } : {}
    return (
      <div className={className} data-tone={status && statusTones[status]} dir="auto" {...heading}>
        {mark}
        <MarkdownText text={visibleMarkdown(content)} />
      </div>
    )
  }
  const Tag = role === 'title' ? (`h${level}` as 'h3') : 'p'
  return (
    <Tag className={className} data-tone={status && statusTones[status]} dir="auto">
      {mark}
      {visible(content)}
    </Tag>
  )
}

/** Shows the first lines; the way to the rest is offered only when there is a rest. */
function Clamped({
  lines,
  kind,
  children,
}: {
  lines: number
  kind: 'plain' | 'markdown' | 'code'
  children: ReactNode
}) {
  const { t } = useI18n()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [cut, setCut] = useState(false)
  const measure = useCallback((element: HTMLDivElement | null) => {
    if (!element) return
    const observer = new ResizeObserver(() => {
      // Of code its lines are cut, and not the head with its buttons.
      const { scrollHeight, clientHeight } = element.querySelector(':scope > .v-code > pre') ?? element
      if (element.dataset.open !== 'true') setCut(scrollHeight > clientHeight + 1)
    })
    observer.observe(element)
    // Markdown is drawn in portions and loads pictures: it grows in an element whose own size stays.
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div className="v-ui-clamped">
      <div
        id={id}
        ref={measure}
        className="v-ui-lines"
        data-open={open}
        data-kind={kind}
        data-cut={cut || undefined}
        style={{ '--v-ui-most': lines } as object}
      >
        {children}
      </div>
      {(cut || open) && (
        <Button look="quiet" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {t(open ? 'message.less' : 'message.more')}
        </Button>
      )}
    </div>
  )
}
