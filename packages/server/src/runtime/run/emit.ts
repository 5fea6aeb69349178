import { type Citation, type EventDraft, type MessageSnapshot, roughBytes } from '@vitrine/protocol'
import { IllegalEvent } from '../../log/event-from.ts'
import { MAX_DELTA } from '../../log/merge.ts'
import { CallMasks } from '../../masking/call-masks.ts'
import { maskText } from '../../masking/mask-secrets.ts'
import { agentSaid } from '../reasons.ts'
import { namesPerson } from '../turn-message.ts'
import { Budget } from './budget.ts'
import { type FitHost, fitFailure, fitResult, PREVIEW } from './fit.ts'
import { type LocalOutput, opened, readOutput, shaped, subjectOf } from './read-output.ts'
import { digestOf, TextFinals } from './text-finals.ts'
import { type SaidPiece, ThinkBlocks } from './think-blocks.ts'
import type { RunWriter } from './writer.ts'

/** Events that bring an artifact into the session; the others change one. */
const MAKES_ARTIFACT: ReadonlySet<string> = new Set(['artifact.created', 'artifact.changed'])

type InPart = Extract<EventDraft, { type: 'text.delta' | 'text.final' }>
type TextDelta = Extract<EventDraft, { type: 'text.delta' }>

/** What a text part of an agent consists of so far, when it may begin with blocks of reasoning. */
interface Thinking {
  blocks: ThinkBlocks
  /** Run, message and part of the text, and who speaks. */
  at: Pick<InPart, 'messageId' | 'partId' | 'subagentId'>
  /** The open part that has the reasoning, and the block that it shows. */
  open: { partId: string; block: number } | null
  /** All parts that have reasoning of this text. */
  thoughts: string[]
}

/** A text that answers: no tag can come any more, and the shape of its deltas was checked. */
interface Answering {
  blocks: ThinkBlocks
  /** A delta of this text, without what it says. */
  delta: TextDelta
}

/** Takes the outputs of a run's agents: gives them the ids of the session, fits them into events, hands them to the writer. */
export class Emitter {
  readonly #writer: RunWriter
  readonly #host: FitHost
  readonly #finals = new TextFinals()
  readonly #budget: Budget
  /** Deltas whose shape was checked. Deltas are many, and those of one part differ only in their text. */
  readonly #shaped = new Set<string>()
  #full = false
  /** By the id of the text part. */
  readonly #thinking = new Map<string, Thinking>()
  /** By who speaks, and then by the part as that agent names it. */
  readonly #answering = new Map<string, Map<string, Answering>>()
  /** Texts that have not begun, because what came of them may become a tag. */
  readonly #undecided = new Set<Thinking>()
  /** Hides secrets in what is said of calls. */
  readonly masks = new CallMasks()
  /** Calls, artifacts and the like whose first event was refused. Later events about them are left out. */
  readonly #refused = new Set<string>()

  constructor(writer: RunWriter, host: FitHost) {
    this.#writer = writer
    this.#host = host
    this.#budget = new Budget(writer.log)
  }

  /**
   * Takes what an agent yielded. `prefix` keeps the ids of subagents apart, and `subagentId` says which of them speaks.
   * Returns the output as it was understood, or nothing when it was refused.
   */
  emit(
    given: unknown,
    prefix: string,
    subagentId: string | null,
  ): Promise<LocalOutput | undefined> | LocalOutput | undefined {
    const taken = readOutput(given)
    if ('finding' in taken) return this.#emit(taken, prefix, subagentId)
    const answering = this.#answeringOf(taken.output, prefix)
    return answering ? this.#goOn(answering, taken.output) : this.#emit(taken, prefix, subagentId)
  }

