/** C0 and C1 controls but tab and newline, DEL, and the characters that reorder or hide text. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * Terminal escapes and bidi controls as visible marks: a reader sees that they are there, a terminal does not obey.
 * Joiners between emoji and letters are text and stay.
 */
export function visibleControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hidden, (char, offset: number, whole: string) => {
    const code = char.codePointAt(0)!
    if ((code === 0x200d || code === 0x200c) && joins(whole, offset)) return char
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

const joins = (text: string, offset: number): boolean =>
  /(?:[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u.test(
    text.slice(Math.max(0, offset - 2), offset),
  ) && /^[\p{L}\p{Extended_Pictographic}]/u.test(text.slice(offset + 1, offset + 3))
