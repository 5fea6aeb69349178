import { type ReactNode, useState } from 'react'

interface Props {
  /** An address of our own server, or of a file that the page holds. */
  src: string
  alt: string
  /** Stands in its place when it cannot be shown. */
  fallback: ReactNode
}

/** A picture that a person attached. It comes from our own server or from this page, so nobody has to be asked. */
export function OwnPicture({ src, alt, fallback }: Props) {
  const [broken, setBroken] = useState<string>()
  if (broken === src) return fallback
  return <img src={src} alt={alt} loading="lazy" decoding="async" onError={() => setBroken(src)} />
}
