import { useEffect, useState } from 'react'
import { markdownWorker } from '../markdown/markdown-worker.ts'
import { type LineDiff, linesOf, wholeDiff } from './diff-rows.ts'

/** Comparisons that were made: a row that comes back into sight has its lines at once. */
const known = new Map<string, LineDiff>()
const MOST = 20

const keyOf = (before: string, after: string): string => `${before.length} ${before}${after}`

async function compare(before: string, after: string): Promise<LineDiff> {
  const answer = await markdownWorker()?.ask({ kind: 'diff', before, after })
  return answer && 'diff' in answer ? answer.diff : wholeDiff(linesOf(before), linesOf(after))
}

/** How two texts differ. Null while a thread works it out, however long that takes: the page goes on. */
export function useLineDiff(before: string, after: string): LineDiff | null {
  const key = keyOf(before, after)
  const [made, setMade] = useState<{ key: string; diff: LineDiff } | null>(null)
  useEffect(() => {
    if (known.has(key)) return
    let over = false
    compare(before, after).then(diff => {
      known.set(key, diff)
      if (known.size > MOST) known.delete(known.keys().next().value!)
      if (!over) setMade({ key, diff })
    })
    return () => {
      over = true
    }
  }, [key, before, after])
  return known.get(key) ?? (made?.key === key ? made.diff : null)
}
