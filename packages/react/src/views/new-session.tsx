import { newId } from '@vitrine/client'
import type { AgentInfo, Problem } from '@vitrine/protocol'
import { useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { ArrowUp } from '../kit/icons.ts'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { AgentTiles } from './agent-tiles.tsx'
import { ComposerBox } from './composer-box.tsx'
import { type ComposerDraft, keepComposerDraft, readComposerDraft } from './composer-draft.ts'
import { Waiting } from './waiting.tsx'
import { Suggestions } from './welcome.tsx'

const NEW = 'new'

/** The first screen: write, and a session begins with it. */
export function NewSession({ agents, problem }: { agents: readonly AgentInfo[] | null; problem: Problem | null }) {
  const { t, locale } = useI18n()
  const { client, openSession } = useVitrine()
  const [draft, setDraft] = useState(() => readComposerDraft(NEW))
  const [chosen, choose] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<Problem | null>(null)
  const agent = agents?.find(candidate => candidate.agentId === chosen) ?? agents?.[0] ?? null

  const keep = (next: ComposerDraft) => {
    setDraft(next)
    keepComposerDraft(NEW, next)
  }
  const send = async (text: string) => {
    if (sending || !text.trim()) return
    setSending(true)
    setFailure(null)
    // What the server itself writes into interfaces, such as the button of a form, is in the reader's language.
    const created = await client.createSession({ ...(agent && { agentId: agent.agentId }), metadata: { locale } })
    if (!created.ok) {
      setSending(false)
      setFailure(created.problem)
      if (!draft.text) keep({ text, id: newId() })
      return
    }
    const { sessionId } = created.value.session
    const handle = client.open(sessionId)
    const sent = await handle.submitTurn({ text }, draft.id)
    // The session exists now: what it did not take is its draft.
    if (!sent.ok) keepComposerDraft(sessionId, { text, id: newId() })
    if (draft.text === text) keepComposerDraft(NEW, { text: '', id: '' })
    openSession(sessionId)
    handle.close()
  }
  return (
    <div className="v-new-session">
      <div>
        <h2 className="v-home-title">{t('welcome.title')}</h2>
        {agents && agents.length < 2 && (
          <p className="v-home-about">{agent ? visible(agent.description) : t('welcome.text')}</p>
        )}
      </div>
      {agents && agent && agents.length > 1 && <AgentTiles agents={agents} chosen={agent.agentId} onChoose={choose} />}
      {problem && <ProblemNote title={t('agents.failed')} problem={problem} />}
      {failure && (
        <ProblemNote title={t('composer.failed')} problem={failure}>
          <Button onClick={() => send(draft.text)}>{t('action.tryAgain')}</Button>
        </ProblemNote>
      )}
      <ComposerBox
        text={draft.text}
        placeholder={t('composer.placeholder')}
        rows={2}
        autoFocus
        hint={sending ? t('action.sending') : t('composer.hint.send')}
        onChange={text => keep({ text, id: newId() })}
        onEnter={() => send(draft.text)}
        buttons={
          <Button
            type="submit"
            look="primary"
            className="v-send"
            icon={ArrowUp}
            disabled={!draft.text.trim() || sending}
          >
            {t('composer.send')}
          </Button>
        }
      />
      <div className="v-home-lists">
        <Suggestions agent={agent} onPick={send} />
        <Waiting agents={agents} />
      </div>
    </div>
  )
}
