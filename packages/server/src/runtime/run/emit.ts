import { type EventDraft, weigh } from '@vitrine/protocol'
import { MAX_DELTA } from '../../log/merge.ts'
import { IllegalEvent } from '../../log/session-log.ts'
import { agentSaid } from '../reasons.ts'
import { digestOf, TextFinals } from '../text-finals.ts'
import { namesPerson } from '../turn-message.ts'
import { type FitHost, fitFailure, fitResult, PREVIEW } from './fit.ts'
import { Room } from './room.ts'
import { type LocalOutput, opened, shaped, subjectOf, take } from './take.ts'
import type { RunWriter } from './writer.ts'

/** Gives the outputs of a run's agents their place in the session and hands them to the writer. */
export class Emitter {
  readonly #writer: RunWriter
  readonly #host: FitHost
  readonly #finals = new TextFinals()
  readonly #room: Room
  /** What is known to have the shape of its class: deltas are many, and those of a part differ in their text alone. */
  readonly #shaped = new Set<string>()
  #full = false
  /** Calls and artifacts whose first event was refused: what follows is about nothing. */
  readonly #refused = new Set<string>()

  constructor(writer: RunWriter, host: FitHost) {
    this.#writer = writer
    this.#host = host
    this.#room = new Room(writer.log)
  }

