import type { ReactNode } from 'react'

// Control characters (terminal escapes), bidi controls and invisible ones. Tab and line breaks are ordinary text.
const hidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/

/**
 * Text from a tool or an agent that must be seen as it is: what could reorder, hide or recolour it is drawn as a mark (C08).
 */
export function visible(text: string): ReactNode {
  if (!hidden.test(text)) return text
  const pieces: ReactNode[] = []
  let plain = ''
  for (const character of text) {
    if (!hidden.test(character)) {
      plain += character
      continue
    }
    if (plain) pieces.push(plain)
    plain = ''
    pieces.push(
      <span className="v-mark" key={pieces.length}>
        {nameOf(character)}
      </span>,
    )
  }
  if (plain) pieces.push(plain)
  return pieces
}

/** The same as plain text, where marks are written into a text that is drawn as markdown. */
export const visibleText = (text: string): string =>
  [...text].map(character => (hidden.test(character) ? `[${nameOf(character)}]` : character)).join('')

const nameOf = (character: string): string =>
  character === '\u001b' ? 'ESC' : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
