import type { AgentInfo } from '@vitrine/protocol'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { StatusDot } from '../kit/status-dot.tsx'
import { visible, visibleText } from '../visible.tsx'

const SHOWN = 3

/** The sessions that wait for the person, on the first screen. Nothing is drawn when none does. */
export function Waiting({ agents }: { agents: readonly AgentInfo[] | null }) {
  const { t } = useI18n()
  const { client, openSession } = useVitrine()
  const { sessions } = useReadable(client.sessions)
  const waiting = sessions.filter(({ status, deleted, archived }) => status === 'needs-input' && !deleted && !archived)
  if (waiting.length === 0) return null
  return (
    <section className="v-home-list" aria-labelledby="v-waiting">
      <h2 id="v-waiting">{t('home.waiting')}</h2>
      <ul>
        {waiting.slice(0, SHOWN).map(({ sessionId, title, waitsFor, agentId }) => (
          <li key={sessionId}>
            <button type="button" onClick={() => openSession(sessionId)}>
              <StatusDot tone="attention" />
              <span className="v-home-text" dir="auto" title={visibleText(title)}>
                {visible(waitsFor || title || t('sessions.untitled'))}
              </span>
              <span className="v-home-end">
                {visible(agents?.find(agent => agent.agentId === agentId)?.name ?? '')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
