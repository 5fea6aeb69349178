/** Between ISO 8601 and what the browser's date and time inputs hold. */
export type DateTimeKind = 'date' | 'time' | 'datetime-local'

const two = (value: number) => String(value).padStart(2, '0')

export function toInput(value: string, kind: DateTimeKind): string {
  const match = /^(?:(\d{4}-\d{2}-\d{2})(?:[T ]|$))?(?:(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
    value.trim(),
  )
  if (!match) return ''
  let [, date = '', time = ''] = match
  if (match[3] && date) {
    // An instant is shown in the person's own time.
    const at = new Date(value)
    if (Number.isNaN(at.getTime())) return ''
    date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
    time = `${two(at.getHours())}:${two(at.getMinutes())}`
  }
  if (kind === 'date') return date
  if (kind === 'time') return time
  return date && `${date}T${time || '00:00'}`
}
