import type { SessionHandle } from '@vitrine/client'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { type MessagePlace, useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import type { Row } from './conversation-rows.ts'
import type { RowListControl } from './row-list.tsx'

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
  const [wanted, want] = useState<{ messageId: string } | null>(null)

  const show = useCallback(
    async ({ messageId, ordinal }: MessagePlace) => {
      while (handle.state.windowFrom > ordinal) {
        const page = await handle.loadOlder(Math.min(PAGE, handle.state.windowFrom - ordinal + BEFORE))
        if (!page.ok || !page.value) break
      }
      if (handle.state.messages.byId.has(messageId)) want({ messageId })
      else notify({ id: 'not-there', tone: 'plain', text: t('conversation.notThere'), lasts: 6_000 })
    },
    [handle, notify, t],
  )

  useEffect(() => {
    if (place) void show(place)
  }, [place, show])

  // The rows of a page that was just loaded come with the next frame.
  const key = wanted === null ? undefined : rows.find(row => row.messageId === wanted.messageId)?.key
  useEffect(() => {
    if (wanted === null || key === undefined) return
    list.current?.show(key, BELOW_EDGE)
    const selector = `[data-message="${CSS.escape(wanted.messageId)}"]`
    let marked: HTMLElement | null = null
    let frames = 60
    // The row is drawn with one of the next frames, and may be drawn anew when what is above it is measured.
    const mark = () => {
      const message = list.current?.element?.querySelector<HTMLElement>(selector)
      const lost = marked === null || document.activeElement === document.body
      if (message && message !== marked && lost) {
        marked = message
        message.focus({ preventScroll: true })
        message.dataset.found = ''
        message.addEventListener('focusout', () => delete message.dataset.found, { once: true })
      }
      if (frames-- > 0) frame = requestAnimationFrame(mark)
    }
    let frame = requestAnimationFrame(mark)
    return () => cancelAnimationFrame(frame)
  }, [wanted, key, list])
}
