import { createElement, type ReactNode, useEffect, useReducer, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { breakable } from './long-words.tsx'
import { markdownWorker } from './markdown-worker.ts'
import type { MathNode } from './mathml.ts'
import { LONGEST_MATHS } from './maths-source.ts'
import { drawLater } from './portions.ts'

/** Formulas that were laid out, and `null` for those that cannot be: what comes back into sight is there at once. */
const known = new Map<string, MathNode | null>()
const MOST_KNOWN = 1_000
/** A formula that is not there after this many milliseconds is shown as it was written until it comes. */
const LATE = 1_500

/** A formula as MathML, which needs no font and no style of its own. One that cannot be drawn is shown as it was written. */
export function Maths({ tex, display }: { tex: string; display: boolean }) {
  const { t } = useI18n()
  const drawn = useMathml(tex, display)
  const late = useLate(drawn === undefined)
  if (drawn === null || late) {
    return (
      <code className="v-maths-source" title={drawn === null ? t('markdown.mathsFailed') : undefined}>
        {breakable(display ? `$$${tex}$$` : `$${tex}$`)}
      </code>
    )
  }
  // It waits out of sight for a moment: signs that turn into a formula would be read first.
  if (drawn === undefined) return <span className="v-maths" data-display={display || undefined} aria-busy />
  return (
    <span className="v-maths" data-display={display || undefined} tabIndex={display ? 0 : undefined}>
      {element(drawn, 0)}
    </span>
  )
}

/** Whether something has been waited for so long that people should see what is there. */
function useLate(waits: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waits) return setLate(false)
    const timer = setTimeout(() => setLate(true), LATE)
    return () => clearTimeout(timer)
  }, [waits])
  return waits && late
}

/** The formula, `null` when it cannot be drawn, nothing as long as it is being laid out. */
function useMathml(tex: string, display: boolean): MathNode | null | undefined {
  const [, again] = useReducer((times: number) => times + 1, 0)
  const key = `${display ? 'block' : 'inline'} ${tex}`
  const worker = tex.length > LONGEST_MATHS ? undefined : markdownWorker()
  const drawn = worker ? known.get(key) : null
  useEffect(() => {
    if (!worker || known.has(key)) return
    let leave: (() => void) | null = () => {}
    void worker.ask({ kind: 'maths', tex, display }).then(answer => {
      known.set(key, 'maths' in answer ? answer.maths : null)
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
      if (leave) leave = drawLater(again)
    })
    return () => {
      leave?.()
      leave = null
    }
  }, [worker, key, tex, display])
  return drawn
}

function element(node: MathNode, place: number): ReactNode {
  if (typeof node === 'string') return node
  const [tag, attributes, ...children] = node
  const props: Record<string, unknown> = { key: place }
  const style: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('style.')) style[name.slice(6)] = value
    else props[name === 'class' ? 'className' : name] = value
  }
  return createElement(tag, { ...props, style }, ...children.map(element))
}
