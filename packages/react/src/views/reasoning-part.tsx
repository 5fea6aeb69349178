import type { SessionHandle } from '@vitrine/client'
import type { SessionState } from '@vitrine/protocol'
import { useMemo } from 'react'
import { useEntity, useEntityValue, useNow } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Markdown } from '../markdown/lazy-markdown.tsx'
import { visible } from '../visible.tsx'
import { gistOf } from './gist.ts'
import { KeptDisclosure } from './kept-disclosure.tsx'

/** Thinking: one quiet line with its time and its gist, apart from the answer, and folded away when done. */
export function ReasoningPart({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const { t, duration } = useI18n()
  const key = `part:${partId}`
  const state = useEntityValue(handle, key, all => all.parts.byId.get(partId)?.state)
  const startedAt = useEntityValue(handle, key, all => all.parts.byId.get(partId)?.startedAt) ?? 0
  const endedAt = useEntityValue(handle, key, all => all.parts.byId.get(partId)?.endedAt) ?? null
  // An agent need not say that it has finished thinking: what comes next in the message says so.
  const messageId = handle.state.parts.byId.get(partId)?.messageId ?? ''
  const nextAt = useEntityValue(handle, `message:${messageId}`, all => startOfNext(all, messageId, partId))
  const streaming = state === 'streaming' && nextAt === null
  const now = useNow(streaming)
  const until = Math.min(endedAt ?? Number.POSITIVE_INFINITY, nextAt ?? Number.POSITIVE_INFINITY)
  const took = Math.max(0, (Number.isFinite(until) ? until : now) - startedAt)
  const phase = streaming ? 'active' : state === 'incomplete' && nextAt === null ? 'incomplete' : 'done'
  const label = took < 1000 ? t(`reasoning.${phase}Brief`) : t(`reasoning.${phase}`, { duration: duration(took) })
  const gist = useMemo(
    () => (streaming ? '' : gistOf(handle.state.parts.byId.get(partId)?.text.toString() ?? '')),
    [handle, partId, streaming],
  )
  return (
    <KeptDisclosure
      id={key}
      open={streaming}
      className="v-reasoning"
      summary={
        <>
          <span className="v-reasoning-time">{label}</span>
          {gist && (
            <span className="v-reasoning-gist" dir="auto">
              {visible(gist)}
            </span>
          )}
        </>
      }
    >
      {() => <ReasoningText handle={handle} partId={partId} />}
    </KeptDisclosure>
  )
}

function startOfNext(state: SessionState, messageId: string, partId: string): number | null {
  const parts = state.messages.byId.get(messageId)?.parts ?? []
  const next = parts[parts.indexOf(partId) + 1]
  return (next !== undefined && state.parts.byId.get(next)?.startedAt) || null
}

function ReasoningText({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const part = useEntity(handle, `part:${partId}`, state => state.parts.byId.get(partId))
  return part ? <Markdown source={part.text} whole={part.state !== 'streaming'} /> : null
}
