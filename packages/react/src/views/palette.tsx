import type { Outcome } from '@vitrine/client'
import { useId, useMemo, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { Search } from '../kit/icons.ts'
import { isEnter } from '../kit/text-input.tsx'
import { visible } from '../visible.tsx'
import { useSearch } from './search-later.ts'

/** Something a person can do, by name. */
export interface PaletteCommand {
  id: string
  label: string
  group: string
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
    return [...matches, ...(asked ?? []).filter(command => !here.has(command.id))].slice(0, SHOWN)
  }, [commands, search, asked])
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
            } else if (isEnter(event)) {
              event.preventDefault()
              run(current)
            }
          }}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.label')} className="v-palette-list">
        {found.map((command, index) => (
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
            onPointerMove={() => index !== at && setAt(index)}
          >
            <span className="v-palette-group">{command.group}</span>
            <span className="v-palette-label">{visible(command.label)}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
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
    </Dialog>
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
