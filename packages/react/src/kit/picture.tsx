import { type ComponentProps, type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import type { MediaChoices } from '../media/media-choices.ts'
import { RemoteMedia, RemoteWait } from '../media/remote-media.tsx'
import { useNearView } from '../near-view.ts'

type ImageProps = ComponentProps<'img'> & { src: string; alt: string; 'data-variant'?: string }

type Props = ImageProps & {
  /** Stands in its place when its bytes, which came with it, are no picture. */
  fallback: ReactNode
  /** Space is short: an icon asks for it. */
  compact?: boolean
  /** Nobody is asked for decoration: the fallback stands there until its host is allowed. */
  decoration?: boolean
}

/**
 * A picture of an agent. One whose bytes came with it is shown at once. One from elsewhere is asked for after a click, or
 * when its host is allowed, and comes through our own server (C10).
 */
export function Picture({ src, fallback, compact = false, decoration = false, ...rest }: Props) {
  const { alt, className, 'data-variant': variant } = rest
  const [broken, setBroken] = useState<string>()
  if (broken === src) return fallback
  return (
    <RemoteMedia
      url={src}
      kind="image"
      name={alt}
      compact={compact}
      className={className}
      data-variant={variant}
      {...(decoration && { decoration: fallback })}
    >
      {(source, onError, choices) =>
        source === src || !choices ? (
          <img {...rest} alt={alt} src={src} loading="lazy" decoding="async" onError={() => setBroken(src)} />
        ) : (
          <Loaded {...rest} key={source} alt={alt} src={source} url={src} choices={choices} onFailed={onError} />
        )
      }
    </RemoteMedia>
  )
}

type LoadedProps = ImageProps & {
  /** Where it comes from; `src` is its address on our server. */
  url: string
  choices: MediaChoices
  onFailed: () => void
}

/** Waits until it is near the view and has its turn, so that slow hosts do not take the connections of the page. */
function Loaded({ url, choices, onFailed, alt, ...rest }: LoadedProps) {
  const place = useRef<HTMLSpanElement>(null)
  const near = useNearView(place)
  const [started, setStarted] = useState(false)
  const [loaded, setLoaded] = useState(false)
  const endTurn = useRef(() => {})
  useEffect(() => {
    if (!near) return
    const end = choices.queue(() => setStarted(true))
    endTurn.current = end
    return end
  }, [near, choices])
  const known = choices.size(url)
  const size = known && rest.width === undefined && rest.height === undefined ? known : undefined
  const width = rest.width ?? size?.width
  const height = rest.height ?? size?.height
  const reserved: CSSProperties | undefined =
    width && height ? { aspectRatio: `${width} / ${height}`, inlineSize: `min(100%, ${width}px)` } : undefined
  return (
    <>
      {started && (
        <img
          {...rest}
          {...size}
          alt={alt}
          hidden={!loaded}
          decoding="async"
          onLoad={({ currentTarget }) => {
            endTurn.current()
            choices.loaded(url, currentTarget.naturalWidth, currentTarget.naturalHeight)
            setLoaded(true)
          }}
          onError={() => {
            endTurn.current()
            onFailed()
          }}
        />
      )}
      {!loaded && (
        <span ref={place} className="v-remote-place" style={reserved}>
          <RemoteWait url={url} className={rest.className} data-variant={rest['data-variant']} />
        </span>
      )}
    </>
  )
}
