import { judgeUrl } from '@vitrine/genui'
import type { Token, Tokens } from 'marked'
import { createElement, Fragment, type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { OutsideLink } from '../kit/outside-link.tsx'
import { Picture } from '../kit/picture.tsx'
import type { DrawnToken } from './bounded-lexer.ts'
import { CodeBlock } from './code-block.tsx'
import { MarkdownStream, type Source } from './markdown-stream.ts'

/** Markdown as React elements. HTML in it is text: no HTML is ever parsed (C01). */
export function Markdown({ source, whole }: { source: Source; whole: boolean }) {
  const stream = useMemo(() => new MarkdownStream<ReactElement>(topBlocks()), [])
  return <div className="v-markdown">{stream.update(source, whole)}</div>
}

/** Markdown of a text that is complete. */
export function MarkdownText({ text }: { text: string }) {
  const source = useMemo(() => ({ length: text.length, from: (start: number) => text.slice(start) }), [text])
  return <Markdown source={source} whole />
}

/**
 * Draws top-level blocks. Headings keep their looks, but their level in the outline begins below the conversation's
 * own heading and never skips one, however the text was written.
 */
export function topBlocks(): (token: Token, index: number) => ReactElement {
  const headings: { index: number; depth: number; level: number }[] = []
  return (token, index) => {
    const known = token as DrawnToken
    // A block at a place that was drawn before replaces what was there and all that followed.
    while (headings.length > 0 && headings.at(-1)!.index >= index) headings.pop()
    if (known.type !== 'heading') return drawBlock(token, index)
    const { depth } = known
    const first = headings[0]?.depth ?? depth
    const before = headings.at(-1)?.level ?? OUTLINE - 1
    const level = Math.min(6, before + 1, Math.max(OUTLINE, OUTLINE + depth - first))
    headings.push({ index, depth, level })
    const Heading = `h${level}` as 'h3'
    return (
      <Heading key={index} className={`v-h${depth}`}>
        {inlines(known.tokens)}
      </Heading>
    )
  }
}

/** The page has the first level, the conversation the second. */
const OUTLINE = 3

function drawBlock(token: Token, index: number): ReactElement {
  return <Fragment key={index}>{block(token as DrawnToken)}</Fragment>
}

const blocks = (tokens: readonly Token[] | undefined): ReactNode => tokens?.map(drawBlock)
/** Children by place: the text only grows at its end, so the place is the identity. */
function byPlace(children: readonly ReactNode[]): ReactNode {
  if (children.length <= ARGUMENTS) return createElement(Fragment, null, ...children)
  const groups = Array.from({ length: Math.ceil(children.length / ARGUMENTS) }, (_, at) =>
    byPlace(children.slice(at * ARGUMENTS, (at + 1) * ARGUMENTS)),
  )
  return byPlace(groups)
}
/** A call with a hundred thousand arguments overflows the stack. */
const ARGUMENTS = 1_000

const inlines = (tokens: readonly Token[] | undefined): ReactNode =>
  byPlace((tokens ?? []).map(token => inline(token as DrawnToken)))

function block(token: DrawnToken): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'heading':
      // Inside a quote or a list it is no part of the outline.
      return <p className={`v-heading v-h${token.depth}`}>{inlines(token.tokens)}</p>
    case 'paragraph':
      return <p>{inlines(token.tokens)}</p>
    case 'code':
      return <CodeBlock code={token.text} language={token.lang?.split(/\s/)[0] ?? ''} />
    case 'blockquote':
      return <blockquote>{blocks(token.tokens)}</blockquote>
    case 'list':
      return <List token={token} />
    case 'table':
      return <Table token={token} />
    case 'html':
      return <p className="v-source">{token.raw.trimEnd()}</p>
    case 'text':
      return token.tokens ? inlines(token.tokens) : withCharacters(token.text)
    case 'plain':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must be able to.
        <pre className="v-beyond" tabIndex={0}>
          {token.raw.trimEnd()}
        </pre>
      )
    default:
      return inline(token)
  }
}

function inline(token: DrawnToken): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens ? inlines(token.tokens) : withCharacters(token.text)
    case 'escape':
      return token.text
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>
    case 'em':
      return <em>{inlines(token.tokens)}</em>
    case 'del':
      return <del>{inlines(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link href={token.href}>{inlines(token.tokens)}</Link>
    case 'image':
      return <Image href={token.href} text={token.text} />
    case 'checkbox':
      return null
    case 'plain':
      return <span className="v-prewrap">{token.raw}</span>
    default:
      return token.raw
  }
}

/** The lexer leaves character references in text as they are; a person wrote them for the character. */
function withCharacters(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => references[name]!)
}
const references: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' }

/** An image that can be drawn at once: its bytes are in the text. Remote ones are loaded only when asked for. */
const INLINE_IMAGE = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i

function Link({ href, children }: { href: string; children: ReactNode }) {
  const { t } = useI18n()
  const link = judgeUrl(href, 'text_link')
  if (!link.ok) {
    return (
      <span className="v-link-refused" title={t('markdown.linkRefused', { href })}>
        {children}
      </span>
    )
  }
  return <OutsideLink href={link.url}>{children}</OutsideLink>
}

/** A remote picture would tell its server that, and when, this text was read: it is fetched only when asked for. */
function Image({ href, text }: { href: string; text: string }) {
  const { t } = useI18n()
  const [wanted, setWanted] = useState(false)
  const inline = INLINE_IMAGE.test(href)
  const remote = judgeUrl(href, 'text_image')
  if (!inline && !remote.ok) return <span className="v-link-refused">{text || href}</span>
  const src = remote.ok ? remote.url : href
  if (wanted || inline) {
    return <Picture src={src} alt={text} fallback={<span className="v-link-refused">{text || href}</span>} />
  }
  return (
    <Button className="v-load-image" onClick={() => setWanted(true)}>
      {t('markdown.loadImage', { name: text || new URL(src).hostname })}
    </Button>
  )
}

function List({ token }: { token: Tokens.List }) {
  const { t } = useI18n()
  const items = token.items.map(item => (
    // biome-ignore lint/correctness/useJsxKeyInIterable: the place is the identity.
    <li className={item.task ? 'v-task-item' : undefined}>
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked ?? false}
          disabled
          aria-label={t(item.checked ? 'markdown.done' : 'markdown.open')}
        />
      )}
      {blocks(item.tokens)}
    </li>
  ))
  if (!token.ordered) return <ul>{byPlace(items)}</ul>
  return <ol start={token.start === '' ? 1 : token.start}>{byPlace(items)}</ol>
}

function Table({ token }: { token: Tokens.Table }) {
  const { t } = useI18n()
  const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td') =>
    createElement(
      'tr',
      null,
      byPlace(
        row.map(cell =>
          createElement(
            Cell,
            { style: cell.align ? { textAlign: cell.align } : undefined, scope: Cell === 'th' ? 'col' : undefined },
            inlines(cell.tokens),
          ),
        ),
      ),
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no form, and a section would be one more landmark.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to.
    <div className="v-prose-table" role="group" tabIndex={0} aria-label={t('kit.table')}>
      <table>
        <thead>{cells(token.header, 'th')}</thead>
        <tbody>{byPlace(token.rows.map(row => cells(row, 'td')))}</tbody>
      </table>
    </div>
  )
}
