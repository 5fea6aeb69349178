import type { SessionHandle } from '@vitrine/client'
import { searchSessions } from '@vitrine/client/lists'
import type { AgentInfo, SessionSummary } from '@vitrine/protocol'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useAgent, useAgentNames } from '../agents.tsx'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { FileText, Layers, MessageSquare } from '../kit/icons.ts'
import { type Option, OptionList, optionId } from '../kit/option-list.tsx'
import { isEnter } from '../kit/text-input.tsx'
import { keepReference, type Reference, referenceText } from './composer-references.ts'
import { type Trigger, triggerAt } from './composer-trigger.ts'
import { usePageCommands } from './page-commands.tsx'
import { matchCommands } from './palette-match.ts'
import { useSearch } from './search-later.ts'

/** What a composer completes with: the session it belongs to, or on the first screen the agent that was chosen. */
export interface CompletesFrom {
  handle?: SessionHandle
  agentId?: string | undefined
}

interface Completion extends Option {
  words?: string
  /** What it writes into the text, or what it does instead. */
  takes: { insert: string; reference?: Reference } | { run: () => void }
}

const SHOWN = 50
const EDGE = 8
const GAP = 6
const MOST_HEIGHT = 320
const nothing: readonly never[] = []

interface Complete {
  /** For the form around the field. */
  form: { onInput: (event: FormEvent) => void; onKeyUp: (event: KeyboardEvent) => void; onBlur: () => void }
  /** For the field: what a screen reader has to know of the list while it is open. */
  field: Record<string, string | true | undefined>
  /** Sees the keys of the field first, and prevents the default of those that it takes. */
  onKey: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  list: ReactNode
}

/**
 * Completes commands after a slash and references after an @. Nothing is chosen until an arrow or the pointer chooses it,
 * so that Enter goes on to send what was typed.
 */
export function useComplete(from: CompletesFrom, text: string): Complete {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const [found, setTrigger] = useState<Trigger | null>(null)
  // A text that was sent or replaced by somebody else takes its list along.
  const trigger = found && text.startsWith(found.sign + found.word, found.from) ? found : null
  /** Where a list was closed by Escape: it stays closed for that word. */
  const [dismissed, setDismissed] = useState<number | null>(null)
  const [at, setAt] = useState(-1)
  const options = useOptions(dismissed === null || trigger?.from !== dismissed ? trigger : null, from)
  const open = options.length > 0
  const current = open ? options[at] : undefined
  const sign = open ? trigger?.sign : undefined

  useEffect(() => {
    if (sign) announce(t(sign === '/' ? 'complete.commands' : 'complete.references'))
  }, [sign, announce, t])

  const look = (target: EventTarget) => {
    if (!(target instanceof HTMLTextAreaElement)) return
    input.current = target
    const next = target.selectionStart === target.selectionEnd ? triggerAt(target.value, target.selectionStart) : null
    if (next?.sign === trigger?.sign && next?.from === trigger?.from && next?.word === trigger?.word) return
    setAt(-1)
    setTrigger(next)
    if (next?.from !== dismissed) setDismissed(null)
  }
  const take = ({ takes }: Completion) => {
    const element = input.current
    if (!element || !trigger) return
    const insert = 'insert' in takes ? `${takes.insert} ` : ''
    const place = from.handle?.sessionId ?? 'new'
    if ('insert' in takes && takes.reference) keepReference(place, takes.reference, element.value)
    write(element, trigger, insert)
    setTrigger(null)
    if ('run' in takes) takes.run()
  }
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!open || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { key, shiftKey } = event
    const act = (run: () => void) => {
      event.preventDefault()
      run()
    }
    if (key === 'ArrowDown') act(() => setAt((at + 1) % options.length))
    else if (key === 'ArrowUp') act(() => setAt((at <= 0 ? options.length : at) - 1))
    else if (key === 'Tab' && !shiftKey) act(() => take(current ?? options[0]!))
    else if (isEnter(event) && !shiftKey && current) act(() => take(current))
    else if (key === 'Escape') {
      event.stopPropagation()
      act(() => setDismissed(trigger!.from))
    }
  }
  return {
    form: {
      onInput: ({ target }) => look(target),
      onKeyUp: ({ target, key }) => (key === 'Escape' ? undefined : look(target)),
      onBlur: () => setTrigger(null),
    },
    field: open
      ? {
          role: 'combobox',
          'aria-expanded': true,
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': id,
          'aria-activedescendant': current && optionId(id, current),
        }
      : {},
    onKey,
    list: open && (
      <Float beside={input.current}>
        <OptionList
          id={id}
          label={t(trigger?.sign === '/' ? 'complete.commands' : 'complete.references')}
          options={options}
          current={current}
          typed={trigger?.word ?? ''}
          onTake={take}
          onPoint={option => setAt(options.indexOf(option))}
        />
        <p className="v-complete-note">{t('complete.keys')}</p>
      </Float>
    ),
  }
}

