import type { Usage } from '@vitrine/protocol'
import {
  type Agent,
  type AgentContext,
  AgentError,
  type AgentOutput,
  type AgentTool,
  type HistoryCall,
  type HistoryMessage,
  type HistoryPart,
} from '@vitrine/server'
import { type ModelMessage, simulateStreamingMiddleware, wrapLanguageModel } from 'ai'
import { Attachments, inputsOf, type ModelInputs } from './attachments.ts'
import { ContextMeter, cutOf, estimatedTokens, shortened, summarise } from './compaction.ts'
import { withCost } from './cost.ts'
import { knownModel, type ModelPrice } from './known-models.ts'
import { merge } from './merge.ts'
import { COMPACT, stepOf, toModelMessages } from './messages.ts'
import { type Model, modelNamed, type ProviderOptions } from './open-model.ts'
import { explain } from './provider-errors.ts'
import { readingTool } from './reading-tool.ts'
import { type CallRules, callOffered, isMistaken, runCall } from './run-call.ts'
import { type ModelSettings, type Spoken, type StepRequest, speak } from './speak.ts'
import { isWhole } from './step-outputs.ts'
import { stoppedEarly } from './stopped-early.ts'
import { besideOwn, checkedTools, type ModelTool, toolSet } from './tools.ts'
import { plusUsage } from './usage.ts'

/** What a model agent is made of. */
export interface ModelAgentOptions {
  /** The name by which sessions remember the agent. */
  agentId: string
  name?: string
  description?: string
  /** A model of the AI SDK, or the name of one such as `anthropic:claude-sonnet-4-5` or `ollama:llama3.2`. */
  model: Model | `${string}:${string}`
  /** How the provider of a model with a name is reached. */
  provider?: ProviderOptions
  /** What the model is told before the conversation. */
  instructions?: string
  tools?: readonly ModelTool[]
  /** The tools of the runtime that the model gets: `a2ui`, `show_ui` and `ask` when nothing is given. */
  runtimeTools?: readonly string[]
  /**
   * Whether a person is asked before a call. Without it those that write or act outside are asked about. What the person
   * chooses for a tool in a session counts before it.
   */
  approve?: CallRules['asks']
  /** How often the model may be asked in one run. */
  maxSteps?: number
  /** How long one tool may take. */
  toolTimeoutMs?: number
  settings?: ModelSettings
  /**
   * How many tokens the context of the model has. When it is nearly full, older messages are summarised. Without it that
   * is done when the provider says that the conversation is too long.
   */
  contextTokens?: number
  /** What the model takes beside text. What is not said is tried. */
  takes?: ModelInputs
  /** What the model costs. A well-known model with a name has the price that is known; without one no cost is told. */
  price?: ModelPrice
}

/** A model that is ready for a run. */
export interface OpenedModel {
  model: Model
  /** The key of its provider, which no message may repeat. */
  secret?: string | undefined
  price?: ModelPrice | undefined
  /** What is known of it, where the options of the agent do not say it. */
  contextTokens?: number | undefined
  takes?: ModelInputs | undefined
}

/** Messages of the conversation that the model is given at most. */
const MOST_MESSAGES = 10_000
/** How often in a row a model may give a tool arguments that do not fit. */
const MOST_MISTAKES = 2
/** What a model may lack for good. It is then asked without it. */
const LACKING: ReadonlySet<string> = new Set(['tools_unsupported', 'streaming_unsupported'])

/** An agent that answers with a language model and runs its tools. */
export function modelAgent(options: ModelAgentOptions): Agent {
  const { model, provider, price } = options
  if (typeof model !== 'string') return agentWith(options, async () => ({ model, price }))
  const open = modelNamed(model, provider)
  const at = model.indexOf(':')
  const known = provider?.baseURL === undefined ? knownModel(model.slice(0, at), model.slice(at + 1)) : undefined
  const takes = inputsOf(known?.takes)
  const facts = { secret: provider?.apiKey, price: price ?? known?.price, contextTokens: known?.contextTokens, takes }
  return agentWith(options, async () => ({ model: await open(), ...facts }))
}

