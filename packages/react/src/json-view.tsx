import type { Json as JsonValue } from '@vitrine/protocol'
import { useState } from 'react'
import { CopyButton } from './copy-button.tsx'
import { useI18n } from './i18n/i18n.tsx'
import { visible } from './visible.tsx'

const PAGE = 50_000

/** A value that is looked at, not used. */
export function Json({ value, label }: { value: JsonValue; label: string }) {
  return <Plain text={JSON.stringify(value, null, 2)} label={label} />
}

/** Text from a tool exactly as it came, a page at a time so that megabytes do not freeze the view. */
export function Plain({ text, label }: { text: string; label: string }) {
  const { t } = useI18n()
  const [shown, setShown] = useState(PAGE)
  return (
    <div className="v-plain">
      {/* biome-ignore lint/a11y/useSemanticElements: it is no form, and a section would be one more landmark. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to. */}
      <div className="v-plain-scroll" role="group" tabIndex={0} aria-label={label}>
        <pre>{visible(text.slice(0, shown))}</pre>
      </div>
      <div className="v-plain-copy">
        <CopyButton text={() => text} />
      </div>
      {text.length > shown && (
        <button type="button" className="v-button v-quiet" onClick={() => setShown(shown + 4 * PAGE)}>
          {t('plain.more', { count: text.length - shown })}
        </button>
      )}
    </div>
  )
}
