/** A piece of a secret of this length is masked wherever it stands. */
const PIECE = 8
const MASK = '•••'

/**
 * The text with every piece of the secret masked, also where it stands in Base64, in an address or in JSON. Others may
 * repeat what they were given, whole or in part.
 */
export function withoutSecret(text: string, secret: string | undefined): string {
  if (secret === undefined || secret === '' || text === '') return text
  const forms = new Set([
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ])
  const pieces = new Set<string>()
  for (const form of forms) {
    if (form.length < PIECE) pieces.add(form)
    for (let at = 0; at + PIECE <= form.length; at++) pieces.add(form.slice(at, at + PIECE))
  }
  const lengths = [...new Set([...pieces].map(({ length }) => length))]
  let masked = ''
  /** Up to where the text belongs to a piece. */
  let hidden = 0
  for (let at = 0; at < text.length; at++) {
    for (const length of lengths) {
      if (!pieces.has(text.slice(at, at + length))) continue
      if (at >= hidden && !masked.endsWith(MASK)) masked += MASK
      hidden = Math.max(hidden, at + length)
    }
    if (at >= hidden) masked += text[at]
  }
  return masked
}