/** The agent, with a way to its model that is asked when a run begins. */
export function agentWith(
  options: Omit<ModelAgentOptions, 'model' | 'provider' | 'price'>,
  open: () => Promise<OpenedModel>,
): Agent {
  const { agentId, name, description } = options
  const own = checkedTools(options.tools ?? [])
  const rules: CallRules = {
    asks: options.approve ?? (({ effects }) => effects === 'writes' || effects === 'outside'),
    toolTimeoutMs: options.toolTimeoutMs ?? 300_000,
  }
  /** What the provider has refused since this process began. */
  const lacks = new Set<string>()
  return {
    agentId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    scripted: false,
    resume: 'steps',
    commands: [{ name: 'compact', description: 'Summarises the conversation, so that the model has room again' }],
    async *run(input, context) {
      const { runtimeTools: wanted } = options
      const isWanted = ({ name, sourceId }: AgentTool): boolean =>
        sourceId !== undefined || name === 'find_tools' || (wanted?.includes(name) ?? true)
      // Tools that the model finds are added to the list while the run goes on.
      const toolsNow = (): AgentTool[] => besideOwn(context.tools.filter(isWanted), own)
      let offered = toolsNow()
      const before = context.resumed
      const answer: { messageId: string; role: 'assistant'; text: string; parts: HistoryPart[] } = {
        messageId: context.runId,
        role: 'assistant',
        text: '',
        parts: [...(before?.parts ?? [])],
      }
      const turn: HistoryMessage = { messageId: context.turnId, role: 'user', text: input.text }
      if (input.files) turn.files = input.files
      const conversation = [...(await context.history(MOST_MESSAGES)), turn, answer]
      const { model, secret, price, contextTokens, takes } = await open()
      const window = options.contextTokens ?? contextTokens
      const attachments = new Attachments(context.readFile, options.takes ?? takes)
      await attachments.load(conversation)
      // The tool is there as soon as a large file is, so that the tools stay the same from turn to turn.
      const reading = attachments.large.size > 0 ? readingTool(attachments) : undefined
      const mine = new Map([...own, ...(reading ? ([[reading.name, reading]] as const) : [])])
      const request = (): Omit<StepRequest, 'messages'> => ({
        model: lacks.has('streaming_unsupported') ? whole(model) : model,
        secret,
        instructions: [options.instructions ?? '', ...offered.map(({ prompt }) => prompt)].filter(Boolean).join('\n\n'),
        tools: lacks.has('tools_unsupported') ? {} : toolSet(mine.values(), offered),
        ofRuntime: new Set(offered.map(({ name }) => name)),
        settings: options.settings ?? {},
      })
      const meter = new ContextMeter(window)
      const usedCalls = new Set<string>(before?.callIds)
      const mistakes = new Map<string, number>()
      const maxSteps = options.maxSteps ?? 20
      let total = (before?.steps ?? []).reduce<Usage | undefined>(
        (sum, { usage }) => (usage ? plusUsage(sum, usage) : sum),
        undefined,
      )
      let compactions = 0
      let last = Number(before?.steps.at(-1)?.stepId ?? 0)

      if (input.text.trim() === COMPACT) {
        yield { type: 'step.started', stepId: `${last + 1}` }
        if (!(yield* compact(last + 1)) && !context.signal.aborted && compactions === 0)
          yield { type: 'text.delta', partId: 'nothing', delta: 'There is nothing to summarise yet.' }
        yield { type: 'step.finished', stepId: `${last + 1}` }
        return
      }

      if (before?.openStep !== undefined) {
        // The model has ended, and the restart came while its calls ran: they are finished under their ids.
        const calls = callsOf(answer.parts, before.openStep)
        yield* merge(calls.filter(({ result, error }) => !result && !error).map(running))
        if (context.signal.aborted) return
        yield { type: 'step.finished', stepId: before.openStep }
        for (const call of calls) count(call)
        last = Number(before.openStep)
      } else if (last > 0 && answer.parts.at(-1)?.kind !== 'steer' && callsOf(answer.parts, `${last}`).length === 0) {
        // The restart came when the answer was complete.
        const steers = await takenSteers(context)
        if (steers.length === 0) return
        answer.parts.push(...steers)
      }

      for (let step = last + 1; step <= maxSteps; step++) {
        answer.parts.push(...(await takenSteers(context)))
        await attachments.load(conversation)
        yield { type: 'step.started', stepId: `${step}` }
        offered = toolsNow()
        if (meter.isFull(messagesNow())) yield* compact(step)
        const spoken = yield* answered(step)
        if (!spoken) return
        meter.learn(estimatedTokens(messagesNow()), spoken.usage.inputTokens)
        answer.parts.push(...spoken.parts)
        const usage = withCost(spoken.usage, price)
        total = plusUsage(total, usage)
        const { inputTokens, outputTokens = 0 } = spoken.usage
        const values = {
          ...(spoken.model !== undefined && { model: spoken.model }),
          // What the model has before it now; the next step begins with it.
          ...(inputTokens !== undefined && { contextUsed: inputTokens + outputTokens }),
          ...(window !== undefined && { contextTokens: window }),
        }
        yield { type: 'metric.changed', scope: 'run', usage: total, values }
        yield* merge(spoken.calls.map(running))
        if (context.signal.aborted) return
        yield { type: 'step.finished', stepId: `${step}`, finishReason: spoken.finishReason, usage }
        for (const call of spoken.calls) count(call)
        if (spoken.calls.length > 0) continue
        yield* ended(spoken, step)
        // What a person said meanwhile is answered before the run ends.
        const steers = await takenSteers(context)
        if (steers.length === 0) return
        answer.parts.push(...steers)
      }
      throw new AgentError(`The agent has asked its model ${maxSteps} times, and that is its limit.`, {
        code: 'max_steps',
        next: 'Say that it should go on, or raise maxSteps of the agent.',
        retryable: false,
      })

      function messagesNow(): ModelMessage[] {
        return toModelMessages(conversation, attachments.part)
      }

      /** One step. What the model or its provider cannot take is left out, and people are told. */
      async function* answered(step: number): AsyncGenerator<AgentOutput, Spoken | undefined> {
        let compactions = 0
        for (;;) {
          try {
            const number = { step, times: before?.times ?? 0 }
            return yield* speak({ ...request(), messages: messagesNow() }, number, usedCalls, context)
          } catch (error) {
            const code = error instanceof AgentError ? error.code : ''
            if (code === 'context_too_long') {
              if (compactions++ > 0 || !(yield* compact(step))) throw error
            } else if (code === 'files_unsupported' && attachments.hasBytes) attachments.refused = true
            else if (LACKING.has(code) && !lacks.has(code)) lacks.add(code)
            else throw error
            const told = toldOf(code)
            if (told) yield told
          }
        }
      }

      /** Puts a summary in the place of what is old. False when there is nothing old, or it could not be summarised. */
      async function* compact(step: number): AsyncGenerator<AgentOutput, boolean> {
        const sizeOf = (messages: readonly HistoryMessage[]): number =>
          meter.tokens(toModelMessages(messages, attachments.part))
        const now = messagesNow()
        const cut = cutOf(conversation, sizeOf, meter.kept(now))
        if (!cut) return false
        const number = ++compactions
        const mark = before ? `r${before.times}.` : ''
        const compactionId = `${context.runId}/${mark}${number}`
        const partId = `${step}.${mark}k/${number}`
        yield { type: 'context.compaction.started', partId, compactionId }
        const older = toModelMessages(cut.older, attachments.part)
        try {
          const { summary, usage } = await summarise(request(), older, context.signal).catch(error => {
            if (explain(error).error.code !== 'context_too_long') throw error
            return summarise(request(), shortened(older), context.signal)
          })
          total = plusUsage(total, withCost(usage, price))
          const kept: HistoryPart = { kind: 'compaction', partId, summary, keptFrom: cut.keptFrom }
          const tokensBefore = meter.tokens(now)
          answer.parts.push(kept)
          const tokensAfter = meter.tokens(messagesNow())
          const facts = { summary, keptFrom: cut.keptFrom, tokensBefore, tokensAfter }
          yield { type: 'context.compaction.completed', compactionId, ...facts }
          return true
        } catch (error) {
          if (context.signal.aborted) return false
          const { message } = explain(error).error
          yield { type: 'part.retracted', partId, reason: message }
          yield notice(
            'compaction_failed',
            `The conversation could not be summarised: ${message} Nothing of it is lost.`,
          )
          return false
        }
      }

      async function* running(call: HistoryCall): AsyncGenerator<AgentOutput, void> {
        const tool = offered.find(({ name }) => name === call.name)
        if (tool) await callOffered(call, tool)
        else yield* runCall(call, mine.get(call.name), rules, context)
      }

      function count(call: HistoryCall): void {
        const made = isMistaken(call) ? (mistakes.get(call.name) ?? 0) + 1 : 0
        mistakes.set(call.name, made)
        if (made <= MOST_MISTAKES) return
        throw new AgentError(`The model called the tool ${call.name} ${made} times with arguments that do not fit.`, {
          code: 'tool_arguments_invalid',
          next: 'Ask in other words, or choose another model.',
        })
      }
    },
  }
}

