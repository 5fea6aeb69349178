import { useState } from 'react'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Search, X } from '../kit/icons.ts'
import { Keys } from '../kit/keys.tsx'

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
/** The name of the key for shortcuts on this computer, such as ⌘ or Ctrl. */
export const commandKey = mac ? '⌘' : 'Ctrl'
const shift = mac ? '⇧' : 'Shift'
const alt = mac ? '⌥' : 'Alt'

type KeyLine = readonly [keys: readonly string[], words: MessageKey]

/** The keys of the views, in the groups in which they are shown. */
const groups: readonly (readonly [title: MessageKey, lines: readonly KeyLine[]])[] = [
  [
    'keys.write',
    [
      [['↵'], 'keys.send'],
      [[shift, '↵'], 'keys.newline'],
      [[alt, '↑'], 'keys.editQueued'],
      [['Esc', 'Esc'], 'keys.interrupt'],
    ],
  ],
  [
    'keys.read',
    [
      [['J'], 'keys.next'],
      [['K'], 'keys.previous'],
      [['C'], 'keys.copyMessage'],
      [['E'], 'keys.editMessage'],
      [['R'], 'keys.again'],
      [['B'], 'keys.branch'],
    ],
  ],
  [
    'keys.go',
    [
      [[commandKey, 'K'], 'keys.palette'],
      [['F6'], 'keys.regions'],
      [['?'], 'keys.help'],
    ],
  ],
]

/** The list of all keys, in a dialog. `go` has those that the page around the views adds. */
export function KeysHelp({ go = [], onClose }: { go?: readonly KeyLine[]; onClose: () => void }) {
  const { t } = useI18n()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLocaleLowerCase()
  const shown = groups.flatMap(([title, own]) => {
    const lines = (title === 'keys.go' ? [...own.slice(0, 1), ...go, ...own.slice(1)] : own).filter(([keys, words]) =>
      `${t(words)} ${keys.join(' ')}`.toLocaleLowerCase().includes(wanted),
    )
    return lines.length > 0 ? [{ title, lines }] : []
  })
  return (
    <Dialog label={t('keys.title')} className="v-keys" onClose={onClose}>
      <header className="v-dialog-head">
        <h2>{t('keys.title')}</h2>
        <label className="v-search">
          <Icon of={Search} />
          <span className="v-unseen">{t('keys.find')}</span>
          <input
            type="search"
            placeholder={t('keys.find')}
            value={search}
            onChange={event => setSearch(event.target.value)}
          />
        </label>
        <IconButton icon={X} label={t('action.close')} onClick={onClose} />
      </header>
      <div className="v-keys-groups">
        {shown.map(({ title, lines }) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl>
              {lines.map(([keys, words]) => (
                <div key={words}>
                  <dt>{t(words)}</dt>
                  <dd>
                    <Keys of={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {shown.length === 0 && <p className="v-note">{t('keys.none')}</p>}
      </div>
    </Dialog>
  )
}
