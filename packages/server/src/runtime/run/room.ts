import { type EventDraft, type SessionState, weigh } from '@vitrine/protocol'
import type { SessionLog } from '../../log/session-log.ts'

/** An active run is in memory with all of its parts and texts: more of them would take the memory of everybody. */
const MAX_PARTS = 50_000
const MAX_RUN_CHARACTERS = 32 * 1024 * 1024

/** What stands beside the messages. Every reader of a session is given all of it, so it has to stay small. */
const STANDING = /^(artifact|evidence|context\.compaction|plan|metric|agent)\./
const MAX_STANDING_BYTES = 4 * 1024 * 1024
const MAX_STEPS = 1_000
const MAX_VERSIONS = 1_000
/** What an entity has beside what its event says. */
const ENTITY_BYTES = 1_000
/** After so much that was taken it is worth to weigh again: an event may have replaced what others said. */
const WORTH_WEIGHING = MAX_STANDING_BYTES / 16

/** Of these only the newest is kept, or they have a limit of their own. */
const NOT_KEPT = /^(tool\.output\.delta|tool\.progress|state\..*|diagnostic\..*)$/

/** How much room the agents of a run have left: in memory, and in what every reader of the session is given. */
export class Room {
  readonly #log: SessionLog
  #parts = 0
  #characters = 0
  /** What stood there when it was weighed, and what was taken since: together never less than there is. */
  #weighed = 0
  #since = Number.POSITIVE_INFINITY
  #steps = new Set<string>()

  constructor(log: SessionLog) {
    this.#log = log
  }

  /** Counts an event of this size; the rule that the run breaks with it, if it does. */
  broken(event: EventDraft, size: number): { code: string; detail: string } | undefined {
    this.#parts += this.#newParts(event)
    if (this.#parts > MAX_PARTS) return { code: 'run-parts', detail: `a run has at most ${MAX_PARTS} parts` }
    if (!STANDING.test(event.type) && !NOT_KEPT.test(event.type)) this.#characters += size
    if (this.#characters <= MAX_RUN_CHARACTERS) return undefined
    return { code: 'run-size', detail: `a run says at most ${MAX_RUN_CHARACTERS} characters` }
  }

  /** Whether there is room beside the messages for the event, which then counts. */
  async takes(event: EventDraft): Promise<boolean> {
    // What is deleted has only a mark left to set.
    if (!STANDING.test(event.type) || event.type === 'artifact.deleted') return true
    if ((event.type === 'plan.delta' || event.type === 'plan.final') && !this.#takesSteps(event)) return false
    if (event.type === 'artifact.version.created' && this.#versions(event.artifactId) >= MAX_VERSIONS) return false
    const more = weigh(event) + ENTITY_BYTES
    if (this.#weighed + this.#since + more > MAX_STANDING_BYTES && this.#since > WORTH_WEIGHING) {
      await this.#log.settled()
      this.#weighed = weighStanding(this.#log.state)
      this.#since = 0
    }
    if (this.#weighed + this.#since + more > MAX_STANDING_BYTES) return false
    this.#since += more
    return true
  }

  #versions(artifactId: string): number {
    return this.#log.state.artifacts.byId.get(artifactId)?.versions.length ?? 0
  }

  #newParts(event: EventDraft): number {
    if (event.type === 'messages.snapshot') return event.messages.reduce((sum, { parts }) => sum + parts.length, 0)
    return event.partId !== undefined && !this.#log.state.parts.byId.has(event.partId) ? 1 : 0
  }

  #takesSteps({ type, steps }: Extract<EventDraft, { type: 'plan.delta' | 'plan.final' }>): boolean {
    const next = new Set(type === 'plan.final' ? [] : this.#steps)
    for (const { id } of steps) next.add(id)
    if (next.size > MAX_STEPS) return false
    this.#steps = next
    return true
  }
}

function weighStanding(state: SessionState): number {
  const { artifacts, evidence, compactions, plan, metrics, agents, runs, messages } = state
  const active = state.session.activeRunId
  const spoken = [...messages.byId.values()].filter(({ runId }) => runId === active)
  return weigh([
    [artifacts.byId, evidence.byId, compactions.byId, agents.byId, plan, metrics],
    runs.byId.get(active ?? '')?.metrics,
    spoken.map(({ metadata }) => metadata),
  ])
}
