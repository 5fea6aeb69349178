import { searchTest } from '@vitrine/protocol'
import { useState } from 'react'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Search, X } from '../kit/icons.ts'
import { Shortcut } from '../kit/keys.tsx'
import { keyWords } from '../shortcuts.ts'

/** The keys of the views. What acts on a key asks this table, and the list of keys is made of it. */
export const viewKeys = {
  send: 'Enter',
  newline: 'Shift+Enter',
  commands: '/',
  references: '@',
  recall: 'ArrowUp',
  editQueued: 'Alt+ArrowUp',
  interrupt: 'Escape Escape',
  next: 'J',
  previous: 'K',
  copy: 'C',
  branch: 'B',
  edit: 'E',
  again: 'R',
  move: 'M',
  find: '/',
  stopTask: 'S',
  retryTask: 'R',
  // No browser uses this one, and it works while somebody writes.
  toRequest: 'F8',
  toolMode: 'Shift+F8',
  allow: 'Y',
  deny: 'N',
  nextFile: 'F',
  previousFile: 'Shift+F',
  choose: '1',
  submit: 'Mod+Enter',
} as const

/** One line of the list: shortcuts that belong together, and what they do. */
export type KeyLine = readonly [keys: readonly string[], words: MessageKey]

const groups: readonly (readonly [title: MessageKey, lines: readonly KeyLine[]])[] = [
  [
    'keys.write',
    [
      [[viewKeys.send], 'keys.send'],
      [[viewKeys.newline], 'keys.newline'],
      [[viewKeys.commands], 'keys.complete'],
      [[viewKeys.references], 'keys.refer'],
      [[viewKeys.recall], 'keys.recall'],
      [[viewKeys.editQueued], 'keys.editQueued'],
      [[viewKeys.interrupt], 'keys.interrupt'],
      [[viewKeys.toolMode], 'keys.toolMode'],
    ],
  ],
  [
    'keys.read',
    [
      [[viewKeys.next, viewKeys.previous], 'keys.walk'],
      [[viewKeys.copy], 'keys.copyMessage'],
      [[viewKeys.branch], 'keys.branch'],
      [[viewKeys.edit], 'keys.editMessage'],
      [[viewKeys.again], 'keys.again'],
    ],
  ],
  [
    'keys.lists',
    [
      [[viewKeys.move], 'keys.move'],
      [[viewKeys.find], 'keys.search'],
      [[viewKeys.stopTask, viewKeys.retryTask], 'keys.tasks'],
    ],
  ],
  [
    'keys.answer',
    [
      [[viewKeys.toRequest], 'keys.toRequest'],
      [[viewKeys.allow], 'keys.allow'],
      [[viewKeys.deny], 'keys.deny'],
      [[viewKeys.nextFile, viewKeys.previousFile], 'keys.files'],
      [[viewKeys.choose], 'keys.choose'],
      [[viewKeys.submit], 'keys.submit'],
    ],
  ],
]

/** The list of all keys, in a dialog. `go` has those of the page around the views. */
export function KeysHelp({ go = [], onClose }: { go?: readonly KeyLine[]; onClose: () => void }) {
  const { t } = useI18n()
  const [search, setSearch] = useState('')
  const hasAll = searchTest(search)
  const shown = [...groups, ['keys.go', go] as const].flatMap(([title, all]) => {
    const lines = all.filter(([keys, words]) => hasAll(`${t(words)} ${keys.map(keyWords).join(' ')}`))
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
                    {keys.map(shortcut => (
                      <Shortcut key={shortcut} keys={shortcut} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {shown.length === 0 && <p className="v-note">{t('keys.none')}</p>}
      </div>
      <p className="v-keys-note">{t('keys.lettersNote')}</p>
    </Dialog>
  )
}
