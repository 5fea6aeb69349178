import type { Outcome } from '@vitrine/client'
import { useId, useMemo, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { Search } from '../kit/icons.ts'
import { Keys } from '../kit/keys.tsx'
import { type Option, OptionList, optionId } from '../kit/option-list.tsx'
import { isEnter } from '../kit/text-input.tsx'
import { capsOf } from '../shortcuts.ts'
import { countUse, matchCommands, mostUsed, readUsed } from './palette-match.ts'
import { useSearch } from './search-later.ts'

/** Something a person can do, by name. */
export interface PaletteCommand extends Option {
  /** Other words it is found by. */
  words?: string
  run: () => void
  /** Opens it beside what is open, in a tab. */
  runBeside?: () => void
}

const SHOWN = 60
const OFTEN = 4

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
  const elsewhere = useSearch(search, find, true)
  const asked = elsewhere?.found
  const found = useMemo(() => {
    const used = readUsed()
    if (!search.trim()) {
      const often = mostUsed(commands, used, OFTEN)
      return grouped([
        ...often.map(command => ({ ...command, group: t('palette.often') })),
        ...without(commands, often),
      ])
    }
    const matches = matchCommands(commands, search, used)
    const here = new Set(commands.map(command => command.id))
    // What was found elsewhere comes last, so that nothing moves under the hand that is about to choose.
    const all = [...matches, ...(asked ?? []).filter(command => !here.has(command.id))].slice(0, SHOWN)
    return grouped(all)
  }, [commands, search, asked, t])
  const current = found[Math.min(at, found.length - 1)]
  const run = (command: PaletteCommand | undefined, beside = false) => {
    if (!command) return
    countUse(command.id)
    onClose()
    if (beside && command.runBeside) command.runBeside()
    else command.run()
  }
  return (
    <Dialog label={t('palette.label')} className="v-palette" onClose={onClose}>
      <div className="v-palette-search">
        <Icon of={Search} />
        <input
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={current && optionId(id, current)}
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
              run(current, event.ctrlKey || event.metaKey)
            }
          }}
        />
        <kbd aria-hidden>Esc</kbd>
      </div>
      <OptionList
        id={id}
        label={t('palette.label')}
        options={found}
        current={current}
        typed={search}
        onTake={command => run(command)}
        onPoint={command => setAt(found.indexOf(command))}
      />
      {elsewhere?.state === 'searching' && (
        <p className="v-panel-empty" role="status">
          {t('sessions.searching')}
        </p>
      )}
      {elsewhere?.state === 'failed' && (
        <p className="v-panel-empty" role="status">
          {t('sessions.searchFailed', { reason: problemWords(t, elsewhere.problem) })}
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
        {found.some(({ runBeside }) => runBeside) && (
          <span>
            <Keys of={capsOf('Mod+Enter')[0]!} /> {t('palette.beside')}
          </span>
        )}
        <span>
          <Keys of={['?']} /> {t('keys.help')}
        </span>
      </footer>
    </Dialog>
  )
}

/** In the order in which they are shown: what belongs together stands together. */
const grouped = (commands: readonly PaletteCommand[]): PaletteCommand[] =>
  [...Map.groupBy(commands, ({ group }) => group).values()].flat()

const without = (commands: readonly PaletteCommand[], some: readonly PaletteCommand[]) =>
  commands.filter(command => !some.includes(command))
