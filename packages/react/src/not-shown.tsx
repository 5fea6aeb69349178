import { Text } from '@vitrine/protocol'
import { useI18n } from './i18n/i18n.tsx'
import { Disclosure } from './kit/disclosure.tsx'
import { Icon } from './kit/icon.tsx'
import { CircleAlert } from './kit/icons.ts'
import { PlainText } from './kit/plain-text.tsx'

/** An honest "could not be shown", with what came on demand. */
export function NotShown({ raw }: { raw: () => unknown }) {
  const { t } = useI18n()
  return (
    <div className="v-not-shown" role="note">
      <p>
        <Icon of={CircleAlert} />
        <span>{t('notShown.label')}</span>
      </p>
      <Disclosure summary={t('notShown.raw')}>
        {() => <PlainText text={textOf(raw)} label={t('notShown.raw')} />}
      </Disclosure>
    </div>
  )
}

/** Anything as text: it may be cyclic or no JSON at all. */
export function textOf(read: () => unknown): string {
  let raw: unknown
  try {
    raw = read()
    return typeof raw === 'string' ? raw : (JSON.stringify(raw, plain, 2) ?? String(raw))
  } catch {
    return String(raw)
  }
}

/** Entities of a session hold texts, sets and maps, which JSON would leave out. */
function plain(_name: string, value: unknown): unknown {
  if (value instanceof Text) return value.toString()
  return value instanceof Map || value instanceof Set ? [...value] : value
}
