import { type ComponentProps, type ReactNode, useState } from 'react'

/** Whether the medium at an address could not be loaded, and the listener that finds out. */
export function useFailed(url: string): [failed: boolean, onError: () => void] {
  const [failed, setFailed] = useState<string>()
  return [failed === url, () => setFailed(url)]
}

type Props = ComponentProps<'img'> & {
  src: string
  /** Stands in its place when it cannot be loaded. */
  fallback: ReactNode
}

/** A picture from elsewhere: loaded when it comes near, and its server does not learn on which page it is shown. */
export function Picture({ src, fallback, ...rest }: Props) {
  const [failed, onError] = useFailed(src)
  if (failed) return fallback
  return (
    // biome-ignore lint/a11y/useAltText: whoever draws the picture gives its alternative.
    <img {...rest} src={src} loading="lazy" decoding="async" referrerPolicy="no-referrer" onError={onError} />
  )
}
