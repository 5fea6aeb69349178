import type { SessionHandle } from '@vitrine/client'
import { type Answer, type Problem, type SessionState, toolChoices } from '@vitrine/protocol'
import { createContext, type Ref, use, useCallback, useMemo, useRef, useState } from 'react'
import { type CustomItemComponentProps, Virtualizer } from 'virtua'
import { useAgentNames } from '../agents.tsx'
import { useRowState, useVitrine } from '../context.tsx'
import { useEntity, useEntityValue } from '../hooks.ts'
import { type I18n, useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { RadioGroup } from '../kit/choices.tsx'
import { Empty } from '../kit/empty.tsx'
import { AgentFace } from '../kit/face.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { CircleSlash, Eye, Globe, Pencil, RotateCcw, Search, Shapes, Wrench, X } from '../kit/icons.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { StatusDot } from '../kit/status-dot.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'
import { Permissions } from './panels.tsx'
import { allLoaded } from './session-usage.tsx'
import { type ListedTools, useTools } from './use-tools.ts'

type Item = Answer<'SessionTools'>['items'][number]
type Source = Item['source']
type Policy = Item['policy']

/** Below so many tools nobody needs to search. */
const MANY = 8
/** Beyond so many lines only those in sight are in the page. */
const WINDOWED = 80
/** About how high a line is before it was drawn. */
const LINE = 52

/** What a session may use, who offers it, and what it may do; and what was allowed for longer than once. */
export function ToolsPanel({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  const agentName = useAgentNames()
  const [part, choose] = useRowState<'tools' | 'permissions'>(`tools-part:${handle.sessionId}`, 'tools')
  const agentId = useEntityValue(handle, 'session', ({ session }) =>
    session.agentId.known ? session.agentId.value : '',
  )
  const standing = useEntityValue(
    handle,
    'permissions',
    ({ permissions }) => [...permissions.byId.values()].filter(({ state }) => state === 'granted').length,
  )
  return (
    <div className="v-tools">
      <div className="v-subbar">
        {agentId && <AgentFace agentId={agentId} size={20} />}
        <span className="v-subbar-name">{visible(agentName(agentId))}</span>
        <RadioGroup
          look="segments"
          label={t('tools.parts')}
          labelHidden
          value={part}
          options={[
            { value: 'tools', label: t('dock.tools') },
            {
              value: 'permissions',
              label: standing > 0 ? t('tools.permissionsCount', { count: standing }) : t('tools.permissions'),
            },
          ]}
          onChange={choose}
        />
      </div>
      {part === 'tools' ? (
        <ToolList handle={handle} agentName={agentName(agentId)} />
      ) : (
        <div className="v-tools-scroll">
          <Permissions handle={handle} />
        </div>
      )}
    </div>
  )
}

function ToolList({ handle, agentName }: { handle: SessionHandle; agentName: string }) {
  const { t } = useI18n()
  const tools = useTools(handle)
  const { answer, problem, offline, reload } = tools
  const [typed, type] = useRowState(`tools-search:${handle.sessionId}`, '')
  const [only, show] = useRowState<Policy | 'all'>(`tools-only:${handle.sessionId}`, 'all')
  const choices = useChoices(tools)
  const shown = useMemo(() => {
    const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    return (answer?.items ?? []).filter(item => {
      const text = `${item.title} ${item.name} ${item.description} ${item.source.name}`.toLocaleLowerCase()
      return words.every(word => text.includes(word)) && (only === 'all' || (item.governed && item.policy === only))
    })
  }, [answer, typed, only])

  if (!answer) {
    return problem ? (
      <div className="v-tools-scroll">
        <ProblemNote title={t('tools.failed')} problem={problem}>
          <Button onClick={reload}>{t('action.tryAgain')}</Button>
        </ProblemNote>
      </div>
    ) : (
      <p className="v-panel-empty" role="status">
        {t(offline ? 'tools.away' : 'tools.loading')}
      </p>
    )
  }
  if (answer.items.length === 0) {
    return <Empty icon={Wrench} title={t('tools.empty')} text={t('tools.emptyHelp', { name: agentName })} />
  }
  const off = answer.items.filter(({ policy }) => policy === 'off').length
  const count = answer.items.length
  return (
    <>
      <div className="v-tools-head">
        <p>
          {off > 0 ? t('tools.countOff', { count, off }) : t('tools.count', { count })} {t('tools.counts')}
        </p>
        <Menu label={t('tools.only')} text={t(only === 'all' ? 'tools.all' : `tools.policy.${only}`)}>
          {(['all', 'ask', 'allow', 'off'] as const).map(each => (
            <MenuItem key={each} chosen={each === only} onChoose={() => show(each)}>
              {t(each === 'all' ? 'tools.all' : `tools.policy.${each}`)}
            </MenuItem>
          ))}
        </Menu>
        {(count > MANY || typed !== '') && <ToolSearch value={typed} onChange={type} />}
      </div>
      {(problem || offline) && (
        <div className="v-tools-stale" role="status">
          <p>{t(offline ? 'tools.offline' : 'tools.stale')}</p>
          {!offline && <Button onClick={reload}>{t('action.tryAgain')}</Button>}
        </div>
      )}
      {shown.length === 0 ? (
        <p className="v-panel-empty" role="status">
          {t(typed ? 'tools.notFound' : 'tools.noneSuch', { text: typed })}
        </p>
      ) : (
        <Lines handle={handle} items={shown} agentName={agentName} choices={choices} onReload={reload} />
      )}
    </>
  )
}

function ToolSearch({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useI18n()
  return (
    <label className="v-search">
      <Icon of={Search} />
      <input
        type="search"
        aria-label={t('tools.search')}
        placeholder={t('tools.search')}
        value={value}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || !value) return
          event.preventDefault()
          event.stopPropagation()
          onChange('')
        }}
      />
      {value && (
        <IconButton
          icon={X}
          className="v-search-clear"
          label={t('sessions.clearSearch')}
          onClick={() => onChange('')}
        />
      )}
    </label>
  )
}

