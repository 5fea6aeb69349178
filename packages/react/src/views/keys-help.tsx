import { createElement, Fragment } from 'react'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Dialog } from '../kit/dialog.tsx'

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
/** The name of the key for shortcuts on this computer, such as ⌘ or Ctrl. */
export const commandKey = mac ? '⌘' : 'Ctrl'

const keys: readonly [readonly string[], MessageKey][] = [
  [['Enter'], 'keys.send'],
  [['Shift', 'Enter'], 'keys.newline'],
  [[commandKey, 'K'], 'keys.palette'],
  [['Esc', 'Esc'], 'keys.interrupt'],
  [['Alt', '↑'], 'keys.editQueued'],
  [['J'], 'keys.next'],
  [['K'], 'keys.previous'],
  [['C'], 'keys.copyMessage'],
  [['E'], 'keys.editMessage'],
  [['R'], 'keys.again'],
  [['B'], 'keys.branch'],
  [['?'], 'keys.help'],
]

/** The list of all keys, in a dialog. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const { t } = useI18n()
  return (
    <Dialog label={t('keys.title')} title={t('keys.title')} onClose={onClose}>
      <dl className="v-keys">
        {keys.map(([combination, key]) => (
          <div key={key}>
            <dt>{createElement(Fragment, null, ...combination.map(name => createElement('kbd', null, name)))}</dt>
            <dd>{t(key)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
