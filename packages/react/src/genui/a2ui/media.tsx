import type { ReactNode } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { Picture, useFailed } from '../../kit/picture.tsx'
import { accessibilityOf, frame, given, oneOf, text } from './props.ts'
import type { A2uiRendererProps } from './view.ts'

const FITS = ['contain', 'cover', 'fill', 'none', 'scaleDown'] as const
const VARIANTS = ['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header'] as const

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
  const variant = oneOf(node.props.variant, 'plain', ...VARIANTS)
  return (
    <Media node={node}>
      {url => (
        <Picture
          {...attributes}
          data-variant={variant}
          data-fit={oneOf(node.props.fit, variant === 'plain' ? 'contain' : 'cover', ...FITS)}
          src={url}
          alt={label ?? text(node, 'description')}
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
  const [failed, onError] = useFailed(url)
  if (failed) return <NotLoaded node={node} />
  return (
    <video
      {...frame(node, 'v-a2-video')}
      aria-label={accessibilityOf(node).label ?? (text(node, 'description') || t('a2ui.video'))}
      src={url}
      controls
      preload="metadata"
      playsInline
      onError={onError}
    />
  )
}

export function AudioPlayer({ node }: A2uiRendererProps) {
  return <Media node={node}>{url => <Sound node={node} url={url} />}</Media>
}

function Sound({ node, url }: A2uiRendererProps & { url: string }) {
  const { t } = useI18n()
  const [failed, onError] = useFailed(url)
  const description = text(node, 'description')
  const { 'aria-label': label, ...attributes } = frame(node, 'v-a2-audio')
  if (failed) return <NotLoaded node={node} />
  return (
    <figure {...attributes}>
      {description && <figcaption>{description}</figcaption>}
      {/* biome-ignore lint/a11y/useMediaCaption: the catalog has no captions; the description is the alternative. */}
      <audio
        aria-label={label ?? (description || t('a2ui.audio'))}
        src={url}
        controls
        preload="metadata"
        onError={onError}
      />
    </figure>
  )
}
