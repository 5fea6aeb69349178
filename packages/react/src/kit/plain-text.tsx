import type { Json } from '@vitrine/protocol'
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { maskSecrets } from '../mask-secrets.ts'
import { visible } from '../visible.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

const PAGE = 50_000

/** A value that is looked at, not used. */
export function JsonText({ value, label }: { value: Json; label: string }) {
  return <PlainText text={JSON.stringify(value, null, 2)} label={label} />
}

/** Keeps the end of a text in view while it grows, until the person scrolls away from it. */
function useFollow(follow: boolean, length: number): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || !follow) return
    const look = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24
    }
    element.addEventListener('scroll', look)
    return () => element.removeEventListener('scroll', look)
  }, [follow])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text has grown, so that its end is further down.
  useLayoutEffect(() => {
    if (follow && atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [follow, length])
  return box
}

/**
 * Text from a tool as it came, with secrets masked until somebody asks for them, and a page at a time so that megabytes
 * do not freeze the view. The end of a text that grows is followed.
 */
export function PlainText({ text, label, follow = false }: { text: string; label: string; follow?: boolean }) {
  const { t } = useI18n()
  const [shown, setShown] = useState(PAGE)
  const [open, setOpen] = useState(false)
  // Of a text that grows the newest part counts.
  const page = follow ? text.slice(-shown) : text.slice(0, shown)
  const masked = useMemo(() => maskSecrets(page), [page])
  const box = useFollow(follow, text.length)
  return (
    <div className="v-plain">
      {/* biome-ignore lint/a11y/useSemanticElements: it is no form, and a section would be one more landmark. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to. */}
      <div className="v-plain-scroll" ref={box} role="group" tabIndex={0} aria-label={label}>
        <pre>{visible(open ? page : masked)}</pre>
      </div>
      <div className="v-plain-copy">
        <CopyButton text={() => (open ? text : maskSecrets(text))} />
      </div>
      {masked !== page && (
        <p className="v-note">
          {t(open ? 'plain.secretsShown' : 'plain.secretsMasked')}{' '}
          <Button look="quiet" onClick={() => setOpen(!open)}>
            {t(open ? 'plain.maskSecrets' : 'plain.showSecrets')}
          </Button>
        </p>
      )}
      {text.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + 4 * PAGE)}>
          {t('plain.more', { count: text.length - shown })}
        </Button>
      )}
    </div>
  )
}
