import type { AgentInfo } from '@vitrine/protocol'
import { useId } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { AgentFace } from '../kit/face.tsx'
import { visible, visibleText } from '../visible.tsx'

interface Props {
  agents: readonly AgentInfo[]
  chosen: string
  onChoose: (agentId: string) => void
}

/** The agents on a shelf. Arrow keys move and choose at once, as in every group of radio buttons. */
export function AgentTiles({ agents, chosen, onChoose }: Props) {
  const { t } = useI18n()
  const name = useId()
  return (
    <fieldset className="v-tiles">
      <legend className="v-unseen">{t('agents.choose')}</legend>
      {agents.map(agent => (
        <label
          key={agent.agentId}
          className={agent.agentId === chosen ? 'v-tile v-lamp' : 'v-tile'}
          data-lamp={agent.agentId === chosen ? 'live' : undefined}
          title={visibleText(agent.description)}
        >
          <input
            type="radio"
            name={name}
            checked={agent.agentId === chosen}
            onChange={() => onChoose(agent.agentId)}
            aria-label={visibleText(agent.name)}
          />
          <AgentFace agentId={agent.agentId} size={28} />
          <span className="v-tile-name" dir="auto">
            {visible(agent.name)}
          </span>
          <span className="v-tile-about" dir="auto">
            {visible(agent.description)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
