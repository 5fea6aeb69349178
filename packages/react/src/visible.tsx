import type { ReactNode } from 'react'

/**
 * What changes how text is read and is not seen itself: control characters (terminal escapes), marks that override or
 * isolate a direction, invisible fillers. Ordinary text are tabs and line breaks, the joiners and variants that scripts
 * and emoji need, and the tags that make the flag of a region. Letters are never hidden, in whatever direction they run.
 */
const hidden =
  /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb](?<![\t\n\r]|\u200c|\u200d|\p{Variation_Selector}|\u{1f3f4}[\u{e0020}-\u{e007f}]{1,7})/gu

/**
 * Text of a tool, an agent or another person, as it really is: characters that reorder, hide or recolour it are drawn
 * as marks (C08).
 */
export function visible(text: string): ReactNode {
  const pieces: ReactNode[] = []
  let end = 0
  for (const { 0: character, index } of text.matchAll(hidden)) {
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

/** Like `visible`, but as a string: for attributes, for sentences, and for text that becomes markdown. */
export const visibleText = (text: string): string => text.replace(hidden, character => `[${nameOf(character)}]`)

const nameOf = (character: string): string =>
  character === '\u001b' ? 'ESC' : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
