import type { Token, Tokens } from 'marked'
import { createElement, Fragment, memo, type ReactElement, type ReactNode } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Disclosure } from '../kit/disclosure.tsx'
import { Icon, type IconData } from '../kit/icon.tsx'
import { Info, Lightbulb, MessageSquare, OctagonAlert, TriangleAlert } from '../kit/icons.ts'
import { visible } from '../visible.tsx'
import type { CalloutToken, DetailsToken, DrawnToken } from './bounded-lexer.ts'
import { CodeBlock } from './code-block.tsx'
import { directionOf } from './direction.ts'
import { Footnotes, NoteRef } from './footnotes.tsx'
import { breakable } from './long-words.tsx'
import { MarkdownLink } from './markdown-link.tsx'
import type { MarkdownBlock } from './markdown-stream.ts'
import { Maths } from './maths.tsx'
import { usePortions } from './portions.ts'
import { codeRenderers, MarkdownImage } from './renderers.tsx'
import { isClosedFence } from './unfinished.ts'
import { useKept } from './use-kept.ts'

/** Draws one block of a text. A block that did not change is not drawn again. */
export const MarkdownBlockView = memo(function MarkdownBlockView({
  block: { token, level },
}: {
  block: MarkdownBlock
}) {
  if (token.type !== 'heading') return block(token)
  const Heading = `h${level}` as 'h3'
  return (
    <Heading className={`v-h${token.depth}`} dir="auto">
      {inlines(token.tokens)}
    </Heading>
  )
})

const blocks = (tokens: readonly Token[] | undefined): ReactNode => tokens?.map(drawBlock)
const drawBlock = (token: Token, index: number): ReactElement => (
  <Fragment key={index}>{block(token as DrawnToken)}</Fragment>
)

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

/** `words` draws the text itself: in a link, where a person decides, what hides in it is shown (C12). */
function inlines(tokens: readonly Token[] = [], words: (text: string) => ReactNode = breakable): ReactNode {
  const draw = (token: Token) => inline(token as DrawnToken, words)
  const portion = portionOf(tokens)
  return tokens.length > portion ? <InPortions of={tokens} draw={draw} portion={portion} /> : byPlace(tokens.map(draw))
}

/** Marks in a paragraph, or items of a list, that are drawn in one task. */
const PORTION = 40
/** Hidden characters are drawn as marks of their own, or change the direction of what follows: both cost as much as a mark. */
const HIDDEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g

/** How many marks of a paragraph are drawn in one task: fewer, where many hidden characters are in them. */
export function portionOf(tokens: readonly Token[]): number {
  if (tokens.length <= PORTION / 4) return PORTION
  const hidden = tokens.reduce((count, { raw }) => count + (raw.match(HIDDEN)?.length ?? 0), 0)
  return Math.max(PORTION / 4, Math.floor(PORTION / (1 + hidden / tokens.length)))
}

function InPortions<T>({ of, draw, portion }: { of: readonly T[]; draw: (one: T) => ReactNode; portion: number }) {
  return byPlace(of.slice(0, usePortions(of.length, portion)).map(draw))
}

function block(token: DrawnToken): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'note':
    case 'held':
      return null
    case 'hr':
      return <hr />
    case 'heading':
      // Inside a quote or a list it is no part of the outline.
      return (
        <p className={`v-heading v-h${token.depth}`} dir="auto">
          {inlines(token.tokens)}
        </p>
      )
    case 'paragraph':
      return <p dir="auto">{inlines(token.tokens)}</p>
    case 'code':
      return <Code token={token} />
    case 'blockquote':
      return <blockquote dir={directionOf(token.text)}>{blocks(token.tokens)}</blockquote>
    case 'callout':
      return <Callout token={token} />
    case 'details':
      return <Details token={token} />
    case 'maths':
      return <Maths tex={token.tex} display />
    case 'notes':
      return <Footnotes notes={token.notes} draw={blocks} />
    case 'list':
      return <List token={token} />
    case 'table':
      return <Table token={token} />
    case 'html':
      return <p className="v-source">{breakable(token.raw.trimEnd())}</p>
    case 'text':
      return token.tokens ? inlines(token.tokens) : breakable(withCharacters(token.text))
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

function inline(token: DrawnToken, words: (text: string) => ReactNode = breakable): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens ? inlines(token.tokens, words) : words(withCharacters(token.text))
    case 'escape':
      return token.text
    case 'strong':
      return <strong>{inlines(token.tokens, words)}</strong>
    case 'em':
      return <em>{inlines(token.tokens, words)}</em>
    case 'del':
      return <del>{inlines(token.tokens, words)}</del>
    case 'codespan':
      return <code>{words(token.text)}</code>
    case 'br':
      return <br />
    case 'maths':
      return <Maths tex={token.tex} display={token.display} />
    case 'note-ref':
      return <NoteRef number={token.number ?? 0} />
    case 'link':
      return <Link token={token} />
    case 'image':
      return <MarkdownImage href={token.href} text={token.text} />
    case 'checkbox':
      return null
    case 'plain':
      return <span className="v-prewrap">{breakable(token.raw)}</span>
    default:
      return token.raw
  }
}

/** The lexer leaves character references in text as they are; a person wrote them for the character. */
function withCharacters(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => references[name]!)
}
const references: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' }

