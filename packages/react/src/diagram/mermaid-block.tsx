import { Suspense } from 'react'
import { lazily } from '../lazily.tsx'
import { CodeBlock } from '../markdown/code-block.tsx'

// Fetched with the first diagram.
const Diagram = lazily(async () => ({ default: (await import('./diagram.tsx')).Diagram }))

/** Fenced code of a text whose language is `mermaid`. */
export function MermaidBlock({ code, complete = true }: { code: string; complete?: boolean }) {
  return (
    <Suspense fallback={<CodeBlock code={code} language="mermaid" />}>
      <Diagram code={code} complete={complete} />
    </Suspense>
  )
}
