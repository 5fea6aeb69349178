import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { useI18n } from './i18n/i18n.tsx'

/** Copies, and says for a moment whether that worked. */
export function CopyButton({ text, label }: { text: () => string; label?: string }) {
  const { t } = useI18n()
  const [result, setResult] = useState<'done' | 'failed' | null>(null)
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(null), 1600)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    navigator.clipboard
      ? navigator.clipboard.writeText(text()).then(
          () => setResult('done'),
          () => setResult('failed'),
        )
      : setResult('failed')
  const name = result === 'done' ? t('copy.done') : result === 'failed' ? t('copy.failed') : (label ?? t('copy.copy'))
  return (
    <button type="button" className="v-button v-quiet v-copy" onClick={copy} title={name} aria-label={name}>
      {result === 'done' ? <Check aria-hidden /> : <Copy aria-hidden />}
      {result && <span>{name}</span>}
    </button>
  )
}
