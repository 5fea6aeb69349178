import { codePointName, hiddenCharacters } from '@vitrine/genui'
import type { ReactNode } from 'react'

/**
 * Text of a tool, an agent or another person, as it really is: characters that reorder, hide or recolour it are drawn
 * as marks (C08).
 */
export function visible(text: string): ReactNode {
  const pieces: ReactNode[] = []
  let end = 0
  for (const { 0: character, index } of text.matchAll(hiddenCharacters)) {
    if (index > end) pieces.push(text.slice(end, index))
    pieces.push(
      <span className="v-mark" key={index}>
        {nameOf(character)}
      </span>,
    )
    end = index + character.length
  }
  if (end === 0) return text
  return [...pieces, text.slice(end)]
}

/** Like `visible`, but as a string: for attributes and for sentences. */
export const visibleText = (text: string): string =>
  text.replace(hiddenCharacters, character => `[${nameOf(character)}]`)

/** Like `visibleText`, for text that becomes markdown: in square brackets a mark would be the words of a link. */
export const visibleMarkdown = (text: string): string =>
  text.replace(hiddenCharacters, character => `⟦${nameOf(character)}⟧`)

const nameOf = (character: string): string => (character === '\u001b' ? 'ESC' : codePointName(character))
