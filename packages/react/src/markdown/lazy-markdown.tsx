import { type ComponentProps, Suspense, useEffect, useState } from 'react'
import { lazily } from '../lazily.tsx'

type Module = typeof import('./markdown.tsx')

let loaded: Module | undefined

/** Fetches what reads and draws Markdown: the first screen does without it, a conversation asks for it at once. */
export async function loadMarkdown(): Promise<Module> {
  loaded ??= await import('./markdown.tsx')
  return loaded
}

/** Whether Markdown can be drawn, or never will be. It is asked for when it is not there. */
export function useMarkdownLoaded(): boolean {
  const [settled, setSettled] = useState(loaded !== undefined)
  useEffect(() => {
    const settle = () => setSettled(true)
    if (!settled) void loadMarkdown().then(settle, settle)
  }, [settled])
  return settled
}

const LaterMarkdown = lazily(async () => ({ default: (await loadMarkdown()).Markdown }))
const LaterText = lazily(async () => ({ default: (await loadMarkdown()).MarkdownText }))

/** Markdown that grows. Nothing is shown until it can be read: its signs are never seen. */
export function Markdown(props: ComponentProps<Module['Markdown']>) {
  // What was there at first stays, because another component would begin anew.
  const [Drawn] = useState(() => loaded?.Markdown ?? LaterMarkdown)
  return (
    <Suspense fallback={null}>
      <Drawn {...props} />
    </Suspense>
  )
}

/** Markdown of a text that is complete. */
export function MarkdownText(props: ComponentProps<Module['MarkdownText']>) {
  const [Drawn] = useState(() => loaded?.MarkdownText ?? LaterText)
  return (
    <Suspense fallback={null}>
      <Drawn {...props} />
    </Suspense>
  )
}
