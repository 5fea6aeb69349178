import type { Outcome, SessionHandle, VitrineClient } from '@vitrine/client'
import type { Answer } from '@vitrine/protocol'
import type { I18n } from '../i18n/i18n.tsx'

/** Copies a session up to a message or an event into a new session, which is named after it. */
export function branchSession(
  client: VitrineClient,
  handle: SessionHandle,
  at: { ordinal: number } | { seq: number },
  t: I18n['t'],
): Promise<Outcome<Answer<'Session'>>> {
  const { title } = handle.state.session
  const known = client.sessions.get().sessions.find(({ sessionId }) => sessionId === handle.sessionId)?.title
  const name = (title.known && title.value) || known
  const titled = name && { title: t('history.branchTitle', { title: name }).slice(0, 300) }
  return handle.forkSession({ ...at, ...titled })
}
