/** What the bytes of a file are. `editable` says that the text is UTF-8, so that writing it back changes nothing else. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly editable: boolean; readonly note: string }
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'binary'; readonly what: string }

/** Files are what their first bytes say, whatever their names are. */
const SIGNATURES: readonly [begins: string, at: number, mediaType: string][] = [
  ['\x89PNG\r\n\x1a\n', 0, 'image/png'],
  ['\xff\xd8\xff', 0, 'image/jpeg'],
  ['GIF87a', 0, 'image/gif'],
  ['GIF89a', 0, 'image/gif'],
  ['WEBP', 8, 'image/webp'],
  ['%PDF-', 0, 'a PDF'],
  ['PK\x03\x04', 0, 'a ZIP archive or an office document'],
  ['\x1f\x8b', 0, 'a compressed file'],
  ['SQLite format 3\0', 0, 'a SQLite database'],
]

/** Reads bytes as text in the encodings that people use, or says what else they are. */
export function contentOf(bytes: Uint8Array): FileContent {
  const found = SIGNATURES.find(([begins, at]) => latin1(bytes.subarray(at, at + begins.length)) === begins)
  if (found) {
    const [, , what] = found
    return what.startsWith('image/') ? { kind: 'image', mediaType: what } : { kind: 'binary', what }
  }
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : ''
  if (wide !== '') return text(new TextDecoder(wide).decode(bytes), false, 'It is UTF-16, and cannot be edited here.')
  if (bytes.includes(0)) return { kind: 'binary', what: 'a binary file' }
  try {
    return text(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), true, '')
  } catch {
    const note = 'It is not UTF-8: it was read as Windows-1252, and cannot be edited here.'
    return text(new TextDecoder('windows-1252').decode(bytes), false, note)
  }
}

const text = (given: string, editable: boolean, note: string): FileContent => ({
  kind: 'text',
  text: given,
  editable,
  note,
})

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** Lines of a text without their ends. A line end at the end of the text makes no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
