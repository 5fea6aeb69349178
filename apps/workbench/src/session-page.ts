import { lazily, type SessionView } from '@vitrine/react'
import { type ComponentProps, type ComponentType, createElement, type ReactNode, useState } from 'react'
import { currentPath } from './router.ts'
import { routeOf } from './routes.ts'

type Props = ComponentProps<typeof SessionView>

let loaded: ComponentType<Props> | undefined

async function load(): Promise<{ default: ComponentType<Props> }> {
  loaded ??= (await import('./session-views.ts')).default
  return { default: loaded }
}

const Later = lazily(load)

/** The list of models, which is in the same file. */
export const ModelPicker = lazily(async () => ({ default: (await import('./session-views.ts')).ModelPicker }))

/**
 * The views of a session. The first screen does not need them, so they are a file of their own. When it is there they are
 * drawn at once: React would leave the place empty for 300 ms, and the keys of whoever goes on writing would be lost.
 */
export function SessionPage(props: Props): ReactNode {
  const [Drawn] = useState<ComponentType<Props>>(() => loaded ?? Later)
  return createElement(Drawn, props)
}

const loadAhead = () => void load().catch(() => {})
// Who comes by the address of a session does not wait for the page to find out what it needs. On the first screen the file
// is fetched with the first movement or key of a person, so that it is there before a session opens.
if (routeOf(currentPath()).kind === 'session') loadAhead()
else for (const sign of ['pointermove', 'pointerdown', 'keydown']) addEventListener(sign, loadAhead, { once: true })
