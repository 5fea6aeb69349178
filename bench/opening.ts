import { startChild } from './child.ts'
import type { Opening } from './opening.child.ts'
import { median, type Row } from './row.ts'

/** The first write to a session that is not in memory: how long it takes, and how long everybody else has to wait. */
export async function run(): Promise<Row[]> {
  const { said } = await startChild<Opening>('./opening.child.ts')
  return [...row('its history folded anew', said.folded), ...row('from its checkpoint', said.saved)]
}

function row(how: string, openings: Opening['saved']): Row[] {
  const pause = median(openings.map(({ pauseMs }) => pauseMs))
  const open = median(openings.map(({ ms }) => ms))
  return [
    {
      name: `pause of others while a session of 50k events opens, ${how}; without it`,
      ours: pause,
      peer: median(openings.map(({ beforeMs }) => beforeMs)),
      unit: 'ms',
      target: '≤ 50 ms',
      ok: pause <= 50,
    },
    { name: `first write to it, ${how}`, ours: open, unit: 'ms', target: 'for the record', ok: true },
  ]
}
