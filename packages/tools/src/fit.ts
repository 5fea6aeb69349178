/** Characters of a result that reach a model as they are. The middle of a longer text would be left out. */
export const FITS = 8_000

/** The beginning of a text, without half of a character at its end. */
export function beginning(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed()
}

/** A number of bytes in words. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`
  return bytes < 1_024 * 1_024 ? `${(bytes / 1_024).toFixed(1)} KB` : `${(bytes / 1_024 / 1_024).toFixed(1)} MB`
}
