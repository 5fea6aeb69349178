import type { SessionHandle } from '@vitrine/client'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { BookOpen } from '../kit/icons.ts'
import { MarkdownLink } from '../markdown/markdown-link.tsx'
import { visible } from '../visible.tsx'
import { MessageFiles } from './message-files.tsx'

/** Something that an answer is based on: one quiet line that leads to it. */
export function SourcePart({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const { t } = useI18n()
  const source = useEntity(handle, `part:${partId}`, state => state.parts.byId.get(partId)?.source)
  if (!source) return null
  const { url, title, file } = source
  const words = title || url || t('source.untitled')
  return (
    <>
      <div className="v-said">
        <Icon of={BookOpen} />
        <b>{t('source.label')}</b>
        <span className="v-said-text" dir="auto">
          {url ? (
            <MarkdownLink href={url} words={words}>
              {visible(words)}
            </MarkdownLink>
          ) : (
            visible(words)
          )}
        </span>
      </div>
      {file && <MessageFiles handle={handle} files={[file]} />}
    </>
  )
}
