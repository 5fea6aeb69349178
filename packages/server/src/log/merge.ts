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
    const previous = merged.at(-1)?.draft
    const delta = 'delta' in draft && typeof draft.delta === 'string' ? draft.delta : undefined
    if (
      delta !== undefined &&
      previous &&
      chunks.length > 0 &&
      MERGED.has(draft.type) &&
      sameTarget(previous, draft) &&
      length + delta.length <= MAX_DELTA
    ) {
      chunks.push(delta)
      length += delta.length
      continue
    }
    close()
    merged.push(item)
    if (delta !== undefined && MERGED.has(draft.type) && !('done' in draft && draft.done)) {
      chunks.push(delta)
      length = delta.length
    }
  }
  close()
  return merged
}

/** Fields that must be equal in two deltas that are merged. The function below compares the rest. */
const TARGET = ['type', 'runId', 'messageId', 'partId', 'toolCallId', 'subagentId'] as const

function sameTarget(a: EventDraft, b: EventDraft): boolean {
  if (!TARGET.every(name => a[name] === b[name])) return false
  if (b.type === 'tool.args') {
    // A piece that ends or sums up the arguments says more than its text, so it stays an event of its own.
    return !b.done && b.summary === undefined
  }
  return !('stream' in a) || !('stream' in b) || a.stream === b.stream
}
