/** Between ISO 8601 and what the browser's date and time inputs hold. */
export type DateTimeKind = 'date' | 'time' | 'datetime-local'

const two = (value: number) => String(value).padStart(2, '0')

const ISO = /^(?:(\d{4}-\d{2}-\d{2})(?:[T ]|$))?(?:(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

function partsOf(value: string) {
  const match = ISO.exec(value.trim())
  if (!match) return undefined
  const [, date = '', time = '', seconds = '', zone = ''] = match
  return { date, time, seconds, zone }
}

/** What a clock on the wall says, in the person's own time. */
function wallClock(at: Date): { date: string; time: string } {
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return { date, time: `${two(at.getHours())}:${two(at.getMinutes())}` }
}

/** The zone that a point in time is written with: `Z`, `+09:00`, or nothing. A time without a day is no point in time. */
export function zoneOf(value: string): string {
  const parts = partsOf(value)
  return parts?.date && !Number.isNaN(Date.parse(value.trim())) ? parts.zone : ''
}

export function toInput(value: string, kind: DateTimeKind): string {
  const parts = partsOf(value)
  if (!parts) return ''
  let { date, time } = parts
  if (parts.zone && date) {
    // An instant is shown in the person's own time.
    const at = new Date(value.trim())
    if (Number.isNaN(at.getTime())) return ''
    ;({ date, time } = wallClock(at))
  }
  if (kind === 'date') return date
  if (kind === 'time') return time
  return date && `${date}T${time || '00:00'}`
}

const minutesOf = (zone: string): number => {
  if (zone === 'Z') return 0
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/**
 * What a person put into the input, written as the value before it was: a point in time stays one and keeps its zone,
 * what the input does not show of it stays as it was.
 */
export function fromInput(typed: string, kind: DateTimeKind, before: string): string {
  const parts = partsOf(before)
  if (typed === '' || !parts) return typed
  const { seconds, zone } = parts
  if (!zoneOf(before))
    return kind === 'date' || !parts.time ? typed : typed + (seconds && ':00') + (parts.date ? '' : zone)
  const shown = wallClock(new Date(before.trim()))
  const [date, time] =
    kind === 'date'
      ? [typed, shown.time]
      : kind === 'time'
        ? [shown.date, typed]
        : (typed.split('T') as [string, string])
  const at = new Date(`${date}T${time}`)
  if (Number.isNaN(at.getTime())) return typed
  // The clock of that zone, read off the clock of UTC.
  const there = new Date(at.getTime() + minutesOf(zone) * 60_000).toISOString()
  return `${there.slice(0, 16)}${seconds && ':00'}${zone}`
}
