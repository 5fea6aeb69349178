import type { VitrineClient } from '@vitrine/client'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { A2uiCatalogViews } from './genui/a2ui/view.ts'
import { BASIC, createDrawnCatalogs, type DrawnCatalogOf } from './genui/drawn-catalogs.ts'
import { useStateIn } from './hooks.ts'
import { Tooltips } from './kit/tooltip.tsx'
import { MediaChoices } from './media/media-choices.ts'
import { MediaContext } from './media/media-context.ts'
import { SandboxContext, SandboxDocuments } from './sandbox/sandbox-documents.ts'
import { watchFocus } from './shortcuts.ts'
import { visible } from './visible.tsx'

/** Without a provider there is the basic catalog alone. */
export const CatalogsContext = createContext<DrawnCatalogOf>(() => BASIC)

/** Something that the page tells the person beside the conversation, with a way to undo it or to act on it. */
export interface Notice {
  id: string
  text: string
  tone: 'plain' | 'danger'
  /** Notices that undo something stay apart, also when they say the same. */
  action?: { label: string; run: () => void; undoes?: boolean }
  /** Milliseconds until it goes away by itself, when nobody is at it; without it, it stays until closed. */
  lasts?: number
}

/** A message in its session. */
export interface MessagePlace {
  messageId: string
  ordinal: number
  /** What was searched for and found in it: these words are marked. */
  words?: string
}

/** What every view below the provider can use. */
export interface Vitrine {
  client: VitrineClient
  /** Goes to another session, to a place in it if one is given; the host application owns the address. */
  openSession: (sessionId: string, place?: MessagePlace) => void
  /** Says a change of status to those who listen instead of look. Never for streamed text. */
  announce: (text: string) => void
  notices: readonly Notice[]
  notify: (notice: Notice) => void
  dismiss: (id: string) => void
  /** View state of rows that scrolled out of sight: what is open, what was typed. */
  kept: Map<string, unknown>
}

const MOST_NOTICES = 3

/** A notice takes the place of the one with its id, and of those that say the same and have nothing to undo. */
export const withNotice = (notices: readonly Notice[], notice: Notice): readonly Notice[] => [
  ...notices.filter(({ id, text, action }) => id !== notice.id && (action?.undoes || text !== notice.text)),
  notice,
]

const Context = createContext<Vitrine | null>(null)

/** What the provider above gives to the views. */
export function useVitrine(): Vitrine {
  const found = useContext(Context)
  if (!found) throw new Error('Vitrine views need a <VitrineProvider> above them')
  return found
}

/** Gives the client and the page's own functions to all views below it. */
export function VitrineProvider(props: {
  client: VitrineClient
  openSession: (sessionId: string, place?: MessagePlace) => void
  /** How catalogs of A2UI beside the basic one are drawn, by their ids. It has to stay the same object. */
  catalogs?: A2uiCatalogViews
  children: ReactNode
}) {
  const { client, openSession, catalogs: views, children } = props
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const [said, setSaid] = useState('')
  const kept = useRef(new Map<string, unknown>()).current
  useEffect(watchFocus, [])
  const media = useMemo(() => new MediaChoices(client), [client])
  const catalogs = useMemo(() => createDrawnCatalogs({ client, views: views ?? {} }), [client, views])
  const sandboxes = useMemo(() => new SandboxDocuments(client), [client])
  const notify = useCallback((notice: Notice) => setNotices(all => withNotice(all, notice).slice(-MOST_NOTICES)), [])
  const dismiss = useCallback((id: string) => setNotices(all => all.filter(notice => notice.id !== id)), [])
  const value = useMemo(
    () => ({ client, openSession, announce: setSaid, notices, notify, dismiss, kept }),
    [client, openSession, notices, notify, dismiss, kept],
  )
  return (
    <Context value={value}>
      <MediaContext value={media}>
        <SandboxContext value={sandboxes}>
          <CatalogsContext value={catalogs}>{children}</CatalogsContext>
        </SandboxContext>
      </MediaContext>
      <Tooltips />
      <div className="v-unseen" role="status" aria-live="polite">
        {visible(said)}
      </div>
    </Context>
  )
}

/**
 * State of a row, such as what is open in it. It outlives the row, because rows that are out of sight are taken down.
 */
export const useRowState = <T,>(key: string, initial: T): [T, (value: T) => void] =>
  useStateIn(useVitrine().kept, key, initial)
