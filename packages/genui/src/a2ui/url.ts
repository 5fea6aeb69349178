export type UrlVerdict = { ok: true; url: string; download?: boolean } | { ok: false; reason: string }

function scheme(url: unknown): URL | undefined {
  if (typeof url !== 'string') return undefined
  try {
    // The parser drops the tabs and newlines that hide a scheme from a comparison of strings.
    return new URL(url)
  } catch {
    return undefined
  }
}

const refuse = (url: unknown, allowed: string): UrlVerdict => ({
  ok: false,
  reason: `${JSON.stringify(String(url).slice(0, 80))} is refused: use an absolute URL with ${allowed}`,
})

/** Where a picture, a film or a sound may come from. */
export function mediaUrl(url: unknown, kind: 'image' | 'video' | 'audio'): UrlVerdict {
  const parsed = scheme(url)
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return { ok: true, url: parsed.href }
  if (kind === 'image' && parsed?.protocol === 'data:' && /^image\//i.test(parsed.pathname))
    return { ok: true, url: parsed.href }
  return refuse(url, kind === 'image' ? 'http, https or data:image' : 'http or https')
}

/** Where a link may lead. Open it with `noopener noreferrer`; a data: link is a download and never a page. */
export function linkUrl(url: unknown): UrlVerdict {
  const parsed = scheme(url)
  switch (parsed?.protocol) {
    case 'http:':
    case 'https:':
    case 'mailto:':
      return { ok: true, url: parsed.href }
    case 'data:':
      return { ok: true, url: parsed.href, download: true }
    default:
      return refuse(url, 'http, https, mailto or data')
  }
}
