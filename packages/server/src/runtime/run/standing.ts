import { type EventDraft, type SessionState, weigh } from '@vitrine/protocol'
import type { SessionLog } from '../../log/session-log.ts'

/** What stands beside the messages. Every reader of a session is given all of it, so it has to stay small. */
const STANDING = /^(artifact|evidence|context\.compaction)\./
const MAX_BYTES = 4 * 1024 * 1024
/** After so much that was taken it is worth to weigh again: an event may have replaced what others said. */
const WORTH_WEIGHING = MAX_BYTES / 16

/** Watches how much agents add to what stands beside the messages of one session. */
export class Standing {
  /** What there was when it was weighed, and what was taken since: together never less than there is. */
  #weighed = 0
  #since = Number.POSITIVE_INFINITY

  /** Whether there is room for the event, which then counts. */
  async takes(event: EventDraft, log: SessionLog): Promise<boolean> {
    // What is deleted has only a mark left to set.
    if (!STANDING.test(event.type) || event.type === 'artifact.deleted') return true
    const more = weigh(event)
    if (this.#weighed + this.#since + more > MAX_BYTES && this.#since > WORTH_WEIGHING) {
      await log.settled()
      this.#weighed = weighStanding(log.state)
      this.#since = 0
    }
    if (this.#weighed + this.#since + more > MAX_BYTES) return false
    this.#since += more
    return true
  }
}

const weighStanding = ({ artifacts, evidence, compactions }: SessionState): number =>
  weigh([artifacts.byId, evidence.byId, compactions.byId])
