import type { AgentInfo } from '@vitrine/protocol'
import { type I18n, useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { MessageSquare } from '../kit/icons.ts'
import { visible, visibleText } from '../visible.tsx'

/** As many as fit beside what waits. */
const MOST = 4

/** Requests in the words of people, each for an agent that has the command which they stand for. */
const asked = [
  ['long-answer', 'welcome.long'],
  ['tools', 'welcome.tools'],
  ['approval', 'welcome.approval'],
  ['slow-work', 'welcome.slow'],
] as const

/** What an agent says that it can do, without having to be told more. */
const offered = ({ commands }: AgentInfo) =>
  (commands ?? [])
    .flatMap(({ name, description, argument }) =>
      description && !argument ? [[`/${name}`, visibleText(description)] as const] : [],
    )
    .slice(0, MOST)

/** What can be said to an agent: of a scripted one it is known which sentences it understands, by its commands. */
function suggestionsOf(agent: AgentInfo, t: I18n['t']): readonly (readonly [text: string, label: string])[] {
  const has = (command: string) => agent.commands?.some(({ name }) => name === command) ?? false
  const suggested = (agent.suggestedActions ?? []).filter(text => text.trim() !== '')
  if (suggested.length > 0) return suggested.slice(0, MOST).map(text => [text, visibleText(text)] as const)
  if (!agent.scripted || !has('tour')) return offered(agent)
  const known = asked.filter(([command]) => has(command))
  return [['/tour', t('welcome.tour')], ...known.map(([, key]) => [t(key), t(key)] as const)]
}

interface Props {
  agent: AgentInfo | null
  onPick: (text: string) => void
}

/** What to write first, where the agent is known to understand it. */
export function Suggestions({ agent, onPick }: Props) {
  const { t } = useI18n()
  if (!agent) return null
  const suggestions = suggestionsOf(agent, t)
  if (suggestions.length === 0) return null
  return (
    <section className="v-home-list">
      <h2>{t('welcome.try', { name: agent.name })}</h2>
      <ul aria-label={t('welcome.suggestions')}>
        {suggestions.map(([text, label]) => (
          <li key={text}>
            <button type="button" onClick={() => onPick(text)}>
              <Icon of={MessageSquare} />
              <span className="v-home-text">{label}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a session without a message says: what to do first, in words, and what could be asked. */
export function Welcome({ agent, onPick }: Props) {
  const { t } = useI18n()
  return (
    <div className="v-welcome">
      <h2>{t('welcome.title')}</h2>
      <p>{agent ? visible(agent.greeting || agent.description) : t('welcome.text')}</p>
      <Suggestions agent={agent} onPick={onPick} />
    </div>
  )
}