/** Writes into the field as if it had been typed, so that undo takes it back. */
function write(element: HTMLTextAreaElement, { from }: Trigger, text: string): void {
  const end = element.selectionStart
  element.focus()
  element.setSelectionRange(from, end)
  if (document.execCommand(text ? 'insertText' : 'delete', false, text)) return
  element.setRangeText(text, from, end, 'end')
  element.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** A list above the box in which somebody writes, or below it where there is more room. */
function Float({ beside, children }: { beside: HTMLElement | null; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  const form = beside?.closest('form')
  useLayoutEffect(() => {
    if (element.current && form) place(element.current, form)
  })
  useEffect(() => {
    if (!form) return
    // The box moves without being drawn again when the window is turned or resized, or the keyboard of a phone opens.
    let frame = 0
    const follow = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => element.current && place(element.current, form))
    }
    const sizes = new ResizeObserver(follow)
    sizes.observe(form)
    window.addEventListener('resize', follow)
    window.visualViewport?.addEventListener('resize', follow)
    return () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      window.removeEventListener('resize', follow)
      window.visualViewport?.removeEventListener('resize', follow)
    }
  }, [form])
  return (
    <div ref={element} popover="manual" className="v-complete">
      {children}
    </div>
  )
}

function place(float: HTMLElement, form: HTMLElement): void {
  const box = form.getBoundingClientRect()
  if (!float.matches(':popover-open')) float.showPopover()
  const view = window.visualViewport
  const bottom = (view?.offsetTop ?? 0) + (view?.height ?? innerHeight)
  const above = box.top - GAP - EDGE
  const below = bottom - box.bottom - GAP - EDGE
  const up = above >= Math.min(below, MOST_HEIGHT)
  float.style.maxHeight = `${Math.max(96, Math.min(MOST_HEIGHT, up ? above : below))}px`
  float.style.width = `${box.width}px`
  const rtl = getComputedStyle(float).direction === 'rtl'
  float.style.left = `${rtl ? box.right - float.offsetWidth : box.left}px`
  float.style.top = `${Math.max(EDGE, up ? box.top - GAP - float.offsetHeight : box.bottom + GAP)}px`
}

function useOptions(trigger: Trigger | null, { handle, agentId }: CompletesFrom): readonly Completion[] {
  const known = handle?.state.session.agentId
  const agent = useAgent(known?.known ? known.value : agentId)
  const commands = useCommands(trigger?.sign === '/', agent)
  const references = useReferences(trigger?.sign === '@', trigger?.word ?? '', handle)
  const all = trigger?.sign === '@' ? references : commands
  const word = trigger?.word
  return useMemo(() => (word === undefined ? nothing : matchCommands(all, word).slice(0, SHOWN)), [all, word])
}

/** The commands of the agent, then those of the page. */
function useCommands(wanted: boolean, agent: AgentInfo | undefined): readonly Completion[] {
  const { t } = useI18n()
  const page = usePageCommands()
  return useMemo(() => {
    if (!wanted) return nothing
    const ofAgent = (agent?.commands ?? []).map(({ name, description, argument }) => ({
      id: `command-${name}`,
      label: argument ? `/${name} [${argument}]` : `/${name}`,
      group: agent!.name,
      agentId: agent!.agentId,
      takes: { insert: `/${name}` },
      ...(description && { detail: description, words: description }),
    }))
    const ofPage = page().map(({ run, ...command }) => ({ ...command, group: t('complete.page'), takes: { run } }))
    return [...ofAgent, ...ofPage]
  }, [wanted, agent, page, t])
}

/** Sessions, and what the open session has: artifacts, and the files that came with its turns. */
function useReferences(wanted: boolean, word: string, handle: SessionHandle | undefined): readonly Completion[] {
  const { t, ago } = useI18n()
  const { client } = useVitrine()
  const agentName = useAgentNames()
  const findByTitle = useCallback((text: string) => searchSessions(client, text), [client])
  const elsewhere = useSearch(wanted ? word : '', wanted ? findByTitle : undefined)
  const option = useCallback(
    (reference: Reference, group: string, rest: Partial<Completion>): Completion => ({
      ...rest,
      id: `${reference.kind}-${reference.ref}`,
      label: reference.title,
      group,
      takes: { insert: referenceText(reference), reference },
    }),
    [],
  )
  return useMemo(() => {
    if (!wanted) return nothing
    const { state } = handle ?? {}
    const found: Completion[] = []
    for (const { artifactId, facts, deleted } of state?.artifacts.byId.values() ?? []) {
      if (deleted || !facts.title) continue
      const reference = { kind: 'artifact' as const, ref: artifactId, title: line(facts.title) }
      found.push(option(reference, t('complete.artifacts'), { icon: Layers }))
    }
    const files = new Map<string, string>()
    for (const { input } of state?.turns.byId.values() ?? []) {
      for (const { digest, name } of input.files ?? []) if (name) files.set(digest, name)
    }
    for (const { file } of state?.parts.byId.values() ?? []) if (file?.name) files.set(file.digest, file.name)
    for (const [ref, title] of files) {
      found.push(option({ kind: 'file', ref, title: line(title) }, t('complete.files'), { icon: FileText }))
    }
    const listed = client.sessions.get().sessions
    const others = (elsewhere?.found ?? []).filter(row => !listed.some(({ sessionId }) => sessionId === row.sessionId))
    for (const row of [...listed, ...others] as SessionSummary[]) {
      if (row.deleted || row.sessionId === handle?.sessionId || !row.title) continue
      const detail = `${agentName(row.agentId)} · ${ago(row.updatedAt, Date.now())}`
      const reference = { kind: 'session' as const, ref: row.sessionId, title: line(row.title) }
      found.push(option(reference, t('complete.sessions'), { icon: MessageSquare, detail, agentId: row.agentId }))
    }
    return found
  }, [wanted, handle, elsewhere, client, agentName, ago, t, option])
}

/** A title as it stands in a text: on one line, and not longer than is good to read. */
const line = (title: string): string => title.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
