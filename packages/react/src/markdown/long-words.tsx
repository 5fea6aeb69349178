import { Fragment, type ReactNode } from 'react'

/** No word that people write is longer. Chinese, Japanese and Korean may break between any two signs. */
const LONG = /[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]{300}/u
/** A hundred characters, with the marks that belong to the last of them. */
const PIECE = /.{1,100}(?:\u200d.|\p{M}|\p{Emoji_Modifier}){0,32}/gsu

/**
 * Text in which a word without an end has places where a line may end. Without them the browser shapes the whole word
 * again for each of its lines, and the page stands for seconds (C05). Nothing is added to the text that is copied.
 */
export function breakable(text: string): ReactNode {
  if (text.length < 300 || !LONG.test(text)) return text
  return (text.match(PIECE) ?? []).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text only grows at its end, so the place is the identity.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {piece}
    </Fragment>
  ))
}
