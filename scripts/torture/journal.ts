import { appendFileSync } from 'node:fs'

/** The agents themselves note every begin and end of a run here. The judge compares the log with these notes. */
export function note(what: 'begin' | 'end', sessionId: string, runId: string, turnId: string, attempt: number): void {
  const journal = process.env.VITRINE_TORTURE_JOURNAL
  if (journal) appendFileSync(journal, `${what} ${sessionId} ${runId} ${turnId} ${attempt}\n`)
}
