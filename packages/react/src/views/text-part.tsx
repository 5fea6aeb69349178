import type { SessionHandle } from '@vitrine/client'
import type { BlobRef, Part, SessionState } from '@vitrine/protocol'
import { useEffect } from 'react'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { History } from '../kit/icons.ts'
import { Markdown, MarkdownText } from '../markdown/lazy-markdown.tsx'
import { Unknown } from './status.tsx'
import { piecesOf } from './text-pieces.ts'
import { useBlob } from './use-blob.ts'

/** Answer text: the only thing that looks like an answer. Of a long one it draws the piece that it is asked for. */
export function TextPart({ handle, partId, at = -1 }: { handle: SessionHandle; partId: string; at?: number }) {
  const { t } = useI18n()
  const part = useEntity(handle, `part:${partId}`, state => state.parts.byId.get(partId))
  if (!part) return null
  const piece = at < 0 ? undefined : piecesOf(part)[at]
  const isEnd = at < 0 || at === piecesOf(part).length - 1
  return (
    <div className="v-answer" data-state={part.state} data-part={partId}>
      {part.ref ? (
        <StoredText handle={handle} part={part} blob={part.ref} />
      ) : (
        <Markdown source={piece?.source ?? part.text} whole={!isEnd || part.state !== 'streaming'} />
      )}
      {isEnd && part.replaced && part.state !== 'streaming' && (
        <p className="v-note v-replaced">
          <Icon of={History} />
          {t('text.replaced')}
        </p>
      )}
      {isEnd && part.fallback === 'stale' && (
        <p className="v-note">
          <Unknown why="stale" /> {t('text.stale')}
        </p>
      )}
      {isEnd && part.state === 'incomplete' && wasCutOff(handle.state, part) && (
        <p className="v-note">{t('text.incomplete')}</p>
      )}
    </div>
  )
}

/** Only the last text of a run that was stopped was cut off: those before it ended when the next part began. */
function wasCutOff(state: SessionState, { messageId, partId, runId }: Part): boolean {
  if (state.runs.byId.get(runId ?? '')?.outcome === 'completed') return false
  const parts = state.messages.byId.get(messageId)?.parts ?? []
  return parts.findLast(id => state.parts.byId.get(id)?.kind === 'text') === partId
}

/** A final text that was not streamed as it ended up: what was streamed stays visible until the whole is there. */
function StoredText({ handle, part, blob }: { handle: SessionHandle; part: Part; blob: BlobRef }) {
  const { t } = useI18n()
  const [whole, load] = useBlob(handle, blob)
  const idle = whole.state === 'idle'
  useEffect(() => {
    if (idle) void load()
  }, [idle, load])
  if (whole.state === 'done') return <MarkdownText text={whole.text} />
  return (
    <>
      <Markdown source={part.text} whole />
      {whole.state === 'failed' ? (
        <p className="v-note">
          {t('text.failed', { reason: problemWords(t, whole.problem) })}{' '}
          <Button look="quiet" onClick={load}>
            {t('action.tryAgain')}
          </Button>
        </p>
      ) : (
        <p className="v-note">
          <Unknown why="loading" /> {t('text.loading')}
        </p>
      )}
    </>
  )
}
