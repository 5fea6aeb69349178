/** So many characters say in which direction a text runs. */
const LOOKED_AT = 200
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/**
 * The direction of a list, a quote or a table: that of its first letter. The browser cannot find it out by `auto`,
 * because it passes over everything inside that has a direction of its own.
 */
export function directionOf(text: string): 'ltr' | 'rtl' | 'auto' {
  const letter = /\p{L}/u.exec(text.slice(0, LOOKED_AT))?.[0]
  if (letter === undefined) return 'auto'
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}
