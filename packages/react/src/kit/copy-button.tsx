import { useEffect, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { copyText } from './copy-text.ts'
import { Icon } from './icon.tsx'
import { Check, Copy } from './icons.ts'

/** Copies, and says for a moment whether that worked. */
export function CopyButton({ text, label }: { text: () => string; label?: string }) {
  const { t } = useI18n()
  const [result, setResult] = useState<'done' | 'failed' | null>(null)
  const copy = async () => setResult((await copyText(text())) ? 'done' : 'failed')
  const name = result === 'done' ? t('copy.done') : result === 'failed' ? t('copy.failed') : (label ?? t('copy.copy'))
  return (
    <button type="button" className="v-button v-quiet v-copy" onClick={copy} aria-label={name}>
      <Icon of={result === 'done' ? Check : Copy} />
      {result && <Said key={result} words={name} forget={setResult} />}
    </button>
  )
}

/** A part of its own, because a button that nobody has pressed needs no effect. */
function Said({ words, forget }: { words: string; forget: (result: null) => void }) {
  useEffect(() => {
    const timer = setTimeout(forget, 1600, null)
    return () => clearTimeout(timer)
  }, [forget])
  return <span>{words}</span>
}
