import Search from 'lucide-react/icons/search'
import { useId, useMemo, useState } from 'react'
import { Dialog } from '../dialog.tsx'
import { useI18n } from '../i18n/i18n.tsx'

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

/** Every command, found by typing. */
export function Palette({ commands, onClose }: { commands: readonly PaletteCommand[]; onClose: () => void }) {
  const { t } = useI18n()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const found = useMemo(() => matchCommands(commands, search).slice(0, SHOWN), [commands, search])
  const current = found[Math.min(at, found.length - 1)]
  const run = (command: PaletteCommand | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  return (
    <Dialog label={t('palette.label')} className="v-palette" onClose={onClose}>
      <div className="v-palette-search">
        <Search aria-hidden />
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
            } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
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
            <span className="v-palette-label">{command.label}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="v-panel-empty">{t('palette.empty')}</p>}
    </Dialog>
  )
}

/** All words must occur; names that begin with what was typed come first. */
export function matchCommands(commands: readonly PaletteCommand[], search: string): PaletteCommand[] {
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
