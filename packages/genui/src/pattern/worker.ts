import { limitedThread, type Thread, type ThreadEvents } from './limited-thread.ts'

/** How long a pattern may take that is not provably linear. */
export const PATTERN_LIMIT_MS = 50

/** What a thread for patterns is asked: is this pattern found in this text? */
export interface PatternRequest {
  readonly pattern: string
  readonly value: string
}

/** Runs patterns where they can be stopped. Resolves to 'timeout' when one took too long; then it counts as not matching. */
export interface PatternWorker {
  test(pattern: string, value: string): Promise<boolean | 'timeout'>
  close(): void
}

/** A worker for patterns from any thread that answers requests by `testPattern`. */
export function patternWorker(
  spawn: (events: ThreadEvents<boolean>) => Thread<PatternRequest>,
  limitMs = PATTERN_LIMIT_MS,
): PatternWorker {
  const thread = limitedThread(spawn, limitMs)
  return { test: (pattern, value) => thread.run({ pattern, value }), close: () => thread.close() }
}

/** What the thread does: what is not a regular expression matches nothing. */
export function testPattern({ pattern, value }: PatternRequest): boolean {
  try {
    return new RegExp(pattern).test(value)
  } catch {
    return false
  }
}