interface Choices {
  /** What is on its way to the server, by the id of the tool. */
  readonly sending: ReadonlyMap<string, Policy | null>
  readonly refused: { toolId: string; problem: Problem } | null
  choose(item: Item, policy: Policy | null): void
}

/** What a person chooses for single tools. It counts when the server has taken it, and not before. */
function useChoices({ change }: ListedTools): Choices {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const [sending, setSending] = useState<ReadonlyMap<string, Policy | null>>(new Map())
  const [refused, setRefused] = useState<Choices['refused']>(null)
  const choose = useCallback(
    async ({ toolId, title }: Item, policy: Policy | null) => {
      setSending(all => new Map(all).set(toolId, policy))
      setRefused(null)
      const outcome = await change({ policies: { [toolId]: policy } })
      setSending(all => new Map([...all].filter(([id]) => id !== toolId)))
      if (!outcome.ok) return setRefused({ toolId, problem: outcome.problem })
      const now = outcome.value.items.find(item => item.toolId === toolId)?.policy
      if (now) announce(t('tools.changed', { name: title, policy: t(`tools.policy.${now}`) }))
    },
    [change, announce, t],
  )
  return { sending, refused, choose }
}

type Line = { kind: 'source'; source: Source; governed: boolean } | { kind: 'tool'; item: Item }

/** The tools below who offers them. Those that an agent runs by itself stand apart: a choice would mean nothing. */
function linesOf(items: readonly Item[]): Line[] {
  const groups = Map.groupBy(items, ({ source, governed }) => `${source.sourceId} ${governed}`)
  return [...groups.values()].flatMap((members): Line[] => [
    { kind: 'source', source: members[0]!.source, governed: members[0]!.governed },
    ...members.map((item): Line => ({ kind: 'tool', item })),
  ])
}

