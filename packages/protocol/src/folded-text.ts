const ACCENTS = /[\u0300-\u036f]/g

/** One form for texts that people take for the same: without case, accents and width. */
export function foldedText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase().normalize('NFC')
}
