import type { SessionHandle } from '@vitrine/client'
import type { SessionEvent } from '@vitrine/protocol'
import { useEffect, useReducer, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'

/** More are not followed at once, however many tasks a session has. */
const MOST = 24
/** What is drawn of them is drawn again this often at most, in milliseconds. */
const BEAT = 250
/** Most events are of these types, and they change nothing that is drawn of another session. */
const QUIET: ReadonlySet<SessionEvent['type']> = new Set<SessionEvent['type']>([
  'text.delta',
  'reasoning.delta',
  'tool.args',
  'tool.output.delta',
  'surface.changed',
])

/** Follows sessions for as long as the view is there, and has it drawn again when one of them or `own` goes on. */
export function useLinkedSessions(
  own: SessionHandle,
  sessionIds: readonly string[],
): ReadonlyMap<string, SessionHandle> {
  const { client } = useVitrine()
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const [linked, setLinked] = useState<ReadonlyMap<string, SessionHandle>>(new Map())
  const open = useRef(new Map<string, SessionHandle>()).current
  const ids = JSON.stringify(sessionIds.slice(0, MOST))
  useEffect(() => {
    const wanted = new Set<string>(JSON.parse(ids))
    for (const [sessionId, handle] of open) {
      if (wanted.has(sessionId)) continue
      open.delete(sessionId)
      handle.close()
    }
    for (const sessionId of wanted) if (!open.has(sessionId)) open.set(sessionId, client.open(sessionId))
    setLinked(new Map(open))
  }, [client, open, ids])
  useEffect(
    () => () => {
      for (const handle of open.values()) handle.close()
      open.clear()
    },
    [open],
  )
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        draw()
      }, BEAT)
    }
    const onEvent = ({ type }: SessionEvent) => {
      if (!QUIET.has(type)) later()
    }
    const stops = [own, ...linked.values()].flatMap(({ phase, onEvent: on }) => [phase.subscribe(later), on(onEvent)])
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [own, linked])
  return linked
}
