import type { FoundMessage, Snippet } from '@vitrine/protocol'
import type { MessagePlace } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Icon } from '../kit/icon.tsx'
import { MessageSquare, User } from '../kit/icons.ts'
import { markedAt } from '../kit/option-list.tsx'
import { Time } from '../kit/time.tsx'
import { visible } from '../visible.tsx'

/** The words of a snippet, with those that were found marked. */
export function SnippetText({ snippet: { text, ranges, begins, ends } }: { snippet: Snippet }) {
  return (
    <span className="v-snippet" dir="auto">
      {!begins && '… '}
      {markedAt(text, ranges, 'mark')}
      {!ends && ' …'}
    </span>
  )
}

interface Props {
  found: FoundMessage
  now: number
  /** What was searched for. */
  words: string
  href: string
  onOpen: (sessionId: string, place: MessagePlace) => void
}

/** A message that was found, in the list of sessions. It leads to its place in its session. */
export function FoundMessageRow({ found, now, words, href, onOpen }: Props) {
  const { t, ago } = useI18n()
  const { session, messageId, ordinal, role, at, snippet } = found
  return (
    <div className="v-session v-found">
      <a
        className="v-session-link"
        href={href}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          onOpen(session.sessionId, { messageId, ordinal, words })
        }}
      >
        <Icon
          of={role === 'user' ? User : MessageSquare}
          className="v-row-icon"
          label={t(role === 'user' ? 'message.user' : 'message.assistant')}
        />
        <span className="v-found-words">
          <span className="v-found-head">
            <span className="v-session-title" dir="auto">
              {visible(session.title || t('sessions.untitled'))}
            </span>
            {session.archived && <Badge>{t('archive.badge')}</Badge>}
            <Time className="v-session-time" at={at}>
              {ago(at, now)}
            </Time>
          </span>
          <SnippetText snippet={snippet} />
        </span>
      </a>
    </div>
  )
}
