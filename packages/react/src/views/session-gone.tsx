import { listDeletedSessions } from '@vitrine/client/lists'
import type { SessionSummary } from '@vitrine/protocol'
import { useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { MessageSquare, RotateCcw, SquarePen, Trash } from '../kit/icons.ts'
import { visibleText } from '../visible.tsx'
import { useCommand } from './use-command.ts'

interface Props {
  sessionId: string
  onReopen: () => void
  onNew: () => void
}

/** A session that cannot be opened: it was deleted and can be brought back, or nobody here has it. */
export function SessionGone({ sessionId, onReopen, onNew }: Props) {
  const { t, dateTime } = useI18n()
  const { client, announce } = useVitrine()
  const { sending, problem, send } = useCommand()
  const [deleted, setDeleted] = useState<SessionSummary>()
  useEffect(() => {
    let current = true
    listDeletedSessions(client).then(answer => {
      if (current && answer.ok) setDeleted(answer.value.find(session => session.sessionId === sessionId))
    })
    return () => {
      current = false
    }
  }, [client, sessionId])
  const begin = (
    <Button look={deleted ? 'plain' : 'primary'} icon={SquarePen} onClick={onNew}>
      {t('sessions.new')}
    </Button>
  )
  if (!deleted) {
    return (
      <Empty icon={MessageSquare} title={t('session.gone')} text={t('session.goneHelp')}>
        {begin}
      </Empty>
    )
  }
  const title = visibleText(deleted.title || t('sessions.untitled'))
  const restore = async () => {
    const answer = await send(() => client.restoreSession(sessionId))
    if (!answer.ok) return
    announce(t('sessions.restored', { title }))
    onReopen()
  }
  const until = deleted.eraseAt === undefined ? '' : t('deleted.until', { date: dateTime(deleted.eraseAt) })
  return (
    <Empty icon={Trash} title={t('sessions.deleted', { title })} text={until}>
      <Button look="primary" icon={RotateCcw} aria-busy={sending} onClick={restore}>
        {t('deleted.restore')}
      </Button>
      {begin}
      {problem && <p role="alert">{t('sessions.restoreFailed', { reason: problemWords(t, problem) })}</p>}
    </Empty>
  )
}
