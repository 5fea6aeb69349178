import type { SessionHandle } from '@vitrine/client'
import type { BlobRef, Part, Problem, SessionState } from '@vitrine/protocol'
import { useEffect, useState } from 'react'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Markdown, MarkdownText } from '../markdown/markdown.tsx'
import { Unknown } from '../status.tsx'

/** Answer text: the only thing that looks like an answer. */
export function TextPart({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const { t } = useI18n()
  const part = useEntity(handle, `part:${partId}`, state => state.parts.byId.get(partId))
  if (!part) return null
  return (
    <div className="v-answer" data-state={part.state} data-part={partId}>
      {part.ref ? (
        <StoredText handle={handle} part={part} digest={part.ref} />
      ) : (
        <Markdown source={part.text} whole={part.state !== 'streaming'} />
      )}
      {part.fallback === 'stale' && (
        <p className="v-note">
          <Unknown why="stale" /> {t('text.stale')}
        </p>
      )}
      {part.state === 'incomplete' && wasCutOff(handle.state, part) && <p className="v-note">{t('text.incomplete')}</p>}
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
function StoredText({ handle, part, digest }: { handle: SessionHandle; part: Part; digest: BlobRef }) {
  const { t } = useI18n()
  const [loaded, setLoaded] = useState<{ text: string } | { problem: Problem } | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads again.
  useEffect(() => {
    let current = true
    setLoaded(null)
    handle.readBlob(digest.digest).then(result => {
      if (current) setLoaded(result.ok ? { text: result.value } : { problem: result.problem })
    })
    return () => {
      current = false
    }
  }, [handle, digest.digest, attempt])
  if (loaded && 'text' in loaded) return <MarkdownText text={loaded.text} />
  return (
    <>
      <Markdown source={part.text} whole />
      {loaded ? (
        <p className="v-note">
          {t('text.failed', { reason: problemWords(t, loaded.problem) })}{' '}
          <button type="button" className="v-button v-quiet" onClick={() => setAttempt(attempt + 1)}>
            {t('action.tryAgain')}
          </button>
        </p>
      ) : (
        <p className="v-note">
          <Unknown why="loading" /> {t('text.loading')}
        </p>
      )}
    </>
  )
}
