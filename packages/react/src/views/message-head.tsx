import type { SessionHandle } from '@vitrine/client'
import type { Actor, Message, SessionState } from '@vitrine/protocol'
import { useAgentName } from '../agents.tsx'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { AgentFace } from '../kit/face.tsx'
import { Time } from '../kit/time.tsx'
import { visible } from '../visible.tsx'

/** Who speaks, by face and name, and when the message began. */
export function MessageHead({ handle, message }: { handle: SessionHandle; message: Message }) {
  const { t, time } = useI18n()
  const { agentId, name } = useEntity(handle, `message:${message.messageId}`, state => speakerOf(state, message))
  const caller = callerOf(handle.state, message)
  const agentName = useAgentName(agentId)
  return (
    <p className="v-speaker">
      {agentId && !caller && <AgentFace agentId={agentId} />}
      <span className="v-speaker-name" dir="auto">
        {visible(
          message.role === 'system'
            ? t('message.system')
            : caller
              ? t('message.called', { name: caller.name || t('request.by.you') })
              : (name ?? agentName),
        )}
      </span>
      <Time at={message.at}>{time(message.at)}</Time>
    </p>
  )
}

/** The person who has called a tool without the agent, when the message is that call. */
function callerOf({ runs }: SessionState, { runId }: Message): Actor | undefined {
  const run = runs.byId.get(runId ?? '')
  return run?.call ? (run.by ?? { kind: 'local', id: '', name: '' }) : undefined
}

interface Speaker {
  /** By this the face is chosen: a subagent that is no connected agent has a face by its name, the system has none. */
  agentId: string
  /** How a subagent calls itself in this run; null for the agent of the run. */
  name: string | null
}

/** The agent or the subagent that wrote a message; nobody for a message of the system. */
function speakerOf(state: SessionState, { role, subagentId, runId }: Message): Speaker {
  if (role === 'system') return { agentId: '', name: null }
  if (subagentId !== null) {
    const subagent = state.subagents.byId.get(subagentId)
    const name = subagent?.name ?? subagentId
    return { agentId: subagent?.agentId ?? name, name }
  }
  const { agentId } = state.session
  return { agentId: state.runs.byId.get(runId ?? '')?.agentId ?? (agentId.known ? agentId.value : ''), name: null }
}
