import type { SessionSummary } from '@vitrine/protocol'
import { Fragment, type MouseEvent, type ReactNode, useEffect, useMemo } from 'react'
import { useAgents } from '../agents.tsx'
import { type MessagePlace, useVitrine } from '../context.tsx'
import { useNow, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge, type Tone } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { RadioGroup } from '../kit/choices.tsx'
import { Empty } from '../kit/empty.tsx'
import { AgentFace } from '../kit/face.tsx'
import { Icon } from '../kit/icon.tsx'
import { MessageSquare, Search, User, WifiOff } from '../kit/icons.ts'
import { marked } from '../kit/option-list.tsx'
import { Select } from '../kit/select.tsx'
import { Time } from '../kit/time.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { SnippetText } from './found-message.tsx'
import { isAway } from './outbox.ts'
import { walkHits } from './search-keys.ts'
import { type Asked, type Found, type Hit, idOfHit, isSame, NEXT, type SearchTime, useFound } from './use-found.ts'

interface Props {
  asked: Asked
  onAsk: (asked: Asked) => void
  hrefOf: (sessionId: string) => string
  /** Opens a session in a tab of its own; without it there is no such choice. */
  onOpenBeside?: (sessionId: string, place?: MessagePlace) => void
  /** Where the numbers and the filters are drawn. */
  head: (content: ReactNode) => ReactNode
  /** The field, when there is none elsewhere on the page. */
  children?: ReactNode
}

const TIMES: readonly SearchTime[] = ['any', 'today', 'week', 'month']

