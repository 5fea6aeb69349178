import type { SessionHandle } from '@vitrine/client'
import type { ReactNode } from 'react'
import { useAgentName } from '../agents.tsx'
import { useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { AgentFace } from '../kit/face.tsx'

interface Props {
  handle: SessionHandle
  /** The run in which it was drawn, or null when that is not loaded. */
  runId: string | null
  children: ReactNode
}

/** The plate on which an agent draws. Its foot says who drew it: that is ours to say, and not the agent's. */
export function DrawnFrame({ handle, runId, children }: Props) {
  const { t } = useI18n()
  const agentId = useEntityValue(handle, `run:${runId ?? ''}`, ({ runs, session }) => {
    const known = session.agentId.known ? session.agentId.value : ''
    return runs.byId.get(runId ?? '')?.agentId ?? known
  })
  const name = useAgentName(agentId)
  return (
    <div className="v-plate v-drawn">
      <div className="v-drawn-body">{children}</div>
      {agentId && (
        <footer className="v-drawn-foot">
          <AgentFace agentId={agentId} size={16} />
          {t('surface.by', { name })}
        </footer>
      )}
    </div>
  )
}
