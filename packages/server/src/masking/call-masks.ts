import type { EventDraft, JsonObject } from '@vitrine/protocol'
import { isObject } from '@vitrine/protocol'
import { DeclaredSecrets, maskJson, maskText, NO_SECRETS } from './mask-secrets.ts'
import { ArgsStream, SecretStream } from './mask-stream.ts'

type ToolEvent = Extract<EventDraft, { type: `tool.${string}` }>

interface OpenCall {
  declared: DeclaredSecrets
  args: ArgsStream
  /** By the stream of the program. */
  output: Map<string, SecretStream>
}

/** Masks what is said of the calls of a run before it becomes a fact (L10). The tools themselves get what was meant. */
export class CallMasks {
  /** What the tools declare that an agent may call, by the prefix of the agent and the name of the tool. */
  readonly #tools = new Map<string, DeclaredSecrets>()
  readonly #open = new Map<string, OpenCall>()

  /** Says what a tool declares as secret, before it is called. */
  declare(prefix: string, name: string, declared: DeclaredSecrets): void {
    if (declared.any) this.#tools.set(`${prefix} ${name}`, declared)
  }

  /** A call begins. An agent that announces it may say with it what is secret. */
  started(toolCallId: string, prefix: string, name: unknown, secrets: unknown): void {
    const said = Array.isArray(secrets) && secrets.length > 0 ? new DeclaredSecrets(secrets) : NO_SECRETS
    const declared = this.#tools.get(`${prefix} ${name}`) ?? said
    this.#open.set(toolCallId, { declared, args: new ArgsStream(declared), output: new Map() })
  }

  /** What a tool declares whose call is open. */
  of(toolCallId: string): DeclaredSecrets {
    return this.#open.get(toolCallId)?.declared ?? NO_SECRETS
  }

  args(toolCallId: string, text: string, done: boolean): string {
    const stream = this.#open.get(toolCallId)?.args
    return stream ? stream.push(text) + (done ? stream.end() : '') : maskText(text)
  }

  output(toolCallId: string, stream: string | undefined, text: string): string {
    const call = this.#open.get(toolCallId)
    if (!call) return maskText(text)
    const found = call.output.get(stream ?? '') ?? new SecretStream()
    call.output.set(stream ?? '', found)
    return found.push(text)
  }

  /** The words of a call that were held back until more came. */
  heldOutput(toolCallId: string): { stream: string; text: string }[] {
    const streams = [...(this.#open.get(toolCallId)?.output ?? [])]
    return streams.map(([stream, words]) => ({ stream, text: words.end() })).filter(({ text }) => text !== '')
  }

  heldArgs(toolCallId: string): string {
    return this.#open.get(toolCallId)?.args.end() ?? ''
  }

  get open(): readonly string[] {
    return [...this.#open.keys()]
  }

  /** An event of a call without its secrets: its result, its failure, its progress, its title. */
  masked<T extends ToolEvent>(event: T): T {
    const declared = this.of(event.toolCallId)
    const { type, runId, turnId, messageId, partId, toolCallId, subagentId, ...said } = event as T & JsonObject
    const ends = type === 'tool.failed' || (type === 'tool.result' && said.preliminary !== true)
    if (ends) this.#open.delete(toolCallId as string)
    if (!isObject(said)) return event
    const next = maskJson(said as JsonObject)
    const whole = Object.fromEntries(
      Object.entries(next).map(([name, value]) => [
        name,
        RESULTS.has(name) && value !== undefined ? maskJson(value, declared) : value,
      ]),
    )
    return { ...event, ...whole }
  }
}

/** Where pointers of a tool into its result begin. */
const RESULTS: ReadonlySet<string> = new Set(['value', 'structured'])