  async #emit(
    taken: ReturnType<typeof readOutput>,
    prefix: string,
    subagentId: string | null,
  ): Promise<LocalOutput | undefined> {
    const refuse = (subject: string | undefined): unknown => subject && this.#refused.add(`${prefix} ${subject}`)
    if ('finding' in taken) {
      const { code, message, opens } = taken.finding
      refuse(opens)
      await this.#writer.diagnose(code, message)
      return undefined
    }
    const { output } = taken
    if (this.#refused.has(`${prefix} ${subjectOf(output)}`)) return undefined
    const event = this.#withSessionIds(output, prefix, subagentId)
    await this.#tellUndecided(event)
    if (event.type === 'text.delta') {
      const answered = await this.#text(output, event, prefix)
      return { ...output, delta: answered } as LocalOutput
    }
    const written = await this.#emitPlaced(output, event, prefix)
    if (!written) refuse(opened(output))
    return output
  }

  /** The last pieces of texts that may have become a tag, for a run that is over. They are written before its end. */
  held(): EventDraft[] {
    const { ids } = this.#writer
    const drafts: EventDraft[] = []
    for (const thinking of this.#thinking.values()) {
      for (const piece of thinking.blocks.end()) {
        const { type, partId } = this.#place(thinking, piece)
        const delta = this.#finals.push(partId, piece.text)
        if (delta) drafts.push({ ...ids, ...thinking.at, type, partId, delta } as EventDraft)
      }
    }
    for (const toolCallId of this.masks.open) {
      const delta = this.masks.heldArgs(toolCallId)
      if (delta) drafts.push({ ...ids, type: 'tool.args', toolCallId, delta })
      for (const { stream, text } of this.masks.heldOutput(toolCallId)) {
        const from = stream === '' ? {} : { stream: stream as 'output' | 'error' }
        drafts.push({ ...ids, type: 'tool.output.delta', toolCallId, ...from, delta: text })
      }
    }
    return drafts
  }

  /** The events that end the texts of a run that completed: its agent has said all of them. */
  finishTexts(open: ReadonlySet<string>): EventDraft[] {
    const { log, ids } = this.#writer
    return [...open].flatMap((partId): EventDraft[] => {
      const part = log.state.parts.byId.get(partId)
      if (!part) return []
      const at = { ...ids, messageId: part.messageId, partId: part.partId }
      const rest = this.#finals.rest(part.partId)
      if (part.kind === 'reasoning') return [{ type: 'reasoning.summary', ...at }]
      if (part.kind !== 'text') return []
      const delta: EventDraft[] = rest ? [{ type: 'text.delta', ...at, delta: rest }] : []
      const final = this.#finals.final(part.partId)
      // A subagent that still spoke when the run ended was cut off: its text stays incomplete.
      if (final.length !== part.text.length + rest.length) return []
      return [...delta, { type: 'text.final', ...at, ...final }]
    })
  }

  /** The event with ids of the session instead of those that are local to the run. */
  #withSessionIds(output: LocalOutput, prefix: string, subagentId: string | null): EventDraft {
    const writer = this.#writer
    const base = `${writer.messageId}${prefix}`
    const messageId = output.messageId === undefined ? base : `${base}/${output.messageId}`
    const { reason } = output as { reason?: unknown }
    const event = {
      ...output,
      ...(typeof reason === 'string' && { reason: agentSaid(reason) }),
      // Only the runtime knows who acted.
      by: undefined,
      ...writer.ids,
      ...(subagentId !== null && output.subagentId === undefined && { subagentId }),
    } as EventDraft & Record<string, unknown>
    if (output.partId !== undefined) {
      event.partId = `${messageId}/${output.partId}`
      event.messageId = messageId
    } else if (output.messageId !== undefined || output.type === 'metric.changed') event.messageId = messageId
    if (output.toolCallId !== undefined) event.toolCallId = writer.toolCallId(output.toolCallId, prefix)
    if (event.type === 'part.retracted' && event.replacedBy !== undefined)
      event.replacedBy = `${messageId}/${event.replacedBy}`
    if (event.type === 'tool.started' && event.retryOf !== undefined)
      event.retryOf = writer.toolCallId(event.retryOf, prefix)
    return event
  }

  /** Fits an event that has the ids of the session into the log. Returns false when the event was refused. */
  async #emitPlaced(said: LocalOutput, event: EventDraft, prefix: string): Promise<boolean> {
    const writer = this.#writer
    switch (event.type) {
      case 'reasoning.delta':
        if (!(await this.#hasShape(said, event, event.partId))) return false
        await writer.setStatus('streaming')
        return this.#pieces(event, this.#finals.push(event.partId, event.delta))
      case 'text.final':
        return this.#final(said, event)
      case 'part.retracted':
        return this.#retract(said, event)
      case 'run.status':
        writer.noteStatus(event.status)
        return this.#say(said, event)
      case 'tool.started':
        await writer.setStatus('tool')
        this.masks.started(event.toolCallId, prefix, event.name, (said as { secrets?: unknown }).secrets)
        return this.#say(said, this.masks.masked(withoutSecrets(event)))
      case 'tool.progress':
        return this.#say(said, this.masks.masked(event))
      case 'tool.output.delta': {
        if (!(await this.#hasShape(said, event, `${event.toolCallId} ${event.stream}`))) return false
        const text = this.#finals.push(`output:${event.toolCallId}`, event.delta)
        return this.#pieces(event, this.masks.output(event.toolCallId, event.stream, text))
      }
      case 'tool.args':
        return this.#args(said, event)
      case 'tool.result':
        await this.#endOutput(event)
        return this.#say(
          said,
          await fitResult(this.masks.masked(event), this.#host, (code, what) => writer.diagnose(code, what)),
        )
      case 'tool.failed':
        await this.#endOutput(event)
        return this.#say(said, await fitFailure(this.masks.masked(event), this.#host))
      case 'messages.snapshot':
        return this.#say(said, await this.#repair(event))
      default:
        return this.#say(said, event)
    }
  }

  /** Takes a delta of a text. Returns how much of it is answer text, for whoever asked the agent. */
  async #text(said: LocalOutput, event: TextDelta, prefix: string): Promise<string> {
    if (!(await this.#hasShape(said, event, event.partId))) return ''
    await this.#writer.setStatus('streaming')
    const thinking = this.#thinkingOf(event)
    const answered = await this.#tell(thinking, blocks => blocks.push(event.delta))
    if (thinking.blocks.answers && said.messageId === undefined && said.subagentId === undefined) {
      const speaker = this.#answering.get(prefix) ?? new Map<string, Answering>()
      this.#answering.set(prefix, speaker)
      const delta: TextDelta = { ...this.#writer.ids, ...thinking.at, type: 'text.delta', delta: '' }
      speaker.set(said.partId!, { blocks: thinking.blocks, delta })
    }
    return answered
  }

  /** The text that the output goes on with. Anything but text may end it, and then it is looked at anew. */
  #answeringOf({ type, partId, messageId, subagentId }: LocalOutput, prefix: string): Answering | undefined {
    if (type !== 'text.delta') this.#answering.clear()
    if (messageId !== undefined || subagentId !== undefined || this.#undecided.size > 0) return undefined
    return this.#answering.get(prefix)?.get(partId!)
  }

  /** More of a text that answers. Nearly all outputs are such deltas, so nothing is waited for but room. */
  #goOn(answering: Answering, output: LocalOutput): Promise<LocalOutput> | LocalOutput {
    const room = this.#writer.setStatus('streaming')
    if (room) return room.then(() => this.#goOn(answering, output))
    const { delta } = output as TextDelta
    answering.blocks.push(delta)
    const text = this.#finals.push(answering.delta.partId, delta)
    const written = this.#pieces({ ...answering.delta, delta }, text)
    return written instanceof Promise ? written.then(() => output) : output
  }

  #thinkingOf({ messageId, partId, subagentId }: InPart): Thinking {
    const found = this.#thinking.get(partId)
    if (found) return found
    const at = { messageId, partId, ...(subagentId !== undefined && { subagentId }) }
    const made: Thinking = { blocks: new ThinkBlocks(), at, open: null, thoughts: [] }
    this.#thinking.set(partId, made)
    return made
  }

  /** Writes the pieces of a text, each into its part. Returns those that are answer text. */
  async #tell(thinking: Thinking, next: (blocks: ThinkBlocks) => SaidPiece[]): Promise<string> {
    let answered = ''
    const pieces = next(thinking.blocks)
    if (thinking.blocks.holds && !thinking.blocks.thought) this.#undecided.add(thinking)
    else this.#undecided.delete(thinking)
    for (const piece of pieces) {
      if (thinking.open && thinking.open.block !== piece.block) await this.#endThought(thinking)
      if (piece.kind === 'text') {
        await this.#endThought(thinking)
        answered += piece.text
      }
      const { type, partId } = this.#place(thinking, piece)
      const event = { ...this.#writer.ids, ...thinking.at, type, partId, delta: piece.text } as EventDraft
      await this.#pieces(event, this.#finals.push(partId, piece.text))
    }
    return answered
  }

  /** The part that shows a piece. A block of reasoning gets a part of its own, under a name of the runtime. */
  #place(thinking: Thinking, { kind, block }: SaidPiece): { type: string; partId: string } {
    if (kind === 'text') return { type: 'text.delta', partId: thinking.at.partId }
    if (thinking.open?.block !== block) {
      thinking.open = { partId: this.#writer.nextPart(), block }
      thinking.thoughts.push(thinking.open.partId)
    }
    return { type: 'reasoning.delta', partId: thinking.open.partId }
  }

  async #endThought(thinking: Thinking): Promise<void> {
    if (!thinking.open) return
    const { partId } = thinking.open
    thinking.open = null
    const at = { ...this.#writer.ids, ...thinking.at, partId }
    await this.#pieces({ ...at, type: 'reasoning.delta' } as never, this.#finals.rest(partId))
    await this.#writer.stream({ ...at, type: 'reasoning.summary' } as EventDraft)
  }

  /** Parts stand in the order in which they began: what another text of the message still waits with comes first. */
  async #tellUndecided(event: EventDraft & { messageId?: unknown; partId?: unknown }): Promise<void> {
    if (this.#undecided.size === 0 || event.partId === undefined) return
    for (const thinking of [...this.#undecided]) {
      const { messageId, partId } = thinking.at
      if (messageId === event.messageId && partId !== event.partId) await this.#tell(thinking, blocks => blocks.end())
    }
  }

  /** A text that is withdrawn takes its reasoning along. It may have nothing but reasoning. */
  async #retract(said: LocalOutput, event: Extract<EventDraft, { type: 'part.retracted' }>): Promise<boolean> {
    const thinking = this.#thinking.get(event.partId)
    if (!thinking) return this.#say(said, event)
    await this.#tell(thinking, blocks => blocks.end())
    this.#thinking.delete(event.partId)
    for (const partId of thinking.thoughts) await this.#writer.stream({ ...event, partId })
    const answered = this.#finals.final(event.partId).length > 0
    return answered || thinking.thoughts.length === 0 ? this.#say(said, event) : true
  }

  /** Checks a delta before it counts as said, because a delta that is refused must not count. */
  async #hasShape(said: LocalOutput, event: EventDraft, target: string): Promise<boolean> {
    const key = `${event.type} ${target} ${event.subagentId}`
    if (this.#shaped.has(key)) return true
    const result = shaped({ ...event, delta: 'x' } as EventDraft, said)
    if ('finding' in result) await this.#writer.diagnose(result.finding.code, result.finding.message)
    else this.#shaped.add(key)
    return !('finding' in result)
  }

  /** Writes any event but a delta. Returns false when the event was refused or left out. */
  async #say(said: LocalOutput, event: EventDraft): Promise<boolean> {
    const result = shaped(event, said)
    if ('finding' in result) {
      await this.#writer.diagnose(result.finding.code, result.finding.message)
      return false
    }
    if (this.#exceeds(result.event, roughBytes(result.event))) return false
    if ((await this.#changesNothing(result.event)) || !(await this.#budget.takes(result.event))) {
      const message = `It would hold more than 4 MB beside its messages, or more than 1,000 steps or versions: ${event.type}`
      if (!this.#full) await this.#writer.diagnose('session_full', message)
      this.#full = true
      return false
    }
    const { clipped } = result
    if (clipped.length > 0) {
      const message = `The agent sent a text that is too long; it was cut: ${event.type} ${clipped.join(', ')}`
      await this.#writer.diagnose('output_clipped', message)
    }
    await this.#writer.stream(result.event)
    return true
  }

  /**
   * Whether the event changes an artifact that does not exist because the session was full when an agent wanted to create
   * it, in this run or in an earlier one. Such an artifact is not a mistake of the agent, so the run goes on.
   */
  async #changesNothing(event: EventDraft): Promise<boolean> {
    if (!event.type.startsWith('artifact.') || MAKES_ARTIFACT.has(event.type)) return false
    const { log } = this.#writer
    const { artifactId } = event as { artifactId: string }
    const { artifacts, diagnostics } = log.state
    if (artifacts.byId.has(artifactId)) return false
    if (!this.#full && !diagnostics.byId.values().some(({ code }) => code === 'session_full')) return false
    // The artifact may just have been created: then its event is on its way into the state.
    await log.settled()
    return !artifacts.byId.has(artifactId)
  }

  /** Whether the run says more than it may. It has broken a rule then, and nothing more of it is taken. */
  #exceeds(event: EventDraft, size: number): boolean {
    const broken = this.#budget.broken(event, size)
    if (broken) this.#writer.violated(new IllegalEvent(broken.code, broken.detail, event))
    return broken !== undefined
  }

  #pieces(event: EventDraft & { delta?: unknown }, text: string): Promise<boolean> | boolean {
    if (this.#exceeds(event, text.length)) return false
    if (text === '') return true
    if (text.length > MAX_DELTA) return this.#cut(event, text)
    const room = this.#writer.stream(text === event.delta ? event : ({ ...event, delta: text } as EventDraft))
    return room ? room.then(() => true) : true
  }

  async #cut(event: EventDraft, text: string): Promise<true> {
    for (let at = 0; at < text.length; ) {
      let end = Math.min(at + MAX_DELTA, text.length)
      const last = text.charCodeAt(end - 1)
      if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--
      await this.#writer.stream({ ...event, delta: text.slice(at, end) } as EventDraft)
      at = end
    }
    return true
  }

  async #args(said: LocalOutput, event: Extract<EventDraft, { type: 'tool.args' }>): Promise<boolean> {
    const { done, summary, delta, ...part } = event
    const key = `args:${event.toolCallId}`
    const given = this.#finals.push(key, delta) + (done ? this.#finals.rest(key) : '')
    const text = this.masks.args(event.toolCallId, given, done === true)
    const about = typeof summary === 'string' ? maskText(summary) : summary
    const rest = { ...(done !== undefined && { done }), ...(about !== undefined && { summary: about }) }
    if (text.length <= MAX_DELTA) return this.#say(said, { ...part, ...rest, delta: text })
    await this.#pieces(part as EventDraft, text)
    return this.#say(said, { ...part, ...rest, delta: '' })
  }

  async #endOutput({ toolCallId }: { toolCallId: string }): Promise<void> {
    const rest = this.#finals.rest(`output:${toolCallId}`)
    const event = { type: 'tool.output.delta', ...this.#writer.ids, toolCallId } as never
    if (rest !== '') await this.#pieces(event, this.masks.output(toolCallId, undefined, rest))
    for (const { stream, text } of this.masks.heldOutput(toolCallId)) {
      await this.#pieces({ ...(event as object), ...(stream && { stream }) } as never, text)
    }
  }

  async #final(said: LocalOutput, event: Extract<EventDraft, { type: 'text.final' }>): Promise<boolean> {
    if (event.text !== undefined && typeof event.text !== 'string') return this.#say(said, event)
    const thinking = this.#thinkingOf(event)
    await this.#tell(thinking, blocks => blocks.end())
    const { text, removed } = await this.#answerOf(thinking, event.text)
    await this.#endThought(thinking)
    this.#thinking.delete(event.partId)
    await this.#pieces({ ...event, type: 'text.delta' } as never, this.#finals.rest(event.partId))
    const streamed = this.#finals.final(event.partId)
    const { text: _, citations, ...rest } = event
    const placed = { ...rest, ...(citations !== undefined && { citations: movedBack(citations, removed) }) }
    const final = text === undefined ? streamed : digestOf(text)
    const same = final.digest === streamed.digest
    if (same || text === undefined) return this.#say(said, { ...placed, ...final })
    if (text.length <= PREVIEW) return this.#say(said, { ...placed, ...final, text })
    const { ref } = await this.#host.store({ text, mediaType: 'text/markdown' })
    return this.#say(said, { ...placed, ...final, ...(ref && { ref }) })
  }

  /** The answer in a final text. Its blocks of reasoning are told unless they were streamed before. */
  async #answerOf(
    thinking: Thinking,
    whole: string | undefined,
  ): Promise<{ text: string | undefined; removed: number }> {
    if (whole === undefined) return { text: undefined, removed: thinking.blocks.removed }
    const blocks = new ThinkBlocks()
    const pieces = [...blocks.push(whole), ...blocks.end()]
    const thoughts = pieces.filter(({ kind }) => kind === 'reasoning')
    if (!thinking.blocks.thought) await this.#tell(thinking, () => thoughts)
    return { text: whole.slice(blocks.removed), removed: blocks.removed }
  }

  /** An agent may repair what agents said. Messages that it writes in a person's name are left out (C11). */
  async #repair(event: Extract<EventDraft, { type: 'messages.snapshot' }>): Promise<EventDraft> {
    const { log } = this.#writer
    const { messages: known } = log.state
    const given = Array.isArray(event.messages) ? event.messages : []
    // A message of a person may have left the memory: it has to be there for the check below.
    await log.reach(event)
    const forged = given.filter(message => {
      if (!message || known.byId.get(message.messageId)?.role === 'user') return false
      const parts = Array.isArray(message.parts) ? message.parts : []
      return message.role === 'user' || [message, ...parts].some(namesPerson)
    })
    if (forged.length > 0) {
      const message = `The agent tried to write ${forged.length} messages in a person's name; they were left out.`
      await this.#writer.diagnose('person_forged', message)
    }
    const messages = given.filter(message => !forged.includes(message)).map(message => this.#withThoughts(message))
    return { ...event, scope: 'agent', messages }
  }

  /** The message with its blocks of reasoning in parts of their own. */
  #withThoughts(message: MessageSnapshot): MessageSnapshot {
    if (!Array.isArray(message?.parts) || message.role === 'user') return message
    const parts = message.parts.flatMap((part): MessageSnapshot['parts'] => {
      if (part?.kind !== 'text' || typeof part.text !== 'string') return [part]
      const blocks = new ThinkBlocks()
      const pieces = [...blocks.push(part.text), ...blocks.end()]
      const thoughts = pieces.flatMap(({ kind, text }) =>
        kind === 'reasoning' ? [{ partId: this.#writer.nextPart(), kind, text }] : [],
      )
      return [...thoughts, { ...part, text: part.text.slice(blocks.removed) }]
    })
    return { ...message, parts }
  }
}

/** The list of secrets is for the runtime alone. */
function withoutSecrets<T extends EventDraft>(event: T): T {
  const { secrets: _, ...rest } = event as T & { secrets?: unknown }
  return rest as unknown as T
}

/** Citations that counted from the beginning of the agent's text, counted from the beginning of its answer. */
function movedBack(citations: Citation[], removed: number): Citation[] {
  if (removed === 0 || !Array.isArray(citations)) return citations
  return citations.flatMap(citation => {
    const { start, end } = citation ?? {}
    if (typeof start !== 'number' || typeof end !== 'number') return [citation]
    return end <= removed ? [] : [{ ...citation, start: Math.max(0, start - removed), end: end - removed }]
  })
}
