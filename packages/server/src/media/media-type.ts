/** What an element of the page can show. */
export const MEDIA_KINDS = ['image', 'video', 'audio'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** As many bytes as the beginning of a file is judged by. */
export const HEAD_BYTES = 4096

/** Brands of MP4 files that hold a picture or sound alone. */
const BRANDS: Readonly<Record<string, string>> = { avif: 'image/avif', avis: 'image/avif', 'M4A ': 'audio/mp4' }
const VIDEO_BRAND = /^(?:isom|iso\d|mp4\d|avc1|M4V |dash|3gp\d|f4v |MSNV|qt {2})$/

/**
 * The media type of a file, by its first bytes. What the host calls it does not count: a type that is not in this list
 * is not shown, so that nothing which a browser could run comes from our own address (C10).
 */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES)).toString('latin1')
  const at = (start: number, length: number) => text.slice(start, start + length)
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (at(0, 4) === 'RIFF' && at(8, 4) === 'WEBP') return 'image/webp'
  if (at(0, 4) === 'RIFF' && at(8, 4) === 'WAVE') return 'audio/wav'
  if (text.startsWith('\0\0\x01\0')) return 'image/x-icon'
  if (at(4, 4) === 'ftyp') return BRANDS[at(8, 4)] ?? (VIDEO_BRAND.test(at(8, 4)) ? 'video/mp4' : undefined)
  // WebM and Matroska begin alike; browsers play the first.
  if (text.startsWith('\x1a\x45\xdf\xa3')) return at(0, 64).includes('webm') ? 'video/webm' : undefined
  if (text.startsWith('OggS')) return at(0, 128).includes('theora') ? 'video/ogg' : 'audio/ogg'
  if (text.startsWith('fLaC')) return 'audio/flac'
  if (text.startsWith('ID3') || /^\xff[\xf2\xf3\xfa\xfb]/.test(text)) return 'audio/mpeg'
  if (/^\xff[\xf0\xf1\xf8\xf9]/.test(text)) return 'audio/aac'
  return isSvg(text) ? 'image/svg+xml' : undefined
}

/** Browsers run nothing in an SVG that is shown as an image, and the answer forbids the rest (see media.ts). */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\xef\xbb\xbf/, '').trimStart()
  rest = rest.replace(/^<\?xml[^>]*>/, '')
  for (;;) {
    rest = rest.replace(/^\s*(?:<!DOCTYPE svg[^>[]*>)?\s*/i, '')
    const end = rest.startsWith('<!--') ? rest.indexOf('-->') : -1
    if (end < 0) return /^<svg[\s>]/i.test(rest)
    rest = rest.slice(end + 3)
  }
}

/** Containers such as MP4 hold film or sound alike, so either element may show them. */
export function fits(mediaType: string, kind: MediaKind): boolean {
  const isImage = mediaType.startsWith('image/')
  return kind === 'image' ? isImage : !isImage
}
