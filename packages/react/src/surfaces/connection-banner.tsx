import type { ConnectionState } from '@vitrine/client'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useNow, useReadable } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { visible } from '../visible.tsx'

const words: Record<Exclude<ConnectionState, 'live'>, MessageKey> = {
  connecting: 'connection.connecting',
  'catching-up': 'connection.catchingUp',
  offline: 'connection.offline',
  stale: 'connection.stale',
  refused: 'connection.refused',
  closed: 'connection.closed',
}

/** Short interruptions heal unseen; a banner that flickers helps nobody. */
const PATIENCE = 700

/** Says when what is on the screen may not be the present, why, and offers the way back. */
export function ConnectionBanner() {
  const { t, duration } = useI18n()
  const { client, announce } = useVitrine()
  const { state, retryAt, problem } = useReadable(client.connection)
  const brief = state === 'connecting' || state === 'catching-up'
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (state === 'live') return setShown(false)
    const timer = setTimeout(() => setShown(true), brief ? PATIENCE : 0)
    return () => clearTimeout(timer)
  }, [state, brief])
  const now = useNow(state === 'offline')
  const left = retryAt ? Math.ceil((retryAt - now) / 1000) * 1000 : 0
  const word = state === 'live' ? '' : t(words[state])
  useEffect(() => {
    if (shown && word) announce(word)
  }, [announce, shown, word])
  if (state === 'live' || !shown) return null
  return (
    <div className="v-banner" data-state={state}>
      <WifiOff aria-hidden />
      <p>
        <strong>{word}</strong>
        {state === 'offline' && left > 0 && <> {t('connection.retryIn', { duration: duration(left) })}</>}
        {state === 'stale' && <> {t('connection.staleDetail')}</>}
        {problem && state !== 'connecting' && <> {visible(problemWords(t, problem))}</>}
      </p>
      {!brief && (
        <button type="button" className="v-button" onClick={() => client.reconnect()}>
          <RefreshCw aria-hidden />
          {t('connection.reconnect')}
        </button>
      )}
    </div>
  )
}
