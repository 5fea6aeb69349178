import type { SessionHandle } from '@vitrine/client'
import type { Entity } from '@vitrine/protocol'
import { type ReactNode, useCallback, useRef } from 'react'
import { Boundary } from '../boundary.tsx'
import { NotShown } from '../not-shown.tsx'

interface Props {
  handle: SessionHandle
  /** What is drawn: a change of one of these entities is another try. */
  of: readonly Entity['key'][]
  /** What came, for those who want to look at it. */
  raw: () => unknown
  children: ReactNode
}

/** Catches the errors of the views inside it. It draws them again when one of the entities changed (P-284). */
export function EntityBoundary({ handle, of, raw, children }: Props) {
  const keys = useRef(of)
  keys.current = of
  const watch = useCallback(
    (changed: () => void) => {
      const offs = keys.current.map(key => handle.subscribe(key, changed))
      return () => {
        for (const off of offs) off()
      }
    },
    [handle],
  )
  return (
    <Boundary watch={watch} fallback={() => <NotShown raw={raw} />}>
      {children}
    </Boundary>
  )
}
