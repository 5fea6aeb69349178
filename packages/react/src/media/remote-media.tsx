import { type ReactNode, useEffect, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { AudioLines, Film, Image, ImageOff } from '../kit/icons.ts'
import { OutsideLink } from '../kit/outside-link.tsx'
import { withClass } from '../kit/with-class.ts'
import { visible } from '../visible.tsx'
import { hostOf, type MediaChoices, type MediaKind } from './media-choices.ts'
import { useMediaChoices } from './media-context.ts'

/** Addresses whose bytes are in them, or on this page. */
const INLINE = /^(?:data|blob):/i

export interface RemoteMediaProps {
  url: string
  kind: MediaKind
  /** What the medium shows, in words of the agent. */
  name: string
  /** Space is short: an icon stands for it. */
  compact?: boolean
  /** It is decoration: nobody is asked, and this stands there until its host is allowed. */
  decoration?: ReactNode
  /** The place in which it stands has these, whatever stands there. */
  className?: string | undefined
  'data-variant'?: string | undefined
  /** Draws the medium from an address of our own server, or from bytes that are there. */
  children: (src: string, onError: () => void, choices: MediaChoices | null) => ReactNode
}

/** A medium from elsewhere: it is asked for after a click, or when its host is allowed, and then through our server. */
export function RemoteMedia({ url, kind, name, compact, decoration, children, ...place }: RemoteMediaProps) {
  const choices = useMediaChoices()
  const [failed, setFailed] = useState<string>()
  const inline = INLINE.test(url)
  useEffect(() => {
    if (!inline) choices?.load()
  }, [choices, inline])
  const src = inline ? url : (choices?.source(url, kind) ?? null)
  if (src !== null && failed !== src) return children(src, () => setFailed(src), choices)
  if (decoration !== undefined) return decoration
  const show = choices
    ? () => {
        setFailed(undefined)
        choices.show(url)
      }
    : undefined
  const allow = choices && !failed ? () => choices.allow(hostOf(url)) : undefined
  if (inline) return null
  const ask = { ...place, url, kind, name, compact, failed: failed !== undefined, show, allow }
  return <Ask {...ask} />
}

interface AskProps {
  url: string
  kind: MediaKind
  name: string
  compact?: boolean | undefined
  className?: string | undefined
  'data-variant'?: string | undefined
  failed: boolean
  show: (() => void) | undefined
  allow: (() => void) | undefined
}

const icons = { image: Image, video: Film, audio: AudioLines }

/** Stands in the place of a medium that nobody has asked for, or that could not be loaded. */
function Ask({ url, kind, name, compact, className, failed, show, allow, ...place }: AskProps) {
  const { t } = useI18n()
  const host = hostOf(url)
  if (compact) {
    const label = t(failed ? `media.failed.${kind}` : `media.showFrom.${kind}`, { host })
    const all = withClass('v-remote v-remote-compact', className)
    return <IconButton {...place} className={all} icon={failed ? ImageOff : icons[kind]} label={label} onClick={show} />
  }
  return (
    <span {...place} className={withClass('v-remote', className)} data-state={failed ? 'failed' : 'asks'}>
      <Icon of={failed ? ImageOff : icons[kind]} />
      <span className="v-remote-words">
        {name && (
          <span className="v-remote-name" dir="auto">
            {visible(name)}
          </span>
        )}
        <span className="v-remote-host">{t(failed ? `media.failed.${kind}` : `media.from.${kind}`, { host })}</span>
      </span>
      <span className="v-remote-actions">
        {show && (
          <Button title={t(failed ? `media.failed.${kind}` : `media.showFrom.${kind}`, { host })} onClick={show}>
            {failed ? t('action.tryAgain') : t(`media.show.${kind}`)}
          </Button>
        )}
        {allow && (
          <Button look="quiet" onClick={allow}>
            {t('media.always', { host })}
          </Button>
        )}
        {(failed || !show) && <OutsideLink href={url}>{t('media.openOutside')}</OutsideLink>}
      </span>
    </span>
  )
}

/** Keeps the place of a picture while it loads. */
export function RemoteWait({ url, className, ...place }: Pick<AskProps, 'url' | 'className' | 'data-variant'>) {
  const { t } = useI18n()
  return (
    <span {...place} className={withClass('v-remote', className)} data-state="loading">
      <Icon of={Image} />
      <span className="v-remote-words">
        <span className="v-remote-host">{t('media.loading.image', { host: hostOf(url) })}</span>
      </span>
    </span>
  )
}
