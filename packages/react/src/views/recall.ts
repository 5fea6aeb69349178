import { messagesInOrder, partsOf, type SessionState } from '@vitrine/protocol'

/** What people wrote in this session, the newest first, without repetitions. */
export function writtenTexts(state: SessionState): string[] {
  const texts = [...state.queue.turns].map(({ input }) => input.text).reverse()
  for (const message of [...messagesInOrder(state)].reverse()) {
    if (message.role !== 'user') continue
    const parts = partsOf(state, message).filter(({ kind }) => kind === 'text')
    texts.push(parts.map(part => part.text.toString()).join('\n'))
  }
  return [...new Set(texts.filter(text => text.trim() !== ''))]
}

/** A place in what was written: its distance from the newest text, and what the composer holds there. */
export interface Recalled {
  readonly at: number
  readonly text: string
}

/**
 * The text that an arrow key brings into the composer, or undefined when the key belongs to the text that is there: one
 * that was changed, or the middle of several lines. Down from the newest text leads back to an empty composer.
 */
export function recall(
  texts: readonly string[],
  from: Recalled | null,
  now: { text: string; caret: number },
  key: 'ArrowUp' | 'ArrowDown',
): Recalled | null | undefined {
  const recalling = from !== null && from.text === now.text
  if (now.text !== '' && !recalling) return undefined
  const beyond = key === 'ArrowUp' ? now.text.slice(0, now.caret) : now.text.slice(now.caret)
  if (beyond.includes('\n')) return undefined
  const at = (recalling ? from.at : -1) + (key === 'ArrowUp' ? 1 : -1)
  if (at === -1 && recalling) return null
  const text = texts[at]
  return text === undefined ? undefined : { at, text }
}
