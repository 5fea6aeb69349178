/** The tasks of the page's own thread, in milliseconds that the thread worked. */
export type Tasks = readonly { ms: number }[]

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** When it began, how long it took by the clock, and how long the thread worked, in microseconds. */
  ts: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** The part of a task in which promises go on: a trace has it behind the task that it belongs to. */
const MICROTASKS = 'BlinkScheduler_PerformMicrotaskCheckpoint'

/** Reads them from a trace of Chromium. The page is the renderer that worked most. */
export function tasksOf(trace: Buffer): Tasks {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const place = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
  const pages = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(place),
  )
  const events = traceEvents.filter(event => event.ph === 'X' && pages.has(place(event)))
  const byPage = [...Map.groupBy(events, place).values()].map(outermost)
  const total = (each: Tasks) => each.reduce((sum, { ms }) => sum + ms, 0)
  return byPage.sort((a, b) => total(b) - total(a))[0] ?? []
}

/** Only what is inside of nothing else, with the promises of each task added to it. */
function outermost(events: TraceEvent[]): Tasks {
  const tasks: { ms: number }[] = []
  let end = 0
  for (const { name, ts, dur = 0, tdur = dur } of events.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))) {
    if (ts < end) continue
    end = ts + dur
    const last = tasks.at(-1)
    if (name === MICROTASKS && last) last.ms += tdur / 1000
    else tasks.push({ ms: tdur / 1000 })
  }
  return tasks
}

export const longestOf = (tasks: Tasks): number => tasks.reduce((most, { ms }) => Math.max(most, ms), 0)
