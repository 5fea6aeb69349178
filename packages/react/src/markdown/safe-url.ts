const links = new Set(['http:', 'https:', 'mailto:'])

/** An absolute address with a scheme that may be followed from untrusted text, or null (C01). */
export function safeLink(href: string): string | null {
  // Browsers drop tabs and newlines inside a scheme, so `java\nscript:` must not get past as relative text.
  const plain = href.replace(/[\u0000-\u0020\u007f-\u009f]/g, '')
  try {
    const url = new URL(plain)
    return links.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

/** An image that can be drawn at once: its bytes are in the text. Remote ones are loaded only when asked for. */
export const inlineImage = (href: string): boolean => /^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(href)
