import { type ReactNode, useMemo } from 'react'
import { type UiHost, UiHostContext } from './ui-context.ts'

/** Gives the functions of the host application to every card below it. */
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
