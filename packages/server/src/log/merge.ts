import type { EventDraft } from '@vitrine/protocol'

/** The longest delta that merging makes: at six bytes for an escaped control character it still fits into an event. */
export const MAX_DELTA = 8 * 1024

const MERGED = new Set(['text.delta', 'reasoning.delta', 'tool.output.delta', 'tool.args'])

/** Joins adjacent deltas of one part or tool call into one, so that a fast stream becomes few events. */
export function mergeDeltas<T extends { draft: EventDraft }>(pending: readonly T[]): T[] {
  const merged: T[] = []
  let chunks: string[] = []
  let length = 0
  const close = (): void => {
    const last = merged.at(-1)
    if (last && chunks.length > 1)
      merged[merged.length - 1] = { ...last, draft: { ...last.draft, delta: chunks.join('') } as EventDraft }
    chunks = []
    length = 0
  }
  for (const item of pending) {
    const { draft } = item
    const delta = MERGED.has(draft.type) ? (draft as { delta?: unknown }).delta : undefined
    if (typeof delta !== 'string') {
      close()
      merged.push(item)
      continue
    }
    // `chunks` is empty when nothing may follow the last draft.
    if (chunks.length > 0 && length + delta.length <= MAX_DELTA && sameTarget(merged.at(-1)!.draft, draft)) {
      chunks.push(delta)
      length += delta.length
      continue
    }
    close()
    merged.push(item)
    if ('done' in draft && draft.done) continue
    chunks.push(delta)
    length = delta.length
  }
  close()
  return merged
}

/** Fields that must be equal in two deltas that are merged, those first that differ most. The function below compares the rest. */
const TARGET = ['partId', 'type', 'toolCallId', 'subagentId', 'messageId', 'runId'] as const

function sameTarget(a: EventDraft, b: EventDraft): boolean {
  for (const name of TARGET) if (a[name] !== b[name]) return false
  if (b.type === 'tool.args') {
    // A piece that ends or sums up the arguments says more than its text, so it stays an event of its own.
    return !b.done && b.summary === undefined
  }
  return !('stream' in a) || !('stream' in b) || a.stream === b.stream
}
