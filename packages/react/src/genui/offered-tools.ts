import type { SessionHandle } from '@vitrine/client'
import { listTools } from '@vitrine/client/tools'
import type { Answer } from '@vitrine/protocol'
import { useCallback, useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'

type Item = Answer<'SessionTools'>['items'][number]

interface Known {
  items: readonly Item[]
  asked: boolean
  listeners: Set<() => void>
}

/** What the server said last about the tools of an open session. All cards of the session share it. */
const known = new WeakMap<SessionHandle, Known>()

/**
 * Which tools a button of a card can run without the agent. Until the server has said it, and when it cannot be reached, a
 * button asks the agent, and says so.
 */
export function useOfferedTools(handle: SessionHandle): {
  runsTool: (toolId: string) => Item['policy'] | undefined
  /** Asks the server again. */
  look: () => void
} {
  const { client } = useVitrine()
  const of = known.get(handle) ?? { items: [], asked: false, listeners: new Set() }
  known.set(handle, of)
  const [items, setItems] = useState(of.items)
  const look = useCallback(() => {
    of.asked = true
    void listTools(client, handle.sessionId).then(outcome => {
      if (!outcome.ok) {
        of.asked = false
        return
      }
      of.items = outcome.value.items
      for (const listener of of.listeners) listener()
    })
  }, [client, handle, of])
  useEffect(() => {
    const listener = () => setItems(of.items)
    of.listeners.add(listener)
    listener()
    if (!of.asked) look()
    return () => void of.listeners.delete(listener)
  }, [of, look])
  const runsTool = useCallback((toolId: string) => policyOf(items, toolId), [items])
  return { runsTool, look }
}

/** A button names a tool by its id, or by the name by which models call it. Tools of the agent itself are asked of it. */
function policyOf(items: readonly Item[], toolId: string): Item['policy'] | undefined {
  const offered = items.filter(({ source }) => source.kind !== 'agent' && source.sourceId !== 'runtime')
  const found = offered.find(item => item.toolId === toolId) ?? offered.find(({ name }) => name === toolId)
  return found?.policy
}