  /**
   * Takes what an agent yielded. `prefix` keeps the ids of child agents apart; `agentId` says which of them speaks.
   * Returns the output as it was understood; nothing when it was refused.
   */
  async emit(given: unknown, prefix: string, agentId: string | null): Promise<LocalOutput | undefined> {
    const taken = take(given)
    const refuse = (subject: string | undefined): unknown => subject && this.#refused.add(`${prefix} ${subject}`)
    if ('finding' in taken) {
      const { code, message, opens } = taken.finding
      refuse(opens)
      await this.#writer.diagnose(code, message)
      return undefined
    }
    const { output } = taken
    if (this.#refused.has(`${prefix} ${subjectOf(output)}`)) return undefined
    const said = await this.#placed(this.#place(output, prefix, agentId))
    if (!said) refuse(opened(output))
    return output
  }

  /** An agent that ends well has said all of its texts. */
  finishTexts(open: readonly string[]): EventDraft[] {
    const { log, ids } = this.#writer
    return open.flatMap((key): EventDraft[] => {
      const part = key.startsWith('part:') ? log.state.parts.byId.get(key.slice('part:'.length)) : undefined
      if (!part) return []
      const at = { ...ids, messageId: part.messageId, partId: part.partId }
      const rest = this.#finals.rest(part.partId)
      if (part.kind === 'reasoning') return [{ type: 'reasoning.summary', ...at }]
      if (part.kind !== 'text') return []
      const delta: EventDraft[] = rest ? [{ type: 'text.delta', ...at, delta: rest }] : []
      const final = this.#finals.final(part.partId)
      // A child that still spoke when the run ended was cut off: its text stays incomplete.
      if (final.length !== part.text.length + rest.length) return []
      return [...delta, { type: 'text.final', ...at, ...final }]
    })
  }

  /** The event with ids of the session instead of those that are local to the run. */
  #place(output: LocalOutput, prefix: string, agentId: string | null): EventDraft {
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
      ...(agentId !== null && output.agentId === undefined && { agentId }),
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

  /** False when the event was refused for its shape. */
  async #placed(event: EventDraft): Promise<boolean> {
    const writer = this.#writer
    switch (event.type) {
      case 'text.delta':
      case 'reasoning.delta':
        if (!(await this.#hasShape(event, event.partId))) return false
        await writer.setStatus('streaming')
        return this.#pieces(event, this.#finals.push(event.partId, event.delta))
      case 'text.final':
        return this.#final(event)
      case 'tool.started':
        await writer.setStatus('tool')
        return this.#say(event)
      case 'tool.output.delta':
        if (!(await this.#hasShape(event, `${event.toolCallId} ${event.stream}`))) return false
        return this.#pieces(event, this.#finals.push(`output:${event.toolCallId}`, event.delta))
      case 'tool.args':
        return this.#args(event)
      case 'tool.result':
        await this.#endOutput(event)
        return this.#say(await fitResult(event, this.#host, correction => writer.diagnose('ui_hints', correction)))
      case 'tool.failed':
        await this.#endOutput(event)
        return this.#say(await fitFailure(event, this.#host))
      case 'messages.snapshot':
        return this.#say(await this.#repair(event))
      default:
        return this.#say(event)
    }
  }

  /** A delta that is refused must not count as said: what is wrong with it is found before it is taken apart. */
  async #hasShape(event: EventDraft, target: string): Promise<boolean> {
    const key = `${event.type} ${target} ${event.agentId}`
    if (this.#shaped.has(key)) return true
    const result = shaped({ ...event, delta: 'x' } as EventDraft)
    if ('finding' in result) await this.#writer.diagnose(result.finding.code, result.finding.message)
    else this.#shaped.add(key)
    return !('finding' in result)
  }

  /** Everything but deltas. */
  async #say(event: EventDraft): Promise<boolean> {
    const result = shaped(event)
    if ('finding' in result) {
      await this.#writer.diagnose(result.finding.code, result.finding.message)
      return false
    }
    if (this.#exceeds(result.event, weigh(result.event))) return false
    if (!(await this.#room.takes(result.event))) {
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

  /** A run that says more than there is room for has broken a rule, and nothing more of it is taken. */
  #exceeds(event: EventDraft, size: number): boolean {
    const broken = this.#room.broken(event, size)
    if (broken) this.#writer.violated(new IllegalEvent(broken.code, broken.detail, event))
    return broken !== undefined
  }

  async #pieces(event: EventDraft & { delta?: unknown }, text: string): Promise<boolean> {
    if (this.#exceeds(event, text.length)) return false
    if (text && text === event.delta && text.length <= MAX_DELTA) {
      await this.#writer.stream(event)
      return true
    }
    for (let at = 0; at < text.length; ) {
      let end = Math.min(at + MAX_DELTA, text.length)
      const last = text.charCodeAt(end - 1)
      if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--
      await this.#writer.stream({ ...event, delta: text.slice(at, end) } as EventDraft)
      at = end
    }
    return true
  }

  async #args(event: Extract<EventDraft, { type: 'tool.args' }>): Promise<boolean> {
    const { done, summary, delta, ...part } = event
    const key = `args:${event.toolCallId}`
    const text = this.#finals.push(key, delta) + (done ? this.#finals.rest(key) : '')
    const rest = { ...(done !== undefined && { done }), ...(summary !== undefined && { summary }) }
    if (text.length <= MAX_DELTA) return this.#say({ ...part, ...rest, delta: text })
    await this.#pieces(part as EventDraft, text)
    return this.#say({ ...part, ...rest, delta: '' })
  }

  async #endOutput({ toolCallId }: { toolCallId: string }): Promise<void> {
    const rest = this.#finals.rest(`output:${toolCallId}`)
    await this.#pieces({ type: 'tool.output.delta', ...this.#writer.ids, toolCallId } as never, rest)
  }

  async #final(event: Extract<EventDraft, { type: 'text.final' }>): Promise<boolean> {
    await this.#pieces({ ...event, type: 'text.delta' } as never, this.#finals.rest(event.partId))
    const streamed = this.#finals.final(event.partId)
    const { text, ...rest } = event
    if (text !== undefined && typeof text !== 'string') return this.#say(event)
    const final = text === undefined ? streamed : digestOf(text)
    const same = final.digest === streamed.digest
    if (same || text === undefined) return this.#say({ ...rest, ...final })
    if (text.length <= PREVIEW) return this.#say({ ...rest, ...final, text })
    const { ref } = await this.#host.store({ text, mediaType: 'text/markdown' })
    return this.#say({ ...rest, ...final, ...(ref && { ref }) })
  }

  /** An agent repairs what agents said. What it says in a person's name is left out (C11). */
  async #repair(event: Extract<EventDraft, { type: 'messages.snapshot' }>): Promise<EventDraft> {
    const { log } = this.#writer
    const { messages: known } = log.state
    const given = Array.isArray(event.messages) ? event.messages : []
    // Also messages that have left the memory may be a person's.
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
    return { ...event, scope: 'agent', messages: given.filter(message => !forged.includes(message)) }
  }
}