interface LinesProps {
  handle: SessionHandle
  items: readonly Item[]
  agentName: string
  choices: Choices
  onReload: () => void
}

function Lines({ handle, items, agentName, choices, onReload }: LinesProps) {
  const { t } = useI18n()
  const scroll = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => linesOf(items), [items])
  const [focused, setFocused] = useState<number | null>(null)
  const used = useUse(handle)
  const policies = useEntity(handle, 'session', state => toolChoices(state).policies)
  const drawn = lines.map((line, index) =>
    line.kind === 'source' ? (
      <SourceLine key={`source ${line.source.sourceId} ${line.governed}`} {...line} onReload={onReload} />
    ) : (
      <ToolLine
        key={line.item.toolId}
        item={factual(line.item, policies)}
        agentName={agentName}
        used={used(line.item)}
        choices={choices}
        onFocus={() => setFocused(index)}
      />
    ),
  )
  if (lines.length <= WINDOWED) {
    return (
      <div className="v-tools-scroll">
        <ul className="v-toolset-lines" aria-label={t('dock.tools')}>
          {drawn.map(line => (
            <li key={line.key}>{line}</li>
          ))}
        </ul>
      </div>
    )
  }
  return (
    <div ref={scroll} className="v-tools-scroll">
      <LineCount value={lines.length}>
        <Virtualizer
          as="ul"
          item={WindowedLine}
          scrollRef={scroll}
          itemSize={LINE}
          // A line with the focus stays in the page when it leaves the view: otherwise the focus would be lost.
          keepMounted={focused === null ? [] : [Math.min(focused, lines.length - 1)]}
        >
          {drawn}
        </Virtualizer>
      </LineCount>
    </div>
  )
}

const LineCount = createContext(0)

/** A line of a list of which only a part is in the page. It says its place in the whole. */
function WindowedLine({ style, index, children, ref }: CustomItemComponentProps) {
  return (
    <li ref={ref as Ref<HTMLLIElement>} style={style} aria-posinset={index + 1} aria-setsize={use(LineCount)}>
      {children}
    </li>
  )
}

/** A choice is a fact of the session before the list with it has come. */
function factual(item: Item, policies: Readonly<Record<string, Policy>>): Item {
  const chosen = Object.hasOwn(policies, item.toolId) ? policies[item.toolId] : undefined
  return chosen && item.governed ? { ...item, policy: chosen, policyFrom: 'session' } : item
}

