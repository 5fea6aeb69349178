import type { SessionHandle } from '@vitrine/client'
import { type Part, searchTest } from '@vitrine/protocol'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { type MessagePlace, useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import type { Row } from './conversation-rows.ts'
import { markWords, wordRanges } from './found-words.ts'
import type { RowListControl } from './row-list.tsx'
import { piecesOf } from './text-pieces.ts'

/** How many messages are asked for at once on the way back: the most that the server gives. */
const PAGE = 200
/** What stands before the message is loaded with it, so that it does not begin at the very top. */
const BEFORE = 10
/** The message stands a little below the upper edge. */
const BELOW_EDGE = 16

/** Goes to a message, however far back: what lies between is loaded first. The message gets the focus, and a mark as long as it has it. */
export function useShowMessage(
  handle: SessionHandle,
  rows: readonly Row[],
  list: RefObject<RowListControl | null>,
  /** Another object is another wish. */
  place: MessagePlace | null,
): void {
  const { t } = useI18n()
  const { notify } = useVitrine()
  const [wanted, want] = useState<Pick<MessagePlace, 'messageId' | 'words'> | null>(null)

  const show = useCallback(
    async ({ messageId, ordinal, words }: MessagePlace) => {
      while (handle.state.windowFrom > ordinal) {
        const page = await handle.loadOlder(Math.min(PAGE, handle.state.windowFrom - ordinal + BEFORE))
        if (!page.ok || !page.value) break
      }
      if (handle.state.messages.byId.has(messageId)) want({ messageId, ...(words && { words }) })
      else notify({ id: 'not-there', tone: 'plain', text: t('conversation.notThere'), lasts: 6_000 })
    },
    [handle, notify, t],
  )

  useEffect(() => {
    if (place) void show(place)
  }, [place, show])

  // The rows of a page that was just loaded come with the next frame.
  const there = wanted !== null && rows.some(row => row.messageId === wanted.messageId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that change while the message is read move nothing.
  useEffect(() => {
    const key = wanted && there ? rowOf(handle, rows, wanted) : undefined
    if (wanted === null || key === undefined) return
    list.current?.show(key, BELOW_EDGE)
    const selector = `[data-message="${CSS.escape(wanted.messageId)}"]`
    let marked: HTMLElement | null = null
    let unmark = () => {}
    let frames = 60
    let shown = false
    // The row is drawn with one of the next frames, and may be drawn anew when what is above it is measured.
    const mark = () => {
      const message = list.current?.element?.querySelector<HTMLElement>(selector)
      const lost = marked === null || document.activeElement === document.body
      if (message && message !== marked && lost) {
        marked = message
        message.focus({ preventScroll: true })
        message.dataset.found = ''
        unmark()
        unmark = wanted.words ? markWords(message, wanted.words) : () => {}
        const taken = unmark
        message.addEventListener(
          'focusout',
          () => {
            delete message.dataset.found
            taken()
          },
          { once: true },
        )
      }
      // The first of the words is in view, also when it stands far down in a row.
      if (!shown && message && wanted.words && frames % 10 === 0) {
        shown = isShown(list.current, key, message, wanted.words)
      }
      if (frames-- > 0) frame = requestAnimationFrame(mark)
    }
    let frame = requestAnimationFrame(mark)
    return () => {
      cancelAnimationFrame(frame)
      unmark()
    }
  }, [wanted, there, list])
}

/** The row of the message in which the words stand, as far as its texts tell; otherwise its first one. */
function rowOf(
  handle: SessionHandle,
  rows: readonly Row[],
  { messageId, words }: Pick<MessagePlace, 'messageId' | 'words'>,
) {
  const own = rows.filter(row => row.messageId === messageId)
  const hasAll = words ? searchTest(words) : () => false
  const found = own.find(row => {
    if (row.kind !== 'text') return false
    const part = handle.state.parts.byId.get(row.partId)
    if (!part) return false
    return hasAll(row.at < 0 ? part.text.toString() : textOfPiece(part, row.at))
  })
  return (found ?? own[0])?.key
}

function textOfPiece(part: Part, at: number): string {
  const { start = 0, end = 0 } = piecesOf(part)[at] ?? {}
  return part.text.toString().slice(start, end)
}

/** Whether the first of the words is in view. When it is drawn outside of it, it is brought there. */
function isShown(list: RowListControl | null, key: string, message: HTMLElement, words: string): boolean {
  const view = list?.element?.getBoundingClientRect()
  const row = message.querySelector(`[data-row="${CSS.escape(key)}"]`)
  const word = row && wordRanges(row, words)[0]?.getBoundingClientRect()
  if (!list || !view || !row || !word) return false
  if (word.top >= view.top && word.bottom <= view.bottom) return true
  list.show(key, view.height / 3 - (word.top - row.getBoundingClientRect().top))
  return false
}
