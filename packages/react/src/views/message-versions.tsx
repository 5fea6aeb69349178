import type { SessionHandle } from '@vitrine/client'
import { type Message as MessageEntity, type Rewind, versionsOf } from '@vitrine/protocol'
import { createContext, Fragment, type ReactNode, useEffect, useRef } from 'react'
import { useVitrine } from '../context.tsx'
import { useEntity, useEntityValue, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { ChevronLeft, ChevronRight, GitBranch } from '../kit/icons.ts'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { type ShownVersion, showVersion, takePressed, useShownVersion, versionHandle } from './shown-version.ts'
import { useCommand } from './use-command.ts'

/** The session of today, for messages that are drawn as part of an earlier version. */
export const Present = createContext<{ handle: SessionHandle; shown: ShownVersion } | null>(null)

export function VersionsOfPresent({ handle, shown }: { handle: SessionHandle; shown: ShownVersion }) {
  const message = handle.state.messages.byId.get(shown.messageId)
  return message ? <Versions handle={handle} message={message} shown={shown.rewind} /> : null
}

/** ‹ 2 of 2 ›: which version of the message is shown, and the way to the others. */
export function Versions(props: { handle: SessionHandle; message: MessageEntity; shown: Rewind | null }) {
  const { handle, message, shown } = props
  const { t } = useI18n()
  const { announce, notify } = useVitrine()
  const { sending, send } = useCommand()
  const active = useEntityValue(handle, 'session', state => state.session.activeRunId !== null)
  useEntity(handle, 'rewinds', state => state.rewinds)
  const row = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const pressed = takePressed(handle)
    if (pressed) row.current?.querySelector<HTMLElement>(`[data-to="${pressed}"]`)?.focus({ preventScroll: true })
  }, [handle])
  const versions = versionsOf(handle.state, message)
  if (versions.length === 0) return null
  const total = versions.length + 1
  const at = shown ? versions.findIndex(({ rewindId }) => rewindId === shown.rewindId) + 1 : total
  const label = t('history.version', { at, total })
  const show = async (to: number, pressed: string) => {
    if (to < 1 || to > total || sending || active) return
    const rewind = versions[to - 1]
    if (!rewind) showVersion(handle, null, pressed)
    else {
      const page = await send(() => handle.listVersionMessages(rewind.rewindId, 0))
      if (!page.ok) {
        const reason = problemWords(t, page.problem)
        return notify({ id: 'version', tone: 'danger', text: t('history.versionFailed', { reason }) })
      }
      const past = versionHandle(handle, page.value)
      const next = page.value.next ?? null
      showVersion(handle, { messageId: message.messageId, rewind, handle: past, next }, pressed)
    }
    announce(t('history.versionShown', { at: to, total }))
  }
  const step = (to: number, pressed: 'previous' | 'next') => (
    <button
      type="button"
      className="v-button v-quiet v-icon-button"
      data-to={pressed}
      aria-disabled={to < 1 || to > total || active ? true : undefined}
      aria-label={t(pressed === 'previous' ? 'history.previous' : 'history.next')}
      data-tip={active ? t('history.running') : undefined}
      onClick={() => void show(to, pressed)}
    >
      <Icon of={pressed === 'previous' ? ChevronLeft : ChevronRight} />
    </button>
  )
  return (
    <fieldset
      ref={row}
      className="v-versions"
      aria-label={t('history.versions')}
      onKeyDown={event => {
        const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
        if (by === 0) return
        event.preventDefault()
        void show(at + by, by < 0 ? 'previous' : 'next')
      }}
    >
      {step(at - 1, 'previous')}
      <span>{label}</span>
      {step(at + 1, 'next')}
    </fieldset>
  )
}

/** The messages of an earlier version, in the place of a message and of all that follows it. */
export function InVersion(props: {
  handle: SessionHandle
  messageId: string
  draw: (handle: SessionHandle, messageId: string) => ReactNode
}) {
  const { handle, messageId, draw } = props
  const { t } = useI18n()
  const shown = useShownVersion(handle)
  const { sending, problem, send } = useCommand()
  if (shown?.messageId !== messageId) return null
  const more = async () => {
    const page = await send(() => handle.listVersionMessages(shown.rewind.rewindId, shown.next ?? 0))
    if (!page.ok) return
    showVersion(handle, {
      ...shown,
      handle: versionHandle(handle, page.value, shown.handle),
      next: page.value.next ?? null,
    })
  }
  const messages = [...shown.handle.state.messages.byId.values()].sort((a, b) => a.ordinal - b.ordinal)
  return (
    <Present value={{ handle, shown }}>
      <div className="v-version">
        {messages.map(one => (
          <Fragment key={one.messageId}>{draw(shown.handle, one.messageId)}</Fragment>
        ))}
        {shown.next !== null && (
          <Button look="quiet" disabled={sending} onClick={more}>
            {t('history.more')}
          </Button>
        )}
        {problem && <ProblemNote title={t('history.moreFailed')} problem={problem} />}
        <p className="v-version-end">
          <span>{t('history.past')}</span>
          <Button look="link" onClick={() => showVersion(handle, null, 'next')}>
            {t('history.toPresent')}
          </Button>
        </p>
      </div>
    </Present>
  )
}

/** In a session that was branched off: of which one it is a branch, and the way there. */
export function BranchNote({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  const { client, openSession } = useVitrine()
  const { sessions } = useReadable(client.sessions)
  const forkOf = useEntity(handle, 'session', state => state.session.forkOf)
  if (!forkOf) return null
  const source = sessions.find(({ sessionId }) => sessionId === forkOf.sessionId)
  return (
    <p className="v-row v-branch-note">
      <Icon of={GitBranch} />
      {source ? (
        <>
          <span>{t('history.branchOf')}</span>
          <Button look="link" onClick={() => openSession(forkOf.sessionId)}>
            {visible(source.title || t('sessions.untitled'))}
          </Button>
        </>
      ) : (
        <span>{t('history.branchOfUnknown')}</span>
      )}
    </p>
  )
}
