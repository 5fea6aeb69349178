/**
 * What changes how text is read and is not seen itself: control characters (terminal escapes), marks that override or
 * isolate a direction, invisible fillers, a carriage return that ends no line. Ordinary text are tabs and line breaks, the
 * joiners and variants that scripts and emoji need, and the tags that make the flag of a region. Letters are never hidden,
 * in whatever direction they run.
 */
export const hiddenCharacters =
  /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb](?<![\t\n]|\r(?=\n)|\u200c|\u200d|\p{Variation_Selector}|\u{1f3f4}[\u{e0020}-\u{e007f}]{1,7})/gu

/** The name under which Unicode lists a character: U+202E. */
export const codePointName = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** Text for a terminal or a file: hidden characters are written as marks, which a reader sees and a terminal does not obey. */
export function visibleControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hiddenCharacters, character => {
    const code = character.codePointAt(0)!
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return code === 0x7f ? '\u2421' : `<${codePointName(character)}>`
  })
}
