import type { AgentInfo } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visibleText } from '../visible.tsx'
import { type Draft, newId, readDraft, writeDraft } from './drafts.ts'
import { Welcome } from './welcome.tsx'

const NEW = 'new'

/** The first screen: write, and a session begins with it. */
export function NewSession({ agents, problem }: { agents: readonly AgentInfo[] | null; problem: Problem | null }) {
  const { t } = useI18n()
  const { client, openSession } = useVitrine()
  const [draft, setDraft] = useState(() => readDraft(NEW))
  const [chosen, choose] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<Problem | null>(null)
  const agent = agents?.find(candidate => candidate.agentId === chosen) ?? agents?.[0] ?? null

  const keep = (next: Draft) => {
    setDraft(next)
    writeDraft(NEW, next)
  }
  const send = async (text: string) => {
    if (sending || !text.trim()) return
    setSending(true)
    setFailure(null)
    const created = await client.createSession(agent ? { agentId: agent.agentId } : {})
    if (!created.ok) {
      setSending(false)
      setFailure(created.problem)
      if (!draft.text) keep({ text, id: newId() })
      return
    }
    const { sessionId } = created.value.session
    const handle = client.open(sessionId)
    const sent = await handle.submit({ text }, draft.id)
    // The session exists now: what it did not take is its draft.
    if (!sent.ok) writeDraft(sessionId, { text, id: newId() })
    if (draft.text === text) writeDraft(NEW, { text: '', id: '' })
    openSession(sessionId)
    handle.close()
  }
  return (
    <div className="v-new-session">
      <Welcome agent={agent} onPick={send} />
      {problem && <ProblemNote title={t('agents.failed')} problem={problem} />}
      {failure && (
        <ProblemNote title={t('composer.failed')} problem={failure}>
          <button type="button" className="v-button" onClick={() => send(draft.text)}>
            {t('action.tryAgain')}
          </button>
        </ProblemNote>
      )}
      <form
        className="v-composer-box"
        onSubmit={event => {
          event.preventDefault()
          send(draft.text)
        }}
      >
        <textarea
          data-composer
          className="v-composer-input"
          aria-label={t('composer.label')}
          aria-describedby="v-composer-hint"
          placeholder={t('composer.placeholder')}
          rows={2}
          value={draft.text}
          // biome-ignore lint/a11y/noAutofocus: the page has this one purpose.
          autoFocus
          onChange={event => keep({ text: event.target.value, id: newId() })}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send(draft.text)
          }}
        />
        <div className="v-composer-bar">
          {agents && agents.length > 1 && (
            <label className="v-agent-choice">
              <span className="v-unseen">{t('agents.choose')}</span>
              <select className="v-input" value={agent?.agentId ?? ''} onChange={event => choose(event.target.value)}>
                {agents.map(({ agentId, name }) => (
                  <option key={agentId} value={agentId}>
                    {visibleText(name)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <span id="v-composer-hint" className="v-composer-hint">
            {sending ? t('action.sending') : t('composer.hint.send')}
          </span>
          <button type="submit" className="v-button v-primary v-send" disabled={!draft.text.trim() || sending}>
            <ArrowUp aria-hidden />
            {t('composer.send')}
          </button>
        </div>
      </form>
    </div>
  )
}
