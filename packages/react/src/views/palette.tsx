import type { Outcome } from '@vitrine/client'
import { Fragment, type ReactNode, useId, useMemo, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon, type IconData } from '../kit/icon.tsx'
import { Search } from '../kit/icons.ts'
import { Keys } from '../kit/keys.tsx'
import { isEnter } from '../kit/text-input.tsx'
import { visible } from '../visible.tsx'
import { useSearch } from './search-later.ts'

/** Something a person can do, by name. */
export interface PaletteCommand {
  id: string
  label: string
  /** The heading it stands below. */
  group: string
  icon?: IconData
  /** Other words it is found by. */
  words?: string
  keys?: string
  run: () => void
}

const SHOWN = 60

interface Props {
  commands: readonly PaletteCommand[]
  /** Commands that are not at hand and must be asked for. Keeps its identity between renders. */
  find?: (text: string) => Promise<Outcome<PaletteCommand[]>>
  onClose: () => void
}

/** Every command, found by typing. */
export function Palette({ commands, find, onClose }: Props) {
  const { t } = useI18n()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const elsewhere = useSearch(search, find)
  const asked = elsewhere?.found
  const found = useMemo(() => {
    const matches = matchCommands(commands, search)
    const here = new Set(commands.map(command => command.id))
    // What was found elsewhere comes last, so that nothing moves under the hand that is about to choose.
    const all = [...matches, ...(asked ?? []).filter(command => !here.has(command.id))].slice(0, SHOWN)
    return [...Map.groupBy(all, ({ group }) => group).values()].flat()
  }, [commands, search, asked])
  const groups = Map.groupBy(found, ({ group }) => group)
  const current = found[Math.min(at, found.length - 1)]
  const run = (command: PaletteCommand | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  return (
    <Dialog label={t('palette.label')} className="v-palette" onClose={onClose}>
      <div className="v-palette-search">
        <Icon of={Search} />
        <input
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${current.id}` : undefined}
          aria-label={t('palette.search')}
          placeholder={t('palette.search')}
          value={search}
          autoFocus
          onChange={event => {
            setSearch(event.target.value)
            setAt(0)
          }}
          onKeyDown={event => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault()
              const next = at + (event.key === 'ArrowDown' ? 1 : -1)
              setAt((next + found.length) % Math.max(1, found.length))
            } else if (event.key === 'Escape' && search) {
              // The first press clears what was typed, the second one closes.
              event.preventDefault()
              event.stopPropagation()
              setSearch('')
              setAt(0)
            } else if (isEnter(event)) {
              event.preventDefault()
              run(current)
            }
          }}
        />
        <kbd aria-hidden>Esc</kbd>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.label')} className="v-palette-list">
        {[...groups].map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset.
          <div key={group} role="group" aria-label={group}>
            <div className="v-palette-group" aria-hidden>
              {group}
            </div>
            {members.map(command => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above handles the keys, as the pattern asks.
              <div
                key={command.id}
                id={`${id}-${command.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={command === current}
                ref={element => {
                  if (element && command === current) element.scrollIntoView({ block: 'nearest' })
                }}
                className="v-palette-item"
                onClick={() => run(command)}
                onPointerMove={() => command !== current && setAt(found.indexOf(command))}
              >
                {command.icon && <Icon of={command.icon} />}
                <span className="v-palette-label" dir="auto">
                  {marked(command.label, search)}
                </span>
                {command.keys && <Keys of={command.keys.split(' ')} />}
              </div>
            ))}
          </div>
        ))}
      </div>
      {elsewhere?.state === 'searching' && (
        <p className="v-panel-empty" role="status">
          {t('sessions.searching')}
        </p>
      )}
      {elsewhere?.state === 'failed' && (
        <p className="v-panel-empty" role="status">
          {t('sessions.searchFailed', { reason: elsewhere.reason })}
        </p>
      )}
      {found.length === 0 && elsewhere?.state !== 'searching' && <p className="v-panel-empty">{t('palette.empty')}</p>}
      <footer className="v-palette-foot" aria-hidden>
        <span>
          <Keys of={['↑', '↓']} /> {t('palette.move')}
        </span>
        <span>
          <Keys of={['↵']} /> {t('palette.run')}
        </span>
        <span>
          <Keys of={['?']} /> {t('keys.help')}
        </span>
      </footer>
    </Dialog>
  )
}

/** The label with what was typed in bold. */
function marked(label: string, search: string): ReactNode {
  const words = search.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return visible(label)
  const found = new RegExp(`(${words.map(word => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'giu')
  // Every second piece is one that was found.
  return label.split(found).map((piece, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a label have no other identity than their place.
    at % 2 === 1 ? <b key={at}>{visible(piece)}</b> : <Fragment key={at}>{visible(piece)}</Fragment>,
  )
}

/** All words must occur; names that begin with what was typed come first. */
function matchCommands(commands: readonly PaletteCommand[], search: string): PaletteCommand[] {
  const text = search.trim().toLocaleLowerCase()
  const words = text.split(/\s+/).filter(Boolean)
  const rank = ({ label }: PaletteCommand) => (label.toLocaleLowerCase().startsWith(text) ? 0 : 1)
  return commands
    .filter(({ label, group, words: more = '' }) => {
      const all = `${label} ${group} ${more}`.toLocaleLowerCase()
      return words.every(word => all.includes(word))
    })
    .sort((a, b) => (text ? rank(a) - rank(b) : 0))
}
