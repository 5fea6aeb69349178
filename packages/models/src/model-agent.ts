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
import { Attachments } from './attachments.ts'
import { merge } from './merge.ts'
import { toModelMessages } from './messages.ts'
import { type Model, modelNamed, type ProviderOptions } from './open-model.ts'
import { type CallRules, callOffered, isMistaken, runCall } from './run-call.ts'
import { type ModelSettings, type Spoken, speak } from './speak.ts'
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
}

/** Messages of the conversation that the model is given at most. */
const MOST_MESSAGES = 10_000
/** How often in a row a model may give a tool arguments that do not fit. */
const MOST_MISTAKES = 2

/** An agent that answers with a language model and runs its tools. */
export function modelAgent(options: ModelAgentOptions): Agent {
  const { agentId, name, description } = options
  const own = checkedTools(options.tools ?? [])
  const rules: CallRules = {
    asks: options.approve ?? (({ effects }) => effects === 'writes' || effects === 'outside'),
    toolTimeoutMs: options.toolTimeoutMs ?? 300_000,
  }
  const { model } = options
  const open = typeof model === 'string' ? modelNamed(model, options.provider) : async () => model
  return {
    agentId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    scripted: false,
    async *run(input, context) {
      const { runtimeTools: wanted } = options
      const isWanted = ({ name, sourceId }: AgentTool): boolean =>
        sourceId !== undefined || name === 'find_tools' || (wanted?.includes(name) ?? true)
      // Tools that the model finds are added to the list while the run goes on.
      let offered: readonly AgentTool[] = []
      const answer: { messageId: string; role: 'assistant'; text: string; parts: HistoryPart[] } = {
        messageId: context.runId,
        role: 'assistant',
        text: '',
        parts: [],
      }
      const turn: HistoryMessage = { messageId: context.turnId, role: 'user', text: input.text }
      if (input.files) turn.files = input.files
      const conversation = [...(await context.history(MOST_MESSAGES)), turn, answer]
      const attachments = new Attachments(context.readFile)
      const request = {
        model: await open(),
        settings: options.settings ?? {},
      }
      const usedCalls = new Set<string>()
      const mistakes = new Map<string, number>()
      const maxSteps = options.maxSteps ?? 20
      let total: Usage = {}

      for (let step = 1; step <= maxSteps; step++) {
        answer.parts.push(...(await takenSteers(context)))
        await attachments.load(conversation)
        yield { type: 'step.started', stepId: `${step}` }
        const messages = toModelMessages(conversation, attachments.part)
        offered = besideOwn(context.tools.filter(isWanted), own)
        const prompts = [options.instructions ?? '', ...offered.map(({ prompt }) => prompt)]
        const offer = {
          instructions: prompts.filter(Boolean).join('\n\n'),
          tools: toolSet(own.values(), offered),
          ofRuntime: new Set(offered.map(({ name }) => name)),
        }
        const spoken = yield* speak({ ...request, ...offer, messages }, step, usedCalls, context)
        if (!spoken) return
        answer.parts.push(...spoken.parts)
        total = plusUsage(total, spoken.usage)
        const values = spoken.model === undefined ? {} : { model: spoken.model }
        yield { type: 'metric.changed', scope: 'run', usage: total, values }
        yield* merge(spoken.calls.map(running))
        if (context.signal.aborted) return
        yield { type: 'step.finished', stepId: `${step}`, finishReason: spoken.finishReason, usage: spoken.usage }
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

      async function* running(call: HistoryCall): AsyncGenerator<AgentOutput, void> {
        const tool = offered.find(({ name }) => name === call.name)
        if (tool) await callOffered(call, tool)
        else yield* runCall(call, own.get(call.name), rules, context)
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

function* ended({ parts, reason, rawReason }: Spoken, step: number): Generator<AgentOutput> {
  if (!isWhole(reason)) yield stoppedEarly(reason, rawReason, parts.length > 0)
  else if (parts.length === 0 && step === 1) {
    throw new AgentError('The model answered with nothing.', { code: 'model_silent', next: 'Try again.' })
  }
}

async function takenSteers({ steers }: AgentContext): Promise<HistoryPart[]> {
  const taken = await steers.take()
  return taken.map(({ text, files }) => ({ kind: 'steer', text, ...(files && { files }) }))
}
