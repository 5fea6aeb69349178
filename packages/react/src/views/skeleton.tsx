import type { SessionHandle } from '@vitrine/client'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { StatusDot } from '../kit/status-dot.tsx'

/** From so many messages on a session is called long. */
const LONG = 200

/**
 * The shape of a conversation that is on its way: it comes after a moment, and words when it takes longer. `since` is
 * when the person asked for it.
 */
export function ConversationSkeleton({ handle, since }: { handle: SessionHandle; since: number }) {
  const { t } = useI18n()
  const { client } = useVitrine()
  const { sessions } = useReadable(client.sessions)
  const count = sessions.find(({ sessionId }) => sessionId === handle.sessionId)?.messageCount ?? 0
  return (
    <div className="v-conversation">
      <div className="v-skeleton" style={{ '--v-waited': `${Math.round(performance.now() - since)}ms` } as object}>
        <div className="v-skeleton-mine" aria-hidden />
        <div className="v-skeleton-head" aria-hidden>
          <span />
          <span />
        </div>
        <div className="v-skeleton-lines" aria-hidden>
          <span />
          <span />
          <span />
        </div>
        <p>
          <StatusDot tone="busy" />
          {count >= LONG ? t('session.loadingLong', { count }) : t('session.loading')}
        </p>
      </div>
    </div>
  )
}
