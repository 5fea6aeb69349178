/** The forms of text that fields and schemas ask for by name. Each is checked in time that grows with the text alone. */

/** Not RFC 5322, but what people have, and nothing that nobody sees. Linear: no repetition gives back what another took. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  return (
    at > 0 &&
    at <= 64 &&
    text.length <= 254 &&
    !/[\p{C}\p{Z}@,:;()<>[\]\\"]|^\.|\.\.|\.$/u.test(name) &&
    labels.length > 1 &&
    labels.every(label => /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u.test(label))
  )
}

/** A number as people and JSON write it. `0x10` and `Infinity` are none. */
export function decimal(text: string): number | undefined {
  const number = /\d/.test(text) && !/[xob]/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** A calendar day that there is, as `2026-03-15`. Some readers take 30 February for 2 March. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** A time of day, with or without seconds and zone, as `14:00`. */
export const isTime = (text: string): boolean => !text.startsWith('24') && isDateTime(`2000-01-01T${text}`)

/** A day with a time, as `2026-03-15T14:00`. */
export const isDateTime = (text: string): boolean =>
  /^.{10}T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i.test(text) &&
  isDate(text.slice(0, 10)) &&
  !Number.isNaN(Date.parse(text))

/**
 * Below zero when the first day or time comes before the second. Where both name an offset from UTC, points in time are
 * compared; where only one does, what their clocks show, because nobody says where the other clock stands.
 */
export function compareTimes(first: string, second: string): number {
  const zoned = ZONE.test(first) && ZONE.test(second)
  return pointInTime(first, zoned) - pointInTime(second, zoned)
}

const ZONE = /:\d\d(?:\.\d+)?(Z|[+-]\d\d:?\d\d)$/i

function pointInTime(text: string, zoned: boolean): number {
  const upper = text.toUpperCase()
  const [, zone = ''] = ZONE.exec(upper) ?? []
  const clock = upper.slice(0, upper.length - zone.length)
  const whole = isDate(clock) ? `${clock}T00:00` : clock.includes('T') ? clock : `2000-01-01T${clock}`
  return Date.parse(whole + (zoned ? zone : 'Z'))
}

/** Anything with a scheme. Whether it may be used says `judgeUrl`. */
export const isUri = (text: string): boolean => /^[a-z][a-z\d+.-]*:\S+$/i.test(text)
