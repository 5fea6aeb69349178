import type { Code, EventDraft, Reason } from '@vitrine/protocol'
import { IllegalEvent, type SessionLog } from '../../log/session-log.ts'

type Status = 'queued' | 'preparing' | 'streaming' | 'tool' | 'waiting'

/** An agent that sends nothing but mistakes must not fill the log with them. */
const MAX_DIAGNOSTICS = 50

/** How the ids of the runtime's own diagnostics begin; an agent cannot change or clear them. */
export const RUNTIME = 'runtime/'

/** Writes the events of one run: in their place, until the run is over or has broken a rule. */
export class RunWriter {
  readonly runId: string
  readonly turnId: string
  readonly log: SessionLog
  /** Set on interrupt: why. From then on the status is `cancelling`. */
  stopping: Reason | null = null
  /** The first rule that the agent broke; nothing of the agent is written after it. */
  illegal: IllegalEvent | undefined
  /** The end of the run is being written or was: nothing more can reach the log or the agent. */
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
   * An id for a part that the runtime itself adds. What an agent names stands behind a slash (`toolCallId`, and parts
   * alike), what the runtime names behind a `#`: so they are never the same.
   */
  nextPart(): string {
    return `${this.messageId}#${++this.#parts}`
  }

  /** An id for a call of a tool of the runtime, local to the run. */
  nextCall(name: string): string {
    return `${name}#${++this.#parts}`
  }

  toolCallId(local: string, prefix: string): string {
    return `${this.runId}${prefix}/${local}`
  }

  async stream(draft: EventDraft): Promise<void> {
    if (this.over) throw new IllegalEvent('run-ended', 'the run is over', draft)
    if (this.illegal) return
    await this.log.stream(draft, this.#refused)
  }

  async setStatus(status: Status, reason?: Reason): Promise<void> {
    if (this.stopping !== null || (this.#status === status && reason === undefined)) return
    this.#status = status
    await this.stream({ type: 'run.status', ...this.ids, status, ...(reason && { reason }) })
  }

  /** Something that a person should know and that does not end the run. */
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
      message: `${message.slice(0, 1_900).toWellFormed()}${rest}`,
    })
  }

  /** The agent broke a rule: the run fails with the first one. */
  violated(error: IllegalEvent): void {
    this.illegal ??= error
    this.#onIllegal()
  }

  /** The log refused one event. Only a broken sequence ends the run; the result says that nothing more is taken. */
  #refused = (error: IllegalEvent): boolean => {
    if (error.code !== 'shape' && error.code !== 'too-large') {
      this.violated(error)
      return true
    }
    // Not from inside the log, which is in the middle of writing.
    queueMicrotask(
      () =>
        void this.diagnose('output_invalid', `The agent sent an event that is not one: ${error.message}`).catch(
          () => {},
        ),
    )
    return false
  }
}