function Code({ token }: { token: Tokens.Code }) {
  const info = token.lang ?? ''
  const language = info.split(/[\s:{]/)[0]!.toLowerCase()
  const complete = token.codeBlockStyle === 'indented' || isClosedFence(token.raw)
  const Drawn = Object.hasOwn(codeRenderers, language) ? codeRenderers[language]! : CodeBlock
  return <Drawn code={token.text} language={language} info={info} complete={complete} block={token} />
}

function List({ token }: { token: Tokens.List }) {
  const { t } = useI18n()
  const draw = (item: Tokens.ListItem) => (
    <li className={item.task ? 'v-task-item' : undefined} dir={directionOf(item.text)}>
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
  )
  const items = <InPortions of={token.items} draw={draw} portion={PORTION} />
  const dir = directionOf(token.items[0]?.text ?? '')
  if (!token.ordered) return <ul dir={dir}>{items}</ul>
  return (
    <ol start={token.start === '' ? 1 : token.start} dir={dir}>
      {items}
    </ol>
  )
}

/** Rows, columns and cells of a table that are drawn at once: more of them would hold up the page. */
const ROWS = 200
const COLUMNS = 60
const CELLS = 2_000
/** Cells that are drawn in one task. */
const CELLS_AT_ONCE = 200

/** A figure, with what people write around one: a sign, a currency, a unit. */
const FIGURE = /^[-+−±~≈<>≤≥]?\s?[€$£¥₹]?\s?\d[\d\s.,'’]*(?:\s?(?:%|‰|°|[\p{L}µ°€$£¥₹/²³%]{1,5}))?$/u

function Table({ token }: { token: Tokens.Table }) {
  const { t } = useI18n()
  const [columns, setColumns] = useKept(token, 'columns', COLUMNS)
  const unseen = token.header.length - columns
  const step = Math.min(ROWS, Math.ceil(CELLS / Math.min(columns, token.header.length)))
  const [most, setMost] = useKept(token, 'rows', step)
  // The first row decides, so that a column keeps its side while rows arrive.
  const sides = token.align.map((align, at) => align ?? (FIGURE.test(token.rows[0]?.[at]?.text ?? '') ? 'right' : null))
  const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td') =>
    createElement(
      'tr',
      null,
      byPlace(
        row
          .slice(0, columns)
          .map(({ tokens }, at) =>
            createElement(
              Cell,
              { 'data-side': sides[at] ?? undefined, dir: 'auto', scope: Cell === 'th' ? 'col' : undefined },
              inlines(tokens),
            ),
          ),
      ),
    )
  const left = token.rows.length - most
  const atOnce = Math.ceil(CELLS_AT_ONCE / Math.min(columns, token.header.length))
  const shown = usePortions(Math.min(most, token.rows.length), atOnce)
  return (
    <div className="v-prose-table">
      {/* biome-ignore lint/a11y/useSemanticElements: it is no form, and a section would be one more landmark. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to. */}
      <div className="v-prose-table-scroll" role="group" tabIndex={0} aria-label={t('kit.table')}>
        <table dir={directionOf(token.header.map(({ text }) => text).join(' '))}>
          <thead>{cells(token.header, 'th')}</thead>
          <tbody>{byPlace(token.rows.slice(0, shown).map(row => cells(row, 'td')))}</tbody>
        </table>
      </div>
      {left > 0 && (
        <Button look="quiet" onClick={() => setMost(most + 5 * step)}>
          {t('markdown.moreRows', { count: Math.min(left, 5 * step) })}
        </Button>
      )}
      {unseen > 0 && (
        <Button look="quiet" onClick={() => setColumns(columns + COLUMNS)}>
          {t('markdown.moreColumns', { count: Math.min(unseen, COLUMNS) })}
        </Button>
      )}
    </div>
  )
}

/** Shapes and words tell callouts apart. Colour is kept for danger, because it means one thing everywhere. */
const calloutIcons: Record<CalloutToken['kind'], IconData> = {
  note: Info,
  tip: Lightbulb,
  important: MessageSquare,
  warning: TriangleAlert,
  caution: OctagonAlert,
}

function Callout({ token: { kind, tokens } }: { token: CalloutToken }) {
  const { t } = useI18n()
  const name = t(`markdown.callout.${kind}`)
  return (
    <div className="v-callout" data-kind={kind} role="note" aria-label={name}>
      <p className="v-callout-name">
        <Icon of={calloutIcons[kind]} />
        {name}
      </p>
      {blocks(tokens)}
    </div>
  )
}

function Details({ token }: { token: DetailsToken }) {
  const { t } = useI18n()
  const [open, setOpen] = useKept(token, 'open', token.open)
  return (
    <Disclosure
      className="v-details"
      open={open}
      onToggle={setOpen}
      summary={<span dir="auto">{token.summary === '' ? t('markdown.details') : inlines(token.summaryTokens)}</span>}
    >
      {() => blocks(token.tokens)}
    </Disclosure>
  )
}

function Link({ token: { href, tokens } }: { token: Tokens.Link }) {
  return (
    <MarkdownLink href={href} words={wordsOf(tokens)}>
      {inlines(tokens, wordsOfLink)}
    </MarkdownLink>
  )
}

function wordsOfLink(text: string): ReactNode {
  const words = visible(text)
  return typeof words === 'string' ? breakable(words) : words
}

const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .map(token =>
      'tokens' in token && token.tokens ? wordsOf(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('')
