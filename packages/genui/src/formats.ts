/** The forms of text that fields and schemas ask for by name. Each is checked in time that grows with the text alone. */

/** Not RFC 5322, and linear: no repetition can give back what another one took. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || text.length > 254) return false
  return /^[^\s@]+$/.test(text.slice(0, at)) && /^[^\s@.]+(\.[^\s@.]+)+$/.test(text.slice(at + 1))
}

/** A calendar day that there is, as `2026-03-15`. */
export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** A time of day, with or without seconds and zone, as `14:00`. */
export const isTime = (text: string): boolean => /^\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i.test(text)

/** A day with a time, as `2026-03-15T14:00`. */
export const isDateTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/i.test(text) && !Number.isNaN(Date.parse(text))

/** Anything with a scheme. Whether it may be used says `judgeUrl`. */
export const isUri = (text: string): boolean => /^[a-z][a-z\d+.-]*:\S+$/i.test(text)