/** What a person finds in all of their sessions, by session or message by message. */
export function SearchView({ asked, onAsk, hrefOf, onOpenBeside, head, children }: Props) {
  const { t } = useI18n()
  const { client, openSession, announce } = useVitrine()
  const search = useFound(client, asked)
  const { found, busy, problem } = search
  const connection = useReadable(client.connection)
  const live = connection.state === 'live'
  const away = problem !== null && isAway(problem)
  const { again } = search
  // What could not be asked for is asked for as soon as there is a connection again.
  useEffect(() => {
    if (away && live) again()
  }, [away, live, again])
  const words = found && isSame(found.asked, asked) ? countWords(t, found) : ''
  useEffect(() => {
    if (words) announce(words)
  }, [words, announce])
  const open = (hit: Hit, ordinal: number | undefined, beside: boolean) => {
    const message = hit.messages.find(one => one.ordinal === ordinal) ?? placeOf(hit)
    const place = message && { messageId: message.messageId, ordinal: message.ordinal, words: asked.text }
    if (beside && onOpenBeside) onOpenBeside(hit.session.sessionId, place)
    else openSession(hit.session.sessionId, place)
  }
  const stands = problem ? (away ? 'away' : 'failed') : !asked.text ? 'empty' : found ? 'found' : 'first'
  return (
    <div className="v-search-view">
      {children}
      {head(
        <>
          <span className="v-search-count">{found && countWords(t, found)}</span>
          <Filters asked={asked} onAsk={onAsk} />
        </>,
      )}
      <div className="v-search-scroll">
        <div className="v-search-list" aria-busy={busy !== null}>
          {stands === 'away' && (
            <Empty icon={WifiOff} title={t('search.away')} text={t('search.awayHelp')}>
              <Button onClick={() => client.reconnect()}>{t('connection.reconnect')}</Button>
            </Empty>
          )}
          {problem && stands === 'failed' && (
            <ProblemNote title={t('search.failed')} problem={problem}>
              <Button onClick={again}>{t('action.tryAgain')}</Button>
            </ProblemNote>
          )}
          {stands === 'empty' && <Empty icon={Search} title={t('search.empty')} text={t('search.emptyHelp')} />}
          {stands === 'first' && <HitSkeleton label={t('sessions.searching')} />}
          {stands === 'found' && found && found.hits.length === 0 && <Nothing asked={found.asked} onAsk={onAsk} />}
          {found && found.hits.length > 0 && asked.text && !away && (
            <>
              <ul className="v-hits" aria-label={t('search.results')}>
                {found.hits.map(hit => (
                  <li key={idOfHit(hit, found.asked.by)}>
                    <HitRow hit={hit} asked={found.asked} href={hrefOf(hit.session.sessionId)} onOpen={open} />
                  </li>
                ))}
              </ul>
              <Rest found={found} busy={busy === 'more'} onMore={search.loadMore} />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

type Words = ReturnType<typeof useI18n>['t']

/** How many there are. Beyond a bound nobody counts on, and a plus says so. */
function countWords(t: Words, { asked, total, messages, searched, bounded }: Found): string {
  const count = asked.by === 'sessions' ? total : messages
  const more = bounded ? '+' : ''
  return t('search.count', { count, more, text: asked.text, sessions: t('search.sessions', { count: searched }) })
}

/** Where a hit leads to: the message that was said first among those that are shown. */
const placeOf = ({ messages }: Hit) => [...messages].sort((a, b) => a.ordinal - b.ordinal)[0]

function Filters({ asked, onAsk }: Pick<Props, 'asked' | 'onAsk'>) {
  const { t } = useI18n()
  const agents = useAgents() ?? []
  const ids = [null, ...agents.map(({ agentId }) => agentId)]
  return (
    <span className="v-search-filters">
      <Select
        className="v-pick"
        aria-label={t('search.agent')}
        options={ids.map((_, at) => ({ label: at === 0 ? t('search.agents') : agents[at - 1]!.name }))}
        chosen={Math.max(0, ids.indexOf(asked.agentId))}
        onChoose={at => onAsk({ ...asked, agentId: ids[at] ?? null })}
      />
      <Select
        className="v-pick"
        aria-label={t('search.time')}
        options={TIMES.map(time => ({ label: t(`search.time.${time}`) }))}
        chosen={TIMES.indexOf(asked.time)}
        onChoose={at => onAsk({ ...asked, time: TIMES[at] ?? 'any' })}
      />
      <RadioGroup
        label={t('search.by')}
        labelHidden
        look="segments"
        value={asked.by}
        options={[
          { value: 'sessions', label: t('search.by.sessions') },
          { value: 'messages', label: t('search.by.messages') },
        ]}
        onChange={by => onAsk({ ...asked, by })}
      />
    </span>
  )
}

function Nothing({ asked, onAsk }: Pick<Props, 'asked' | 'onAsk'>) {
  const { t } = useI18n()
  const filtered = asked.agentId !== null || asked.time !== 'any'
  return (
    <Empty
      icon={Search}
      title={t('search.nothing', { text: asked.text })}
      text={t(filtered ? 'search.nothingFiltered' : 'search.nothingHelp')}
    >
      {filtered && (
        <Button onClick={() => onAsk({ ...asked, agentId: null, time: 'any' })}>{t('search.everywhere')}</Button>
      )}
    </Empty>
  )
}

function Rest({ found, busy, onMore }: { found: Found; busy: boolean; onMore: () => void }) {
  const { t } = useI18n()
  const { asked, hits, total, messages, bounded, cursor } = found
  if (cursor === null) return bounded ? <p className="v-search-rest">{t('search.bounded')}</p> : null
  const left = (asked.by === 'sessions' ? total : messages) - hits.length
  return (
    <p className="v-search-rest">
      {left > 0 && <span>{t('search.left', { count: left, more: bounded ? '+' : '' })}</span>}
      <Button onClick={onMore} aria-busy={busy} aria-disabled={busy}>
        {t(left <= NEXT && !bounded ? 'search.all' : 'search.more')}
      </Button>
    </p>
  )
}

/** The shape of what comes, after a moment. */
function HitSkeleton({ label }: { label: string }) {
  return (
    <div className="v-skeleton v-hits-skeleton">
      <p role="status">{label}</p>
      <div aria-hidden />
      <div aria-hidden />
      <div aria-hidden />
    </div>
  )
}

interface HitProps {
  hit: Hit
  asked: Asked
  href: string
  onOpen: (hit: Hit, ordinal: number | undefined, beside: boolean) => void
}

function HitRow({ hit, asked, href, onOpen }: HitProps) {
  const { t, ago } = useI18n()
  const { client } = useVitrine()
  const { sessions, folders } = useReadable(client.sessions)
  const now = useNow(true, 30_000)
  const { messages, count } = hit
  // Where a row of the list is live, it says how its session stands.
  const session = sessions.find(({ sessionId }) => sessionId === hit.session.sessionId) ?? hit.session
  const shown = useMemo(() => [...messages].sort((a, b) => a.ordinal - b.ordinal), [messages])
  const by = asked.by === 'sessions'
  const at = by ? session.updatedAt : (messages[0]?.at ?? session.updatedAt)
  const more = count - messages.length
  const folder = folders.find(({ folderId }) => folderId === session.folderId)?.name
  const foot = [folder && visible(folder), by && more > 0 && t('search.inSession', { count: more })].filter(Boolean)
  const take = (event: MouseEvent, beside: boolean) => {
    event.preventDefault()
    const line = (event.target as HTMLElement).closest<HTMLElement>('[data-ordinal]')
    onOpen(hit, line ? Number(line.dataset.ordinal) : undefined, beside)
  }
  return (
    <a
      className="v-hit"
      href={href}
      onKeyDown={walkHits}
      onClick={event => {
        if (event.shiftKey || event.altKey || event.button !== 0) return
        take(event, event.metaKey || event.ctrlKey)
      }}
    >
      <AgentFace agentId={session.agentId} size={28} />
      <span className="v-hit-body">
        <span className="v-hit-head">
          <span className="v-hit-title" dir="auto">
            {marked(session.title || t('sessions.untitled'), asked.text, 'mark')}
          </span>
          <StateBadge session={session} />
          {session.archived && <Badge>{t('archive.badge')}</Badge>}
          <Time className="v-hit-time" at={at}>
            {ago(at, now)}
          </Time>
        </span>
        {shown.map(({ ordinal, role, snippet }) => (
          <span key={ordinal} className="v-hit-line" data-ordinal={ordinal}>
            <Icon
              of={role === 'user' ? User : MessageSquare}
              label={t(role === 'user' ? 'message.user' : 'message.assistant')}
            />
            <SnippetText snippet={snippet} />
          </span>
        ))}
        {foot.length > 0 && (
          <span className="v-hit-foot">
            {foot.map((words, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: these are two fixed places.
              <Fragment key={index}>
                {index > 0 && ', '}
                {words}
              </Fragment>
            ))}
          </span>
        )}
      </span>
    </a>
  )
}

const badges: Partial<Record<SessionSummary['status'], Tone>> = {
  running: 'accent',
  waiting: 'accent',
  'needs-input': 'warning',
  failed: 'danger',
}

function StateBadge({ session: { status } }: { session: SessionSummary }) {
  const { t } = useI18n()
  const tone = badges[status]
  if (!tone) return null
  return (
    <Badge tone={tone}>{t(status === 'needs-input' ? 'sessions.group.attention' : `sessions.status.${status}`)}</Badge>
  )
}
