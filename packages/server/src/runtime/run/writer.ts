import type { Code, EventDraft, Reason } from '@vitrine/protocol'
import { IllegalEvent } from '../../log/event-from.ts'
import type { SessionLog } from '../../log/session-log.ts'
import { maskText } from '../../masking/mask-secrets.ts'

type Status = 'queued' | 'preparing' | 'streaming' | 'tool' | 'waiting'

/** Diagnostics that one run may write, so that an agent that sends nothing but mistakes does not fill the log. */
const MAX_DIAGNOSTICS = 50

/** How the ids of the runtime's own diagnostics begin; an agent cannot change or clear them. */
export const RUNTIME = 'runtime/'

/** Writes the events of one run, until the run is over or has broken a rule. */
export class RunWriter {
  readonly runId: string
  readonly turnId: string
  readonly log: SessionLog
  /** Why the run is being stopped. When it is set, the status is `cancelling` and does not change any more. */
  stopping: Reason | null = null
  /** The first rule that the agent broke; nothing of the agent is written after it. */
  illegal: IllegalEvent | undefined
  /** The end of the run is being written, or was written: nothing more can reach the log or the agent. */
  over = false
  readonly #onIllegal: () => void
  #status = 'submitted'
  #parts = 0
  #diagnostics = 0

  constructor(log: SessionLog, ids: { runId: string; turnId: string }, onIllegal: () => void) {
    this.log = log
    this.runId = ids.runId
    this.turnId = ids.turnId
    this.#onIllegal = onIllegal
  }

  get ids(): { runId: string; turnId: string } {
    return { runId: this.runId, turnId: this.turnId }
  }

  get messageId(): string {
    return `${this.runId}/m`
  }

  /**
   * An id for a part that the runtime itself adds. Names of an agent stand behind a slash, and names of the runtime stand
   * behind a `#`, so that they are never the same.
   */
  nextPart(): string {
    return `${this.messageId}#${++this.#parts}`
  }

  /** The run was cut off and goes on: what is numbered from now on follows what it has. */
  goOnAfter({ parts, diagnostics }: { parts: number; diagnostics: number }): void {
    this.#parts = parts
    this.#diagnostics = diagnostics
  }

  /** An id for a call of a tool of the runtime, local to the run. */
  nextCall(name: string): string {
    return `${name}#${++this.#parts}`
  }

  toolCallId(local: string, prefix: string): string {
    return `${this.runId}${prefix}/${local}`
  }

  /** Writes the event. Returns a promise when the agent has to wait until there is room for more, or cannot go on. */
  stream(draft: EventDraft): Promise<void> | undefined {
    if (this.over) return Promise.reject(new IllegalEvent('run_over', 'the run is over', draft))
    return this.illegal ? undefined : this.log.stream(draft, this.#refused)
  }

  setStatus(status: Status, reason?: Reason): Promise<void> | undefined {
    if (this.stopping !== null || (this.#status === status && reason === undefined)) return undefined
    this.#status = status
    return this.stream({ type: 'run.status', ...this.ids, status, ...(reason && { reason }) })
  }

  /** The agent itself has said what the run is doing. */
  noteStatus(status: string): void {
    if (this.stopping === null) this.#status = status
  }

  /** Tells people of something that does not end the run. */
  async diagnose(code: Code, message: string): Promise<void> {
    const count = ++this.#diagnostics
    if (count > MAX_DIAGNOSTICS) return
    const rest = count === MAX_DIAGNOSTICS ? ' Further ones are not listed.' : ''
    await this.stream({
      type: 'diagnostic.changed',
      ...this.ids,
      diagnosticId: `${RUNTIME}${this.runId}/${count}`,
      state: 'open',
      level: 'warning',
      code,
      message: `${maskText(message.slice(0, 1_900)).toWellFormed()}${rest}`,
    })
  }

  /** The agent broke a rule: the run fails with the first one. */
  violated(error: IllegalEvent): void {
    this.illegal ??= error
    this.#onIllegal()
  }

  /** The log refused an event. Only a broken sequence ends the run; then this returns true, and the log takes nothing more. */
  #refused = (error: IllegalEvent): boolean => {
    if (error.code !== 'shape' && error.code !== 'too_large') {
      this.violated(error)
      return true
    }
    // The log is in the middle of writing, so the diagnostic is written afterwards.
    queueMicrotask(
      () =>
        void this.diagnose('output_invalid', `The agent sent an event that is not one: ${error.message}`).catch(
          () => {},
        ),
    )
    return false
  }
}
