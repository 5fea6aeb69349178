import type { SessionHandle } from '@vitrine/client'
import { updateTools } from '@vitrine/client/tools'
import { type ToolMode, toolChoices } from '@vitrine/protocol'
import { useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntityValue } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { ConfirmDialog } from '../kit/dialog.tsx'
import { Eye, MessageCircleQuestionMark, ShieldAlert } from '../kit/icons.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { goOnWriting, isCovered, isPressed } from '../shortcuts.ts'
import { viewKeys } from './keys-help.tsx'

const MODES = ['ask', 'reads', 'all'] as const satisfies readonly ToolMode[]
const icons = { ask: MessageCircleQuestionMark, reads: Eye, all: ShieldAlert }

interface Props {
  mode: ToolMode
  /** How the agent is called, when that is known. */
  agentName?: string | undefined
  onChoose: (mode: ToolMode) => void
}

/**
 * How much tools may do without being asked about. What allows everything has to be confirmed, and stays visible as long
 * as it counts.
 */
export function ToolModePick({ mode, agentName, onChoose }: Props) {
  const { t } = useI18n()
  const [asking, setAsking] = useState(false)
  const choose = (next: ToolMode) => {
    if (next === mode) return
    if (next === 'all') setAsking(true)
    else onChoose(next)
  }
  useToolModeKey()
  return (
    <>
      <Menu
        label={t('mode.label')}
        icon={icons[mode]}
        text={t(`mode.${mode}`)}
        tone={mode === 'all' ? 'danger' : undefined}
        className="v-tool-mode"
        keys={viewKeys.toolMode}
      >
        {MODES.map(each => (
          <MenuItem
            key={each}
            icon={icons[each]}
            chosen={each === mode}
            danger={each === 'all'}
            detail={t(`mode.about.${each}`)}
            onChoose={() => choose(each)}
          >
            {t(`mode.${each}`)}
          </MenuItem>
        ))}
        <p>{t('mode.note')}</p>
      </Menu>
      {asking && (
        <ConfirmDialog
          title={t('mode.confirm')}
          yes={t('mode.all')}
          danger
          onAnswer={yes => {
            setAsking(false)
            if (yes) onChoose('all')
          }}
        >
          <p>{agentName ? t('mode.confirmText', { name: agentName }) : t('mode.confirmUnnamed')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The mode of a session, as its facts say it. */
export function SessionToolMode({ handle, agentName }: { handle: SessionHandle; agentName?: string | undefined }) {
  const { t } = useI18n()
  const { client, announce, notify } = useVitrine()
  const mode = useEntityValue(handle, 'session', state => toolChoices(state).mode)
  const choose = async (next: ToolMode) => {
    const done = goOnWriting()
    const outcome = await updateTools(client, handle.sessionId, { mode: next })
    if (outcome.ok) announce(t('mode.changed', { mode: t(`mode.${next}`) }))
    else {
      const text = t('mode.failed', { reason: problemWords(t, outcome.problem) })
      notify({ id: 'tool-mode', tone: 'danger', text })
    }
    done()
  }
  return <ToolModePick mode={mode} agentName={agentName} onChoose={next => void choose(next)} />
}

/** Opens the list of modes of the composer that is shown. Says whether there was one. */
export function openToolMode(): boolean {
  const button = document.querySelector<HTMLElement>('.v-tool-mode')
  button?.click()
  return button !== null
}

function useToolModeKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCovered() || !isPressed(event, viewKeys.toolMode)) return
      event.preventDefault()
      openToolMode()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