/** How often tools were called in what is loaded, and how long that took. */
function useUse(handle: SessionHandle): (item: Item) => Use | undefined {
  const count = useEntityValue(handle, 'tools', ({ tools }) => tools.byId.size)
  const active = useEntityValue(handle, 'session', ({ session }) => session.activeRunId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: calls come and runs end, and entities are changed in place.
  const uses = useMemo(() => usesOf(handle.state), [handle, count, active])
  return ({ name }) => uses.get(name)
}

interface Use {
  count: number
  ms: number
  timed: number
  all: boolean
}

export function usesOf(state: SessionState): Map<string, Use> {
  const uses = new Map<string, Use>()
  const all = allLoaded(state)
  for (const { name, startedAt, endedAt, waitedMs } of state.tools.byId.values()) {
    const use = uses.get(name) ?? { count: 0, ms: 0, timed: 0, all }
    use.count++
    if (endedAt !== null) {
      use.timed++
      use.ms += Math.max(0, endedAt - startedAt - waitedMs)
    }
    uses.set(name, use)
  }
  return uses
}

const tones = { ready: undefined, starting: 'busy', failed: 'danger', stopped: 'stopped' } as const

function SourceLine({ source, governed, onReload }: { source: Source; governed: boolean; onReload: () => void }) {
  const { t } = useI18n()
  const { name, kind, health } = source
  const tone = tones[health.state]
  return (
    <div className="v-toolset-source">
      <h3>
        {visible(name)} <span className="v-toolset-kind">{t(`tools.kind.${kind}`)}</span>
      </h3>
      {kind !== 'agent' && (
        <span className="v-toolset-health" data-state={health.state}>
          {tone && <StatusDot tone={tone} />}
          {t(`tools.health.${health.state}`)}
        </span>
      )}
      {!governed && <p>{t('tools.ungovernedHelp', { name: visibleText(name) })}</p>}
      {health.state !== 'ready' && health.state !== 'starting' && (
        <p>
          {health.message ? visible(health.message) : t('tools.health.noWords')}{' '}
          <Button look="link" onClick={onReload}>
            {t('tools.again')}
          </Button>
        </p>
      )}
    </div>
  )
}

const effectIcons = { none: Shapes, reads: Eye, writes: Pencil, outside: Globe }

interface ToolLineProps {
  item: Item
  agentName: string
  used: Use | undefined
  choices: Choices
  onFocus: () => void
}

function ToolLine({ item, agentName, used, choices, onFocus }: ToolLineProps) {
  const { t, duration } = useI18n()
  const { toolId, title, name, description, effects, policy, policyFrom, governed } = item
  const { sending, refused, choose } = choices
  const line = useRef<HTMLDivElement>(null)
  const under = sending.has(toolId)
  const shown = visibleText(title)
  const said: (string | false)[] = [
    under && t('action.sending'),
    !under && governed && policyFrom === 'session' && t('tools.from.session'),
    governed && policyFrom === 'agent' && t('tools.from.agent', { name: agentName }),
    governed && policyFrom === 'mode' && t('tools.from.mode'),
    used !== undefined && usedWords(used, t, duration),
  ]
  const about = said.filter(Boolean).join(' · ')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that something inside it has the focus.
    <div
      ref={line}
      className="v-toolset-line"
      data-off={policy === 'off' || undefined}
      aria-busy={under}
      onFocus={onFocus}
    >
      <span className="v-toolset-tile">
        <Icon of={governed ? effectIcons[effects] : CircleSlash} />
      </span>
      <span className="v-toolset-words">
        <span className="v-toolset-title">
          <span dir="auto" title={shown === name ? undefined : name}>
            {visible(title)}
          </span>
          {effects !== 'none' && governed && <Badge>{t(`tools.effects.${effects}`)}</Badge>}
        </span>
        <span className="v-toolset-about" title={description ? visibleText(description) : undefined}>
          {about && <span>{about}</span>}
          {description && <span dir="auto">{visible(description)}</span>}
        </span>
        {refused?.toolId === toolId && <ProblemNote title={t('tools.notChanged')} problem={refused.problem} />}
      </span>
      {!governed && <Badge>{t('tools.ungoverned')}</Badge>}
      {governed && policyFrom === 'session' && (
        <IconButton
          icon={RotateCcw}
          label={t('tools.back', { name: shown })}
          onClick={() => {
            // The button goes away with what it does.
            line.current?.querySelector<HTMLElement>('input:checked')?.focus()
            choose(item, null)
          }}
        />
      )}
      {governed && (
        <RadioGroup
          look="segments"
          label={t('tools.policy', { name: shown })}
          labelHidden
          value={sending.get(toolId) ?? policy}
          options={(['ask', 'allow', 'off'] as const).map(value => ({
            value,
            label: t(`tools.policy.${value}`),
            hint: t(`tools.about.${value}`),
          }))}
          onChange={value => choose(item, value)}
        />
      )}
    </div>
  )
}

function usedWords({ count, ms, timed, all }: Use, t: I18n['t'], duration: I18n['duration']): string {
  const words = timed > 0 ? t('tools.usedFor', { count, time: duration(ms / timed) }) : t('tools.used', { count })
  return all ? words : t('tools.usedLoaded', { used: words })
}
