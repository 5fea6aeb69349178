import type { AgentInfo } from '@vitrine/protocol'
import { useI18n } from '../i18n/i18n.tsx'
import { visible } from '../visible.tsx'

const asked = ['welcome.long', 'welcome.tools', 'welcome.approval', 'welcome.slow'] as const

/** What to do first: said in words, and offered as chips where the agent is known to understand them. */
export function Welcome({ agent, onPick }: { agent: AgentInfo | null; onPick: (text: string) => void }) {
  const { t } = useI18n()
  const suggestions: string[][] = agent?.scripted
    ? [['/tour', t('welcome.tour')], ...asked.map(key => [t(key), t(key)])]
    : []
  return (
    <div className="v-welcome">
      <h2>{t('welcome.title')}</h2>
      <p>{agent ? visible(agent.description) : t('welcome.text')}</p>
      {suggestions.length > 0 && (
        <ul className="v-chips" aria-label={t('welcome.suggestions')}>
          {suggestions.map(([text, label]) => (
            <li key={text}>
              <button type="button" className="v-chip" onClick={() => onPick(text!)}>
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
