import type { SessionHandle } from '@vitrine/client'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { Activity } from '../kit/icons.ts'
import { JsonText } from '../kit/plain-text.tsx'
import { visible } from '../visible.tsx'
import { KeptDisclosure } from './kept-disclosure.tsx'

/** Something that an agent shows and that no other part fits: its kind on one line, which opens to what it says. */
export function ActivityPart({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const { t } = useI18n()
  const part = useEntity(handle, `part:${partId}`, state => state.parts.byId.get(partId))
  if (!part?.activity) return null
  const { type, content } = part.activity
  return (
    <KeptDisclosure
      id={part.key}
      className="v-said-more"
      summary={
        <>
          <Icon of={Activity} />
          <span className="v-said-text" dir="auto">
            {visible(type)}
          </span>
        </>
      }
    >
      {() => <JsonText value={content} label={t('activity.content')} />}
    </KeptDisclosure>
  )
}
