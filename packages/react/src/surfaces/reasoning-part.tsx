import type { SessionHandle } from '@vitrine/client'
import { Disclosure } from '../disclosure.tsx'
import { useEntity, useFact, useNow } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Markdown } from '../markdown/markdown.tsx'

/** Thinking: quiet, apart from the answer, and folded away when done. */
export function ReasoningPart({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const { t, duration } = useI18n()
  const key = `part:${partId}`
  const state = useFact(handle, key, all => all.parts.byId.get(partId)?.state)
  const startedAt = useFact(handle, key, all => all.parts.byId.get(partId)?.startedAt) ?? 0
  const endedAt = useFact(handle, key, all => all.parts.byId.get(partId)?.endedAt) ?? null
  const streaming = state === 'streaming'
  const now = useNow(streaming)
  const took = (endedAt ?? Math.max(now, startedAt)) - startedAt
  const phase = streaming ? 'active' : state === 'incomplete' ? 'incomplete' : 'done'
  const label = took < 1000 ? t(`reasoning.${phase}Brief`) : t(`reasoning.${phase}`, { duration: duration(took) })
  return (
    <Disclosure id={key} open={streaming} className="v-reasoning" summary={label}>
      {() => <ReasoningText handle={handle} partId={partId} />}
    </Disclosure>
  )
}

function ReasoningText({ handle, partId }: { handle: SessionHandle; partId: string }) {
  const part = useEntity(handle, `part:${partId}`, state => state.parts.byId.get(partId))
  return part ? <Markdown source={part.text} whole={part.state !== 'streaming'} /> : null
}
