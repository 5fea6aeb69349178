import type { ReactNode } from 'react'

/**
 * What changes how text is read and is not seen itself: control characters (terminal escapes), marks that override or
 * isolate a direction, invisible fillers. Ordinary text are tabs and line breaks, the joiners and variants that scripts
 * and emoji need, and the tags that make the flag of a region. Letters are never hidden, in whatever direction they run.
 */
const hidden =
  /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb](?<![\t\n\r]|\u200c|\u200d|\p{Variation_Selector}|\u{1f3f4}[\u{e0020}-\u{e007f}]{1,7})/gu

/**
 * Text from a tool, an agent or somebody else that must be seen as it is: what could reorder, hide or recolour it is
 * drawn as a mark (C08).
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

/** The same as plain text, for attributes and sentences, and where marks stand in a text that is drawn as markdown. */
export const visibleText = (text: string): string => text.replace(hidden, character => `[${nameOf(character)}]`)

const nameOf = (character: string): string =>
  character === '\u001b' ? 'ESC' : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
