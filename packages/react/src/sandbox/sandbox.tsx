import { isObject } from '@vitrine/protocol'
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { guardFocus } from './sandbox-focus.ts'
import { SandboxLink, type SandboxLoss } from './sandbox-link.ts'
import { SandboxSize } from './sandbox-size.ts'

/** What the page can do with a sandbox that it shows. */
export interface SandboxControl {
  send(message: unknown): void
}

interface SandboxProps {
  /** The signed address of its document. */
  url: string
  /** Its name for those who do not see it. */
  title: string
  /** The height before the content says its own, and the most that it gets, in pixels. */
  height: number
  mostHeight: number
  control: Ref<SandboxControl>
  /** The port was handed over: what is sent from now on arrives. */
  onReady(): void
  /** Every message but those about the height. Its content is that of a stranger. */
  onMessage(message: unknown): void
  /** The content left its place, would not stop talking, or kept taking the focus. The frame is gone then. */
  onLost(loss: SandboxLoss): void
  onHeight?(height: number): void
}

/**
 * Shows content from elsewhere. It runs scripts and has nothing else: no origin, no cookies, no storage, no network, no
 * way to the page but one port (S01 to S17). `allow-same-origin` never stands here: with it the content would be the page.
 */
export function Sandbox({ url, title, control, height, mostHeight, ...handlers }: SandboxProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [lost, setLost] = useState(false)
  const [shownHeight, setShownHeight] = useState(height)
  const latest = useRef(handlers)
  latest.current = handlers
  // The first height is where this frame begins; later ones come from its content.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const size = useMemo(() => new SandboxSize(height, mostHeight), [mostHeight])
  const link = useMemo(
    () =>
      new SandboxLink({
        onMessage(message) {
          if (!isObject(message) || message.type !== 'size') return latest.current.onMessage(message)
          const accepted = size.accept(message.height, performance.now())
          if (accepted === undefined) return
          setShownHeight(accepted)
          latest.current.onHeight?.(accepted)
        },
        onLost(loss) {
          setLost(true)
          latest.current.onLost(loss)
        },
      }),
    [size],
  )
  useEffect(() => () => link.close(), [link])
  useEffect(() => {
    if (frame.current && !lost) return guardFocus(frame.current, () => link.tookFocus())
  }, [link, lost])
  useImperativeHandle(control, () => ({ send: message => link.send(message) }), [link])
  if (lost) return null
  return (
    <iframe
      ref={frame}
      className="v-sandbox"
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      src={url}
      style={{ blockSize: `${shownHeight}px` }}
      onLoad={() => {
        const target = frame.current?.contentWindow
        if (target && link.loaded(target)) latest.current.onReady()
      }}
    />
  )
}
