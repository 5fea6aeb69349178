import { createAgent, deleteAgent, getAgent } from '@vitrine/client/settings'
import type { AgentInfo, Problem, SessionSummary } from '@vitrine/protocol'
import { useState } from 'react'
import { useAgents, useRefreshAgents } from '../agents.tsx'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { ConfirmDialog, Dialog } from '../kit/dialog.tsx'
import { AgentFace } from '../kit/face.tsx'
import { Icon, type IconData } from '../kit/icon.tsx'
import { ChevronRight, CodeXml, Compass, Copy, KeyRound, Pencil, Plus, Trash } from '../kit/icons.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { StatusDot } from '../kit/status-dot.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'
import { AgentForm } from './agent-form.tsx'
import { modelName } from './model-facts.ts'
import { type Say, settingsWords } from './words.ts'

interface Props {
  /** Begins a session with an agent. */
  onBegin: (agentId: string) => void
  /** Goes to where models are connected. */
  onConnect: () => void
}

type Open = { kind: 'new' | 'file' } | { kind: 'edit' | 'delete'; agent: AgentInfo } | null

/** All agents: how each stands, what it thinks with, and what can be done with it. */
export function AgentsView({ onBegin, onConnect }: Props) {
  const { locale } = useI18n()
  const say = settingsWords(locale)
  const { client, announce } = useVitrine()
  const agents = useAgents()
  const refresh = useRefreshAgents()
  const { sessions } = useReadable(client.sessions)
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const words = search.trim().toLocaleLowerCase()
  const shown = (agents ?? []).filter(({ name, description }) =>
    `${name} ${description}`.toLocaleLowerCase().includes(words),
  )
  const guide = agents?.find(({ scripted, agentId }) => scripted && agentId === 'guide')

  const duplicate = async (agent: AgentInfo) => {
    const details = await getAgent(client, agent.agentId)
    if (!details.ok) return setProblem(details.problem)
    const { config } = details.value
    if (!config) return
    const name = say('agentCopy', { name: config.name }).slice(0, 100)
    const made = await createAgent(client, { ...config, name })
    if (!made.ok) return setProblem(made.problem)
    announce(say('created', { name }))
    refresh()
  }
  const remove = async (agent: AgentInfo) => {
    const gone = await deleteAgent(client, agent.agentId)
    if (!gone.ok) return setProblem(gone.problem)
    setProblem(null)
    refresh()
  }
  const saved = (agent: AgentInfo) => {
    setOpen(null)
    announce(say('created', { name: agent.name }))
    refresh()
  }

  return (
    <div className="v-agents">
      <div className="v-agents-bar">
        <h2 className="v-agents-title">
          {say('agentCount')} <span className="v-agents-count">{agents?.length ?? ''}</span>
        </h2>
        <input
          type="search"
          className="v-input"
          placeholder={say('find')}
          aria-label={say('find')}
          value={search}
          onChange={event => setSearch(event.target.value)}
        />
        <Button look="primary" icon={Plus} onClick={() => setOpen({ kind: 'new' })}>
          {say('addAgent')}
        </Button>
      </div>
      {problem && <ProblemNote title={say('failed')} problem={problem} />}
      {shown.length === 0 && words !== '' && <p className="v-panel-empty">{say('agentsEmpty')}</p>}
      <ul className="v-agent-cards">
        {shown.map(agent => (
          <AgentCard
            key={agent.agentId}
            agent={agent}
            say={say}
            status={statusOf(agent, sessions)}
            onBegin={() => onBegin(agent.agentId)}
            onConnect={onConnect}
            onEdit={() => setOpen({ kind: 'edit', agent })}
            onDuplicate={() => void duplicate(agent)}
            onDelete={() => setOpen({ kind: 'delete', agent })}
          />
        ))}
      </ul>
      <h2>{say('connectAnother')}</h2>
      <div className="v-agent-ways">
        <Way icon={KeyRound} name={say('connectModel')} about={say('connectModelAbout')} onGo={onConnect} />
        <Way
          icon={CodeXml}
          name={say('connectFile')}
          about={say('connectFileAbout')}
          onGo={() => setOpen({ kind: 'file' })}
        />
        {guide && (
          <Way
            icon={Compass}
            name={say('connectGuide')}
            about={say('connectGuideAbout')}
            onGo={() => onBegin(guide.agentId)}
          />
        )}
      </div>
      {open?.kind === 'new' && <AgentForm onClose={() => setOpen(null)} onSaved={saved} onConnect={onConnect} />}
      {open?.kind === 'edit' && (
        <AgentForm agent={open.agent} onClose={() => setOpen(null)} onSaved={saved} onConnect={onConnect} />
      )}
      {open?.kind === 'file' && <FileHelp say={say} onClose={() => setOpen(null)} />}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={say('deleteAgent', { name: open.agent.name })}
          yes={say('delete')}
          danger
          onAnswer={yes => {
            setOpen(null)
            if (yes) void remove(open.agent)
          }}
        >
          <p>{say('deleteAgentHelp')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

interface Status {
  lamp: 'live' | 'attention' | 'failed' | undefined
  running: number
  waiting: number
}

function statusOf({ agentId, problem }: AgentInfo, sessions: readonly SessionSummary[]): Status {
  const own = sessions.filter(session => session.agentId === agentId && !session.deleted)
  const waiting = own.filter(({ status }) => status === 'needs-input').length
  const running = own.filter(({ status }) => status === 'running').length
  const lamp = problem ? 'failed' : waiting > 0 ? 'attention' : running > 0 ? 'live' : undefined
  return { lamp, running, waiting }
}

function AgentCard(props: {
  agent: AgentInfo
  say: Say
  status: Status
  onBegin: () => void
  onConnect: () => void
  onEdit: () => void
  onDuplicate: () => void
  onDelete: () => void
}) {
  const { agent, say, status, onBegin, onConnect, onEdit, onDuplicate, onDelete } = props
  const { problem } = agent
  const tone = problem ? 'danger' : status.waiting > 0 ? 'attention' : status.running > 0 ? 'busy' : 'good'
  const stands = problem
    ? visible(problem.message)
    : status.waiting > 0
      ? say('needsYou', { count: status.waiting })
      : status.running > 0
        ? say('running', { count: status.running })
        : say('ready')
  return (
    <li className="v-agent-card v-lamp" data-lamp={status.lamp}>
      <AgentFace agentId={agent.agentId} size={40} />
      <div className="v-agent-who">
        <h3 dir="auto">
          {visible(agent.name)} {agent.scripted && <Badge>{say('scripted')}</Badge>}
        </h3>
        <p className="v-agent-about" dir="auto">
          {visible(agent.description)}
        </p>
      </div>
      {agent.editable && (
        <Menu label={say('editAgent', { name: visibleText(agent.name) })}>
          <MenuItem icon={Pencil} onChoose={onEdit}>
            {say('edit')}
          </MenuItem>
          <MenuItem icon={Copy} onChoose={onDuplicate}>
            {say('duplicate')}
          </MenuItem>
          <MenuItem icon={Trash} danger onChoose={onDelete}>
            {say('delete')}
          </MenuItem>
        </Menu>
      )}
      <p className="v-agent-model">
        {agent.model && (
          <>
            {visible(modelName(agent.model))}
            {agent.model.isLocal && <Badge tone="success">{say('local')}</Badge>}
          </>
        )}
      </p>
      <div className="v-agent-foot">
        <span className="v-agent-status">
          <StatusDot tone={tone} />
          {stands}
        </span>
        {problem ? (
          <Button onClick={problem.code.startsWith('key') ? onConnect : onEdit}>
            {say(problem.code.startsWith('key') ? 'setKey' : 'setModel')}
          </Button>
        ) : (
          <Button onClick={onBegin}>{say('newSession')}</Button>
        )}
      </div>
    </li>
  )
}

function Way(props: { icon: IconData; name: string; about: string; onGo: () => void }) {
  return (
    <button type="button" className="v-agent-way" onClick={props.onGo}>
      <Icon of={props.icon} />
      <span className="v-agent-way-words">
        <span className="v-agent-way-name">{props.name}</span>
        <span className="v-agent-way-about">{props.about}</span>
      </span>
      <Icon of={ChevronRight} />
    </button>
  )
}

const COMMAND = 'npx vitrine start --agent ./my-agent.ts'

function FileHelp({ say, onClose }: { say: Say; onClose: () => void }) {
  return (
    <Dialog label={say('connectFile')} title={say('connectFile')} onClose={onClose}>
      <div className="v-dialog-body">
        <p>{say('connectFileHelp')}</p>
        <p className="v-test-command">
          <code>{COMMAND}</code>
          <CopyButton text={() => COMMAND} label={say('copyCommand')} />
        </p>
      </div>
    </Dialog>
  )
}
