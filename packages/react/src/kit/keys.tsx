import { Fragment } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { capsOf } from '../shortcuts.ts'

/** Keys to press together, each as a cap. */
export function Keys({ of }: { of: readonly string[] }) {
  return (
    <span className="v-key-caps">
      {of.map((key, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may have to be pressed twice.
        <kbd key={at}>{key}</kbd>
      ))}
    </span>
  )
}

/** The caps of a shortcut such as `Mod+K`, with a word between those that are pressed one after the other. */
export function Shortcut({ keys }: { keys: string }) {
  const { t } = useI18n()
  return capsOf(keys).map((caps, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same keys may have to be pressed twice.
    <Fragment key={at}>
      {at > 0 && <span className="v-key-then">{t('keys.then')}</span>}
      <Keys of={caps} />
    </Fragment>
  ))
}
