import { memo, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { FileCode, FoldVertical } from '../kit/icons.ts'
import { KINDS, type Marks } from '../markdown/highlight-kinds.ts'
import { useMarks } from '../markdown/highlighting.ts'
import { languageOf } from '../markdown/languages.ts'
import { visible, visibleText } from '../visible.tsx'
import { type DiffPiece, type DiffRow, linesOf, piecesOf, rowsOf, withoutDoubtful } from './diff-rows.ts'
import { useLineDiff } from './use-line-diff.ts'

/** More rows are folded, so that what follows is not far away; and so many more are drawn at one press. */
const LONG = 60
const FOLDED = 40
const STEP = 500
/** Characters of a line that are drawn at once. */
const LONG_LINE = 2_000
/** Lines for which room is kept while the texts are compared. */
const EXPECTED = 12

const WHOLE = { before: 0, after: 0 }

export interface DiffViewProps {
  path: string
  /** Absent when the file is new. */
  before?: string | undefined
  /** Absent when the file is deleted. */
  after?: string | undefined
  /** The number of the first line, when the texts are a piece of the file. */
  line?: number | undefined
  /** Lines that are missing at the end of each text. */
  cut?: { before: number; after: number } | undefined
  /** What stands at the end of the head, such as a way to the next file. */
  end?: ReactNode
  /** Called when the lines are drawn, which may move what stands below them. */
  onDrawn?: (() => void) | undefined
}

/** What differs between two texts of a file, line by line. Long lines scroll sideways, and what is the same folds. */
export function DiffView({ path, before, after, line = 1, cut = WHOLE, end, onDrawn }: DiffViewProps) {
  const { t, number } = useI18n()
  const title = useId()
  const [old, now] = [before ?? '', after ?? '']
  const diff = useLineDiff(old, now)
  const lines = useMemo(() => ({ old: linesOf(old), now: linesOf(now) }), [old, now])
  const { rows, left } = useMemo(() => {
    const all = diff ? rowsOf(lines.old, lines.now, diff) : []
    const shown = diff && !diff.whole ? withoutDoubtful(all, cut) : all
    return { rows: shown, left: Math.max(cut.before, cut.after) + all.length - shown.length }
  }, [lines, diff, cut])
  const [added, removed] = [countOf(rows, 'added'), countOf(rows, 'removed')]
  const drawn = useRef(onDrawn)
  drawn.current = onDrawn
  useEffect(() => {
    if (diff) drawn.current?.()
  }, [diff])
  return (
    <section className="v-diff" aria-labelledby={title}>
      <header className="v-diff-head">
        <Icon of={FileCode} />
        <h4 id={title} className="v-diff-path">
          {visible(path)}
        </h4>
        {before === undefined && after !== undefined && <Badge tone="success">{t('diff.new')}</Badge>}
        {after === undefined && before !== undefined && <Badge tone="danger">{t('diff.deleted')}</Badge>}
        {diff && (
          <span className="v-diff-count">
            <span className="v-unseen">{`${t('diff.linesAdded', { count: added })}, ${t('diff.linesRemoved', { count: removed })}`}</span>
            <span aria-hidden>
              {added > 0 && <span data-kind="added">+{number(added)}</span>}
              {removed > 0 && <span data-kind="removed">−{number(removed)}</span>}
            </span>
          </span>
        )}
        {end}
      </header>
      {!diff && (
        <p
          className="v-diff-waits"
          style={{ minBlockSize: `${Math.min(EXPECTED, Math.max(lines.old.length, lines.now.length)) * 1.25}rem` }}
        >
          {t('diff.waits')}
        </p>
      )}
      {diff?.whole && <p className="v-diff-note">{t('diff.whole')}</p>}
      {diff && rows.length === 0 && <p className="v-diff-note">{t('diff.none')}</p>}
      {diff && rows.length > 0 && (
        <Lines
          key={`${path} ${diff.runs.length}`}
          path={path}
          rows={rows}
          old={lines.old}
          now={lines.now}
          first={line}
          words={diff}
        />
      )}
      {left > 0 && <p className="v-diff-note">{t('diff.cut', { count: left })}</p>}
    </section>
  )
}

const countOf = (rows: readonly DiffRow[], kind: DiffRow['kind']): number =>
  rows.reduce((sum, row) => sum + (row.kind === kind ? 1 : 0), 0)

const withoutBreaks = (lines: readonly string[]): string[] => lines.map(line => line.replace(/\r?\n$/, ''))

interface LinesProps {
  path: string
  rows: readonly DiffRow[]
  old: readonly string[]
  now: readonly string[]
  first: number
  words: { removed: Readonly<Record<number, readonly number[]>>; added: Readonly<Record<number, readonly number[]>> }
}

function Lines({ path, rows, old, now, first, words }: LinesProps) {
  const { t } = useI18n()
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [more, setMore] = useState(0)
  const pieces = useMemo(() => piecesOf(rows), [rows])
  const language = languageOf(path.split(/[./]/).at(-1) ?? '')?.id ?? ''
  const oldLines = useMemo(() => withoutBreaks(old), [old])
  const nowLines = useMemo(() => withoutBreaks(now), [now])
  const oldMarks = useMarks(language, oldLines, true)
  const nowMarks = useMarks(language, nowLines, true)

  const { shown, left } = fitting(pieces, opened, more)
  const draw = (row: DiffRow, key: number) => (
    <Line
      key={key}
      row={row}
      number={first + row.at}
      marks={(row.kind === 'removed' ? oldMarks : nowMarks)[row.at]}
      words={row.kind === 'same' ? undefined : words[row.kind][row.at]}
    />
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: it is no form, and a section would be one more landmark. */}
      <div
        className="v-diff-scroll"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must be able to.
        tabIndex={0}
        aria-label={t('diff.label', { path: visibleText(path) })}
      >
        <table className="v-diff-lines">
          <tbody>
            {shown.map(({ kind, from, to }) =>
              kind === 'rows' ? (
                rows.slice(from, to).map((row, n) => draw(row, from + n))
              ) : (
                <tr key={from} className="v-diff-fold">
                  <td colSpan={3}>
                    <Button look="quiet" icon={FoldVertical} onClick={() => setOpened(new Set(opened).add(from))}>
                      {t('diff.unchanged', { count: to - from })}
                    </Button>
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <Button look="quiet" className="v-diff-more" onClick={() => setMore(more + STEP)}>
          {t('markdown.moreLines', { count: Math.min(left, STEP) })}
        </Button>
      )}
    </>
  )
}

/** The pieces that are drawn now, and how many rows are left for later. */
function fitting(pieces: readonly DiffPiece[], opened: ReadonlySet<number>, more: number) {
  const open = pieces.map(piece =>
    piece.kind === 'fold' && opened.has(piece.from) ? { ...piece, kind: 'rows' as const } : piece,
  )
  const all = open.reduce((sum, { kind, from, to }) => sum + (kind === 'rows' ? to - from : 0), 0)
  if (all <= LONG + more) return { shown: open, left: 0 }
  let room = FOLDED + more
  const shown: DiffPiece[] = []
  for (const piece of open) {
    if (room <= 0) break
    if (piece.kind === 'fold') {
      shown.push(piece)
      continue
    }
    shown.push({ ...piece, to: Math.min(piece.to, piece.from + room) })
    room -= piece.to - piece.from
  }
  return { shown, left: all - FOLDED - more }
}

const signs = { same: ' ', removed: '−', added: '+' } as const

interface LineProps {
  row: DiffRow
  number: number
  marks: Marks | undefined
  /** What differs inside the line: start and end, start and end. */
  words: readonly number[] | undefined
}

const Line = memo(function Line({ row: { kind, text, noBreak }, number, marks, words }: LineProps) {
  const { t } = useI18n()
  const [length, setLength] = useState(LONG_LINE)
  const shown = text.slice(0, length)
  return (
    <tr data-kind={kind}>
      <td className="v-diff-number">{number}</td>
      <td className="v-diff-sign">
        <span aria-hidden>{signs[kind]}</span>
        {kind !== 'same' && <span className="v-unseen">{t(`diff.${kind}`)}</span>}
      </td>
      <td className="v-diff-text">
        {drawLine(shown, marks, words)}
        {text.length > length && (
          <Button look="quiet" onClick={() => setLength(length + LONG_LINE)}>
            {t('diff.moreCharacters', { count: text.length - length })}
          </Button>
        )}
        {noBreak && <span className="v-diff-end">{t('diff.noBreak')}</span>}
      </td>
    </tr>
  )
})

/** A line with the colours of its language, and with marks on what differs. */
function drawLine(text: string, marks: Marks | undefined, words: readonly number[] | undefined): ReactNode {
  if (!words?.length) return coloured(text, 0, text.length, marks)
  const pieces: ReactNode[] = []
  let end = 0
  for (let at = 0; at < words.length && end < text.length; at += 2) {
    const [from, to] = [words[at]!, Math.min(words[at + 1]!, text.length)]
    if (from >= to) break
    pieces.push(<span key={end}>{coloured(text, end, from, marks)}</span>)
    pieces.push(<mark key={from}>{coloured(text, from, to, marks)}</mark>)
    end = to
  }
  return [...pieces, <span key="rest">{coloured(text, end, text.length, marks)}</span>]
}

/** A piece of a line. Marks have the lengths and kinds of what has a colour, from the beginning of the line. */
function coloured(text: string, from: number, to: number, marks: Marks | undefined): ReactNode {
  if (!marks) return visible(text.slice(from, to))
  const pieces: ReactNode[] = []
  let start = 0
  for (let at = 0; at < marks.length && start < to; at += 2) {
    const end = start + marks[at]!
    const piece = text.slice(Math.max(start, from), Math.min(end, to))
    const kind = KINDS[marks[at + 1]!]
    if (end > from && piece) {
      pieces.push(
        <span key={at} className={kind && `v-code-${kind}`}>
          {visible(piece)}
        </span>,
      )
    }
    start = end
  }
  if (start < to) pieces.push(<span key="rest">{visible(text.slice(Math.max(start, from), to))}</span>)
  return pieces
}
