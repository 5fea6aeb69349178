import { type EventDraft, roughBytes, type SessionState } from '@vitrine/protocol'
import type { SessionLog } from '../../log/session-log.ts'

/** An active run is in memory with all of its parts and texts, so these limits protect the memory that all share. */
const MAX_PARTS = 50_000
const MAX_RUN_CHARACTERS = 32 * 1024 * 1024

/** Events about what stands beside the messages. Every reader of a session gets all of it, so it has to stay small. */
const STANDING = /^(artifact|evidence|context\.compaction|plan|metric|agent)\./
const MAX_STANDING_BYTES = 4 * 1024 * 1024
const MAX_STEPS = 1_000
const MAX_VERSIONS = 1_000
/** About how many bytes an entity has in addition to what its event says. */
const ENTITY_BYTES = 1_000
/** After so many bytes it is worth to weigh again, because an event may have replaced what earlier ones said. */
const WORTH_WEIGHING = MAX_STANDING_BYTES / 16

/** Of these events only the newest is kept, or they have a limit of their own. */
const NOT_KEPT = /^(tool\.output\.delta|tool\.progress|state\..*|diagnostic\..*)$/

/** Whether what these events say counts as characters of the run. Deltas, which are many, are answered at once. */
const staysInMemory = (type: EventDraft['type']): boolean =>
  type === 'text.delta' || type === 'reasoning.delta' || (!STANDING.test(type) && !NOT_KEPT.test(type))

/** How much room the agents of a run have left: in memory, and in what every reader of the session is given. */
export class Budget {
  readonly #log: SessionLog
  #parts = 0
  #characters = 0
  /** The bytes beside the messages when they were weighed, and those taken since. Their sum is never less than the truth. */
  #weighed = 0
  #since = Number.POSITIVE_INFINITY
  #steps = new Set<string>()

  constructor(log: SessionLog) {
    this.#log = log
  }

  /** Counts an event of this size. Returns the rule that the run breaks with it, if it breaks one. */
  broken(event: EventDraft, size: number): { code: string; detail: string } | undefined {
    this.#parts += this.#newParts(event)
    if (this.#parts > MAX_PARTS) return { code: 'run_parts', detail: `a run has at most ${MAX_PARTS} parts` }
    if (staysInMemory(event.type)) this.#characters += size
    if (this.#characters <= MAX_RUN_CHARACTERS) return undefined
    return { code: 'run_size', detail: `a run says at most ${MAX_RUN_CHARACTERS} characters` }
  }

  /** Whether there is room beside the messages for the event. When there is, the event counts from now on. */
  async takes(event: EventDraft): Promise<boolean> {
    // An artifact that is deleted needs no more room than a mark.
    if (!STANDING.test(event.type) || event.type === 'artifact.deleted') return true
    if ((event.type === 'plan.delta' || event.type === 'plan.final') && !this.#takesSteps(event)) return false
    if (event.type === 'artifact.version.created' && this.#versions(event.artifactId) >= MAX_VERSIONS) return false
    const more = roughBytes(event) + ENTITY_BYTES
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
  const { artifacts, evidence, compactions, plan, metrics, subagents, runs, messages } = state
  const active = state.session.activeRunId
  // Every reader gets the whole active run, because a window never cuts it; older messages are read in pages.
  const spoken = [...messages.byId.values()].filter(({ runId }) => runId === active)
  return roughBytes([
    [artifacts.byId, evidence.byId, compactions.byId, subagents.byId, plan, metrics],
    runs.byId.get(active ?? '')?.metrics,
    spoken.map(({ metadata }) => metadata),
  ])
}
