import { type ReactNode, useMemo } from 'react'
import { type UiHost, UiHostContext } from './ui-context.ts'

/** The hooks of the host application for every card below it. */
export function UiHostProvider({
  children,
  ...host
}: Pick<UiHost, 'onNavigate' | 'onEvent'> & { children: ReactNode }) {
  const { onNavigate, onEvent } = host
  const value = useMemo(
    () => ({ ...(onNavigate && { onNavigate }), ...(onEvent && { onEvent }) }),
    [onNavigate, onEvent],
  )
  return <UiHostContext value={value}>{children}</UiHostContext>
}
