import { useI18n } from '../i18n/i18n.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { visible } from '../visible.tsx'

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const { t } = useI18n()
  return (
    <figure className="v-code">
      <figcaption>
        <span className="v-code-language">{language || t('markdown.code')}</span>
        <CopyButton text={() => code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must be able to. */}
      <pre tabIndex={0}>
        <code>{visible(code)}</code>
      </pre>
    </figure>
  )
}
