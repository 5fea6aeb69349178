import type { SessionHandle } from '@vitrine/client'
import type { Diagnostic, SessionState } from '@vitrine/protocol'
import { useEffect, useSyncExternalStore } from 'react'
import { useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { TriangleAlert } from '../kit/icons.ts'
import { readStored, writeStored } from '../stored.ts'

const KEY = 'vitrine.diagnosticsSeen'
/** Sessions of which this browser remembers what was seen. The oldest are forgotten: their diagnostics count as new. */
const MOST = 200

/** Up to which event somebody has seen the diagnostics of a session, by the id of the session. */
const seenSeq = (sessionId: string): number => readStored<Record<string, number>>(KEY, {})[sessionId] ?? 0

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function see(sessionId: string, seq: number): void {
  const { [sessionId]: before = 0, ...others } = readStored<Record<string, number>>(KEY, {})
  if (seq <= before) return
  writeStored(KEY, Object.fromEntries([...Object.entries(others).slice(1 - MOST), [sessionId, seq]]))
  for (const listener of listeners) listener()
}

/** Whether a diagnostic is worth a mark: it stands, it is more than a note, and nobody has seen it. */
const isNew = ({ state, level, v }: Diagnostic, seen: number): boolean =>
  state === 'open' && level !== 'info' && v > seen

function countNew({ diagnostics }: SessionState, seen: number): number {
  let count = 0
  for (const diagnostic of diagnostics.byId.values()) if (isNew(diagnostic, seen)) count++
  return count
}

/** How many diagnostics of a session nobody has seen in this browser. */
function useNewDiagnostics(handle: SessionHandle): number {
  const seen = useSyncExternalStore(
    subscribe,
    () => seenSeq(handle.sessionId),
    () => 0,
  )
  return useEntityValue(handle, 'diagnostics', state => countNew(state, seen))
}

/** Everything that is there when the diagnostics are looked at has been seen. */
export function useSeeDiagnostics(handle: SessionHandle): void {
  const newest = useEntityValue(handle, 'diagnostics', ({ diagnostics }) => {
    let seq = 0
    for (const { v } of diagnostics.byId.values()) seq = Math.max(seq, v)
    return seq
  })
  useEffect(() => see(handle.sessionId, newest), [handle, newest])
}

/** A mark in the head of a session with new diagnostics. It leads to them. */
export function NewDiagnostics({ handle, onOpen }: { handle: SessionHandle; onOpen: () => void }) {
  const { t } = useI18n()
  const count = useNewDiagnostics(handle)
  if (count === 0) return null
  return (
    <button type="button" className="v-button v-quiet v-new-diagnostics" onClick={onOpen} title={t('diagnostics.open')}>
      <Icon of={TriangleAlert} />
      <span className="v-unseen">{t('diagnostics.open')}: </span>
      {t('diagnostics.new', { count })}
    </button>
  )
}
