import { type ReactNode, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from './node.tsx'
import { accessibilityOf, frame, given, oneOf, text } from './props.ts'
import type { RendererProps } from './view.ts'

const FITS = ['contain', 'cover', 'fill', 'none', 'scaleDown'] as const
const VARIANTS = ['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header'] as const

/** Draws the medium, or says why it is not there. */
function Media({ node, children }: RendererProps & { children: (failed: () => void, url: string) => ReactNode }) {
  const { t } = useI18n()
  const url = given(node, 'url')
  const [failed, setFailed] = useState('')
  const refused = node.diagnostics.find(({ code }) => code === 'blocked_url')
  if (refused) return <Diagnostic text={t('a2ui.mediaRefused')} detail={refused.message} />
  if (!url) return <span className="v-a2-placeholder" />
  if (failed === url) {
    const name = accessibilityOf(node).label ?? text(node, 'description')
    return <Diagnostic text={name ? t('a2ui.mediaFailedNamed', { name }) : t('a2ui.mediaFailed')} />
  }
  return children(() => setFailed(url), url)
}

export function Image({ node }: RendererProps) {
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-image')
  const variant = oneOf(node.props.variant, 'plain', ...VARIANTS)
  return (
    <Media node={node}>
      {(failed, url) => (
        <img
          {...attributes}
          data-variant={variant}
          data-fit={oneOf(node.props.fit, variant === 'plain' ? 'contain' : 'cover', ...FITS)}
          src={url}
          alt={label ?? text(node, 'description')}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={failed}
        />
      )}
    </Media>
  )
}

export function Video({ node }: RendererProps) {
  const { t } = useI18n()
  const description = text(node, 'description')
  return (
    <Media node={node}>
      {(failed, url) => (
        <video
          {...frame(node, 'v-a2-video')}
          aria-label={accessibilityOf(node).label ?? (description || t('a2ui.video'))}
          src={url}
          controls
          preload="metadata"
          playsInline
          onError={failed}
        />
      )}
    </Media>
  )
}

export function AudioPlayer({ node }: RendererProps) {
  const { t } = useI18n()
  const description = text(node, 'description')
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-audio')
  return (
    <Media node={node}>
      {(failed, url) => (
        <figure {...attributes}>
          {description && <figcaption>{description}</figcaption>}
          {/* biome-ignore lint/a11y/useMediaCaption: the catalog has no captions; the description is the alternative. */}
          <audio
            aria-label={label ?? (description || t('a2ui.audio'))}
            src={url}
            controls
            preload="metadata"
            onError={failed}
          />
        </figure>
      )}
    </Media>
  )
}
