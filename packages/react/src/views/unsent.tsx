import type { SessionHandle } from '@vitrine/client'
import type { ReactNode } from 'react'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Clock } from '../kit/icons.ts'
import { UnsentFiles } from './message-files.tsx'
import type { Unsent } from './outbox.ts'
import { useUnsent } from './use-outbox.ts'

/** What the person has sent and the server has not taken yet, at the end of the conversation: pale, with a clock. */
export function UnsentRows({ handle, onTakeBack }: { handle: SessionHandle; onTakeBack: (unsent: Unsent) => void }) {
  const unsent = useUnsent(handle).filter(({ action }) => action !== 'queue')
  return unsent.map(each => <UnsentRow key={each.id} unsent={each} onTakeBack={onTakeBack} />)
}

/** What stands in the place of a conversation that is not there yet. */
export function BegunConversation({ children }: { children: ReactNode }) {
  return (
    <div className="v-conversation v-conversation-begun">
      <div className="v-row" data-gap="turn">
        {children}
      </div>
    </div>
  )
}

/** One text that is on its way, where it will stand as a message. Without a connection it can be taken back. */
export function UnsentRow({ unsent, onTakeBack }: { unsent: Unsent; onTakeBack?: (unsent: Unsent) => void }) {
  const { t } = useI18n()
  const waits = useIsWaiting(unsent)
  return (
    <article className="v-message v-mine v-unsent" aria-label={t('unsent.label')}>
      <UnsentFiles files={unsent.input.files ?? []} />
      <div className="v-user-text">
        <p className="v-prewrap" dir="auto">
          {unsent.input.text}
        </p>
      </div>
      <p className="v-unsent-note">
        <Icon of={Clock} />
        {t(waits ? 'unsent.waiting' : 'action.sending')}
        {waits && onTakeBack && (
          <Button look="quiet" onClick={() => onTakeBack(unsent)}>
            {t('steer.giveBack')}
          </Button>
        )}
      </p>
    </article>
  )
}

/** Whether a text has to wait for the connection. */
function useIsWaiting({ state }: Unsent): boolean {
  const { client } = useVitrine()
  const connection = useReadable(client.connection).state
  return state === 'waiting' || (state === 'sending' && connection === 'offline')
}
