import { newId, type VitrineClient } from '@vitrine/client'
import { type AgentInfo, type Problem, type ToolMode, USUAL_TOOL_MODE } from '@vitrine/protocol'
import { useEffect, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { loadMarkdown } from '../markdown/lazy-markdown.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'
import { AgentTiles } from './agent-tiles.tsx'
import { attachmentsOf, type FileInTurn } from './attachment-store.ts'
import { useComposerFiles } from './attachments.tsx'
import { type Beginning, begin, keepBeginning, storedBeginning } from './beginning.ts'
import { ComposerBox } from './composer-box.tsx'
import { ComposerContext } from './composer-context.tsx'
import { type ComposerDraft, keepComposerDraft, readComposerDraft } from './composer-draft.ts'
import { contextOf } from './composer-references.ts'
import { FirstModel } from './first-model.tsx'
import { ModelButton } from './model-button.tsx'
import { outboxOf } from './outbox.ts'
import { SendButton } from './send-buttons.tsx'
import { ToolModePick } from './tool-mode.tsx'
import { BegunConversation, UnsentRow } from './unsent.tsx'
import { Waiting } from './waiting.tsx'
import { Suggestions } from './welcome.tsx'

const NEW = 'new'

interface Props {
  agents: readonly AgentInfo[] | null
  problem: Problem | null
  /** The agent that somebody came here for. */
  wanted?: string | null
  /** Goes to where models are connected; without it nobody offers that. */
  onConnectModel?: () => void
}

const preload = () => void loadMarkdown().catch(() => {})

/** The first screen: write, and a session begins with it. */
export function NewSession({ agents, problem, wanted = null, onConnectModel }: Props) {
  const { t, locale } = useI18n()
  const { client, kept, openSession } = useVitrine()
  const [beginning, setBeginning] = useState(storedBeginning)
  const [failure, setFailure] = useState<Problem | null>(null)
  const [chosen, choose] = useState(wanted)
  const [mode, setMode] = useState<ToolMode>(USUAL_TOOL_MODE)
  const agent = agents?.find(candidate => candidate.agentId === chosen) ?? agents?.[0] ?? null

  const send = (text: string, files?: FileInTurn[]) => {
    if (!text.trim()) return
    setFailure(null)
    const sessionId = newId()
    // What the server itself writes into interfaces, such as the button of a form, is in the reader's language.
    const metadata = { locale, ...(mode !== USUAL_TOOL_MODE && { tools: { mode, policies: {} } }) }
    const next: Beginning = { sessionId, ...(agent && { agentId: agent.agentId }), metadata }
    const input = { text, ...contextOf(NEW, text), ...(files && { files }) }
    outboxOf(kept, sessionId).add({ id: newId(), action: 'send', input })
    keepBeginning(sessionId, next)
    setBeginning(next)
  }
  const here = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each session is begun once.
  useEffect(() => {
    here.current = true
    if (!beginning) return
    const { sessionId } = beginning
    begin(client, kept, beginning, () => here.current).then(refused => {
      if (refused) takeBack(client, kept, sessionId)
      if (!here.current) return
      if (!refused) return openSession(sessionId)
      setFailure(refused)
      setBeginning(null)
    })
    return () => {
      here.current = false
    }
  }, [beginning?.sessionId])

  if (beginning) return <Begun sessionId={beginning.sessionId} agentName={agent?.name} />
  return (
    // Whoever writes will soon see an answer.
    <div className="v-new-session" onInputCapture={preload}>
      <div>
        <h2 className="v-home-title">{t('welcome.title')}</h2>
        {agents && agents.length < 2 && (
          <p className="v-home-about">{agent ? visible(agent.description) : t('welcome.text')}</p>
        )}
      </div>
      {agents && agent && agents.length > 1 && <AgentTiles agents={agents} chosen={agent.agentId} onChoose={choose} />}
      {problem && <ProblemNote title={t('agents.failed')} problem={problem} />}
      {agents && onConnectModel && <FirstModel agents={agents} onConnect={onConnectModel} />}
      <FirstText failure={failure} agent={agent} mode={mode} onMode={setMode} onSend={send} />
      <div className="v-home-lists">
        <Suggestions agent={agent} onPick={text => send(text)} />
        <Waiting agents={agents} />
      </div>
    </div>
  )
}

/** What was written for a session that could not be made is a text of the first screen again. */
function takeBack(client: VitrineClient, kept: Map<string, unknown>, sessionId: string): void {
  const outbox = outboxOf(kept, sessionId)
  const after = readComposerDraft(sessionId).text
  const texts = [...outbox.get().map(({ input }) => input.text), after, readComposerDraft(NEW).text]
  const files = [
    ...outbox.get().flatMap(({ input }) => input.files ?? []),
    ...(attachmentsOf(kept, client, sessionId).take() ?? []),
  ]
  attachmentsOf(kept, client, NEW).giveBack(files, null)
  for (const { id } of outbox.get()) outbox.take(id)
  keepComposerDraft(sessionId, { text: '', id: '' })
  keepComposerDraft(NEW, { text: texts.filter(Boolean).join('\n\n'), id: newId() })
}

function useKeptDraft(place: string): [ComposerDraft, (text: string) => void] {
  const [draft, setDraft] = useState(() => readComposerDraft(place))
  const keep = (text: string) => {
    const next = { text, id: newId() }
    setDraft(next)
    keepComposerDraft(place, next)
  }
  return [draft, keep]
}

function FirstText(props: {
  failure: Problem | null
  agent: AgentInfo | null
  mode: ToolMode
  onMode: (mode: ToolMode) => void
  onSend: (text: string, files?: FileInTurn[]) => void
}) {
  const { failure, agent, mode, onMode, onSend } = props
  const { t } = useI18n()
  const agentName = agent?.name
  const [{ text }, keep] = useKeptDraft(NEW)
  const files = useComposerFiles(NEW)
  const send = () => {
    if (!text.trim()) return
    keep('')
    onSend(text, files.take())
  }
  return (
    <>
      {failure && (
        <ProblemNote title={t('composer.failed')} problem={failure}>
          <Button onClick={send} disabled={files.waits !== null}>
            {t('action.tryAgain')}
          </Button>
        </ProblemNote>
      )}
      <ComposerBox
        text={text}
        files={files}
        placeholder={
          agentName ? t('composer.placeholder.first', { name: visibleText(agentName) }) : t('composer.unnamed.reply')
        }
        rows={2}
        completes={{ agentId: agent?.agentId }}
        autoFocus
        hint={t('composer.hint.send')}
        hintKind="keys"
        onChange={keep}
        onEnter={send}
        context={<ComposerContext place={NEW} text={text} store={files.store} onText={keep} />}
        picks={
          <>
            <ModelButton agent={agent} />
            <ToolModePick mode={mode} agentName={agentName} onChoose={onMode} />
          </>
        }
        buttons={<SendButton action="send" disabled={!text.trim() || files.waits !== null} />}
      />
    </>
  )
}

/** The session while it is made: what was sent stands there already, and the next text can be written. */
function Begun({ sessionId, agentName }: { sessionId: string; agentName: string | undefined }) {
  const { t } = useI18n()
  const { kept } = useVitrine()
  const outbox = outboxOf(kept, sessionId)
  const unsent = useReadable(outbox)
  const [{ text }, keep] = useKeptDraft(sessionId)
  const files = useComposerFiles(sessionId)
  const send = () => {
    if (!text.trim()) return
    keep('')
    const attached = files.take()
    outbox.add({ id: newId(), action: 'queue', input: { text, ...(attached && { files: attached }) } })
  }
  return (
    <div className="v-session-view">
      <BegunConversation>
        {unsent.map(each => (
          <UnsentRow key={each.id} unsent={each} />
        ))}
      </BegunConversation>
      <div className="v-deck">
        <div className="v-composer">
          <ComposerBox
            text={text}
            files={files}
            placeholder={
              agentName
                ? t('composer.placeholder.reply', { name: visibleText(agentName) })
                : t('composer.unnamed.reply')
            }
            rows={1}
            autoFocus
            hint={t('composer.hint.after')}
            onChange={keep}
            onEnter={send}
            buttons={<SendButton action="queue" disabled={!text.trim() || files.waits !== null} />}
          />
        </div>
      </div>
    </div>
  )
}
