import type { ConnectionState, SessionHandle, VitrineClient } from '@vitrine/client'
import { useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useNow, useOnLine, useReadable } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { RefreshCw, WifiOff } from '../kit/icons.ts'
import { visible } from '../visible.tsx'

/** A state of the connection, or that there is a network and no server: who cannot reach it need not be offline. */
export type ShownConnection = ConnectionState | 'unreachable'

/** The connection as people say it. */
export function useShownConnection(client: VitrineClient): ShownConnection {
  const { state } = useReadable(client.connection)
  const onLine = useOnLine()
  if (state === 'offline' && onLine) return 'unreachable'
  return !onLine && (state === 'connecting' || state === 'stale') ? 'offline' : state
}

const words: Record<Exclude<ShownConnection, 'live'>, MessageKey> = {
  connecting: 'connection.connecting',
  'catching-up': 'connection.catchingUp',
  offline: 'connection.offline',
  unreachable: 'connection.unreachable',
  stale: 'connection.stale',
  refused: 'connection.refused',
  closed: 'connection.closed',
}

/** Short interruptions heal unseen; a banner that flickers helps nobody. */
export const PATIENCE = 2000

/** Says when what is on the screen may not be the present, why, and offers the way back. */
export function ConnectionBanner() {
  const { t, duration } = useI18n()
  const { client, announce } = useVitrine()
  const { retryAt, problem } = useReadable(client.connection)
  const state = useShownConnection(client)
  const brief = state === 'connecting' || state === 'catching-up'
  const heals = brief || state === 'unreachable'
  const shown = useLasting(state !== 'live', heals ? PATIENCE : 0)
  const now = useNow(retryAt !== null)
  const left = retryAt ? Math.ceil((retryAt - now) / 1000) * 1000 : 0
  const word = state === 'live' ? '' : t(words[state])
  useEffect(() => {
    if (shown && word) announce(word)
  }, [announce, shown, word])
  if (state === 'live' || !shown) return null
  return (
    <div className="v-banner" data-state={state}>
      <Icon of={WifiOff} />
      <p>
        <strong>{word}</strong>
        {left > 0 && <span> {t('connection.retryIn', { duration: duration(left) })}</span>}
        {state === 'stale' && <> {t('connection.staleDetail')}</>}
        {problem && state !== 'connecting' && state !== 'offline' && state !== 'unreachable' && (
          <> {visible(problemWords(t, problem))}</>
        )}
        {problem?.next && state === 'catching-up' && <> {visible(problem.next)}</>}
      </p>
      {(!brief || problem) && <Button onClick={() => client.reconnect()}>{t('connection.reconnect')}</Button>}
    </div>
  )
}

/** Says that this session is not the present although the connection is up: it is on its way, or lags behind. */
export function SessionBanner({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  const { client, announce } = useVitrine()
  const live = useReadable(handle.live)
  const connected = useReadable(client.connection).state === 'live'
  const shown = useLasting(connected && !live, PATIENCE)
  const words = `${t('connection.catchingUp')} ${t('connection.staleDetail')}`
  useEffect(() => {
    if (shown) announce(words)
  }, [announce, shown, words])
  if (!shown) return null
  return (
    <div className="v-banner" data-state="catching-up">
      <Icon of={RefreshCw} />
      <p>{words}</p>
    </div>
  )
}

/** True once it has been so for this long. */
export function useLasting(is: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!is) return setLasting(false)
    const timer = setTimeout(() => setLasting(true), ms)
    return () => clearTimeout(timer)
  }, [is, ms])
  return is && lasting
}
