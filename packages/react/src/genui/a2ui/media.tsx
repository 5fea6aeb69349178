import type { ReactNode } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { Picture } from '../../kit/picture.tsx'
import { RemoteMedia } from '../../media/remote-media.tsx'
import { accessibilityOf, frame, given, oneOf, text } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

const FITS = ['contain', 'cover', 'none', 'scaleDown'] as const
const VARIANTS = ['icon', 'avatar', 'smallFeature', 'largeFeature', 'header'] as const

/** There is no room for words in these. */
const SMALL: ReadonlySet<string> = new Set(['icon', 'avatar', 'smallFeature'])

/** Draws the medium at an address that is allowed; otherwise says why it is not there. */
function Media({ node, children }: A2uiRendererProps & { children: (url: string) => ReactNode }) {
  const { t } = useI18n()
  const url = given(node, 'url')
  const refused = node.diagnostics.find(({ code }) => code.startsWith('url_'))
  if (refused) return <Diagnostic detail={refused.message}>{t('a2ui.mediaRefused')}</Diagnostic>
  return url ? children(url) : <span className="v-a2-placeholder" />
}

/** Stands in the place of what could not be loaded. */
function NotLoaded({ node }: A2uiRendererProps) {
  const { t } = useI18n()
  const name = accessibilityOf(node).label ?? text(node, 'description')
  return <Diagnostic>{name ? t('a2ui.mediaFailedNamed', { name }) : t('a2ui.mediaFailed')}</Diagnostic>
}

export function Image({ node }: A2uiRendererProps) {
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-image')
  const variant = oneOf(node.props.variant, 'mediumFeature', ...VARIANTS)
  return (
    <Media node={node}>
      {url => (
        <Picture
          {...attributes}
          data-variant={variant}
          data-fit={oneOf(node.props.fit, 'fill', ...FITS)}
          src={url}
          alt={label ?? text(node, 'description')}
          compact={SMALL.has(variant)}
          fallback={<NotLoaded node={node} />}
        />
      )}
    </Media>
  )
}

export function Video({ node }: A2uiRendererProps) {
  return <Media node={node}>{url => <Film node={node} url={url} />}</Media>
}

function Film({ node, url }: A2uiRendererProps & { url: string }) {
  const { t } = useI18n()
  const name = accessibilityOf(node).label ?? text(node, 'description')
  const attributes = frame(node, 'v-a2-bends v-a2-video')
  return (
    <RemoteMedia url={url} kind="video" name={name} className={attributes.className}>
      {(src, onError) => (
        <video
          {...attributes}
          aria-label={name || t('a2ui.video')}
          src={src}
          controls
          preload="metadata"
          playsInline
          onError={onError}
        />
      )}
    </RemoteMedia>
  )
}

export function AudioPlayer({ node }: A2uiRendererProps) {
  return <Media node={node}>{url => <Sound node={node} url={url} />}</Media>
}

function Sound({ node, url }: A2uiRendererProps & { url: string }) {
  const { t } = useI18n()
  const description = text(node, 'description')
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-bends v-a2-audio')
  return (
    <RemoteMedia url={url} kind="audio" name={label ?? description}>
      {(src, onError) => (
        <figure {...attributes}>
          {description && <figcaption>{description}</figcaption>}
          {/* biome-ignore lint/a11y/useMediaCaption: the catalog has no captions; the description is the alternative. */}
          <audio
            aria-label={label ?? (description || t('a2ui.audio'))}
            src={src}
            controls
            preload="metadata"
            onError={onError}
          />
        </figure>
      )}
    </RemoteMedia>
  )
}
