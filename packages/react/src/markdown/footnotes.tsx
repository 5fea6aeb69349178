import type { Token } from 'marked'
import type { ReactNode } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import type { NotesToken } from './bounded-lexer.ts'
import { usePortions } from './portions.ts'

/** The two ends find each other by their number, within the text that both are in. A long text has several rows. */
function goTo(from: HTMLElement, selector: string): void {
  const part = from.closest<HTMLElement>('[data-part]')?.dataset.part
  const target = part
    ? document.querySelector<HTMLElement>(`[data-part="${CSS.escape(part)}"] ${selector}`)
    : from.closest('.v-markdown')?.querySelector<HTMLElement>(selector)
  target?.scrollIntoView({ block: 'nearest' })
  target?.focus()
}

/** The place that a footnote belongs to. */
export function NoteRef({ number }: { number: number }) {
  const { t } = useI18n()
  return (
    <sup>
      <button
        type="button"
        className="v-note-ref"
        data-note-ref={number}
        aria-label={t('markdown.footnote', { number })}
        onClick={event => goTo(event.currentTarget, `[data-note="${number}"]`)}
      >
        {number}
      </button>
    </sup>
  )
}

/** Notes that are drawn in one task. */
const PORTION = 50

/** The texts of all footnotes. */
export function Footnotes({
  notes,
  draw,
}: {
  notes: NotesToken['notes']
  draw: (tokens: readonly Token[]) => ReactNode
}) {
  const { t } = useI18n()
  const shown = usePortions(notes.length, PORTION)
  return (
    <ol className="v-footnotes" aria-label={t('markdown.footnotes')} start={notes[0]?.number}>
      {notes.slice(0, shown).map(({ number, mentioned, tokens }, at) => (
        // The browser counts by itself. For each number that it is told, it counts all items behind it again.
        <li key={number} data-note={number} tabIndex={-1} value={isNext(notes, at) ? undefined : number}>
          {draw(tokens)}
          {mentioned && (
            <button
              type="button"
              className="v-note-back"
              aria-label={t('markdown.footnoteBack', { number })}
              onClick={event => goTo(event.currentTarget, `[data-note-ref="${number}"]`)}
            >
              ↩
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}

const isNext = (notes: NotesToken['notes'], at: number): boolean =>
  at === 0 || notes[at]!.number === notes[at - 1]!.number + 1
