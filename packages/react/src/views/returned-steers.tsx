import type { SessionHandle } from '@vitrine/client'
import { useEffect, useState } from 'react'
import { useEntity, useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { CornerDownRight } from '../kit/icons.ts'
import { ProblemNote } from '../problem-note.tsx'
import type { FileInTurn } from './attachment-store.ts'
import { keepSteer, sentSteers } from './composer-draft.ts'
import type { ComposerAction } from './outbox.ts'
import { actionLabels } from './send-buttons.tsx'

interface Props {
  handle: SessionHandle
  onGive: (text: string, files: FileInTurn[]) => void
  onSend: (action: ComposerAction, text: string, files: FileInTurn[]) => void
}

/** Directions that the run ended without taking: the person gets the text back, with what can be done with it. */
export function ReturnedSteers({ handle, onGive, onSend }: Props) {
  const { t } = useI18n()
  const steers = useEntity(handle, 'steers', state => state.steers)
  const activeRunId = useEntityValue(handle, 'session', state => state.session.activeRunId)
  const [, redraw] = useState(0)
  const sent = sentSteers(handle.sessionId)
  const version = handle.version('steers')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the collection changes in place; its version tells.
  useEffect(() => {
    for (const [id] of sentSteers(handle.sessionId)) {
      if (steers.byId.get(id)?.state === 'consumed') keepSteer(handle.sessionId, id)
    }
  }, [handle, steers, version])
  const returned = sent.filter(([id]) => steers.byId.get(id)?.state === 'rejected')
  const waiting = sent.filter(([id]) => steers.byId.get(id)?.state === 'accepted')
  const settle = (id: string, then: () => void) => {
    keepSteer(handle.sessionId, id)
    redraw(count => count + 1)
    then()
  }
  const next: ComposerAction = activeRunId ? 'queue' : 'send'
  const filesOf = (id: string): FileInTurn[] =>
    (steers.byId.get(id)?.files ?? []).map(({ digest, name = digest }) => ({ digest, name }))
  return (
    <>
      {waiting.map(([id, text]) => (
        <p key={id} className="v-steer-waiting">
          <Icon of={CornerDownRight} />
          <span className="v-steer-text">
            <span className="v-steer-label">{t('steer.accepted')}</span> {text}
          </span>
        </p>
      ))}
      {returned.map(([id, text]) => (
        <ProblemNote key={id} title={t('steer.rejected')}>
          <p className="v-steer-text">{text}</p>
          <p>{reasonWords(t, steers.byId.get(id)?.reason ?? { code: 'run_over', message: '' })}</p>
          <div className="v-actions">
            <Button onClick={() => settle(id, () => onGive(text, filesOf(id)))}>{t('steer.giveBack')}</Button>
            <Button onClick={() => settle(id, () => onSend(next, text, filesOf(id)))}>{t(actionLabels[next])}</Button>
            <Button onClick={() => settle(id, () => onSend('new-task', text, filesOf(id)))}>
              {t(actionLabels['new-task'])}
            </Button>
          </div>
        </ProblemNote>
      ))}
    </>
  )
}