/** The calls of a step that are not the provider's own. */
const callsOf = (parts: readonly HistoryPart[], step: string): HistoryCall[] =>
  parts.filter(
    part => part.kind === 'call' && part.executor !== 'provider' && stepOf(part.partId) === step,
  ) as HistoryCall[]

function* ended({ parts, reason, rawReason }: Spoken, step: number): Generator<AgentOutput> {
  if (!isWhole(reason)) yield stoppedEarly(reason, rawReason, parts.length > 0)
  else if (parts.length === 0 && step === 1) {
    throw new AgentError('The model answered with nothing.', { code: 'model_silent', next: 'Try again.' })
  }
}

const notice = (code: string, message: string): AgentOutput => ({
  type: 'diagnostic.changed',
  diagnosticId: code,
  state: 'open',
  level: 'warning',
  code,
  message: message.slice(0, 2_000),
})

/** What people are told of something that the model cannot take. That an answer does not stream is seen anyway. */
function toldOf(code: string): AgentOutput | undefined {
  if (code === 'files_unsupported')
    return notice(code, 'The model does not take the attached images or documents. It is told their names alone.')
  if (code === 'tools_unsupported') return notice(code, 'The model cannot use tools, so it answers without them.')
  return undefined
}

/** The model, asked for its whole answer at once. */
const whole = (model: Model): Model =>
  wrapLanguageModel({ model: model as never, middleware: simulateStreamingMiddleware() }) as Model

async function takenSteers({ steers }: AgentContext): Promise<HistoryPart[]> {
  const taken = await steers.take()
  return taken.map(({ text, files }) => ({ kind: 'steer', text, ...(files && { files }) }))
}
