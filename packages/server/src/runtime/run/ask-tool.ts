import type { ActionRequest, JsonObject } from '@vitrine/protocol'
import type { ActionResponse, AgentOutput } from '../../agents/agent.ts'
import { AgentError } from '../../agents/agent-error.ts'
import { errorData } from '../../agents/thrown.ts'
import { maskResponse, maskWords } from '../mask-response.ts'
import { announce, type RuntimeTool } from './drawing-tools.ts'

export interface Asking {
  /** Whether the agent has the tool `a2ui` as well. */
  a2ui: boolean
  /** An id for the next call, local to the run. */
  callId(name: string): string
  emit(output: AgentOutput): Promise<void>
  ask(request: ActionRequest & { toolCallId: string }): Promise<ActionResponse>
}

const text = { type: 'string' }
const inputSchema: JsonObject = {
  type: 'object',
  required: ['question'],
  properties: {
    question: { ...text, description: 'What you need to know, in one sentence' },
    detail: { ...text, description: 'What helps to answer it, as markdown' },
    options: {
      type: 'array',
      description: 'The answers to choose from',
      items: { type: 'object', required: ['value', 'label'], properties: { value: text, label: text, detail: text } },
    },
    multiple: { type: 'boolean', description: 'Several of the options may be chosen' },
    schema: { type: 'object', description: 'JSON Schema of the answer, when it has several fields' },
  },
}

const prompt = `# Asking with the ask tool

Use it for a question that must be answered before you go on. The run waits, and the answer of the person is the result of
the call: {"outcome": "answered", "value": …}; when they decline it is {"outcome": "denied"}. Give options when the answer is
one of a few, or a JSON Schema when it has several fields. "text", when it is there, is what the person wrote in their own
words, instead of an option or together with a no: go by it.`

const drawInstead = ' For something that people look at or use again later, draw with the a2ui tool instead.'

/** The tool by which any agent asks a modal, blocking question. The call is shown like every other one. */
export function askTool({ a2ui, callId, emit, ask }: Asking): RuntimeTool {
  return {
    name: 'ask',
    description: 'Asks the person something and waits for the answer.',
    inputSchema,
    prompt: a2ui ? prompt + drawInstead : prompt,
    async call(args, announced) {
      const request = requestOf(args ?? {})
      const summary = request.title === '' ? {} : { summary: request.title }
      const toolCallId = await announce({ callId, emit }, { name: 'ask', args: args ?? {}, ...summary }, announced)
      try {
        if (request.title === '') throw new AgentError('Give the question as a text.', { code: 'invalid_arguments' })
        const { outcome, value, text } = await ask({ ...request, toolCallId })
        const words = text === undefined ? {} : { text }
        const shown = {
          value: maskResponse(request.schema, value),
          ...(text !== undefined && { text: maskWords(request.schema, outcome, text) }),
        }
        await emit({ type: 'tool.result', toolCallId, value: { outcome, ...shown } })
        return { outcome, value, ...words }
      } catch (error) {
        const { code = 'ask_failed', message } = errorData(error)
        const answer = { outcome: 'failed', error: message }
        await emit({ type: 'tool.failed', toolCallId, error: { code, message }, value: answer })
        return answer
      }
    },
  }
}

/** Whatever a model wrote: what is wrong with it is found, and told, where every request is checked. */
function requestOf({ question, detail, options, multiple, schema }: JsonObject): ActionRequest {
  const kind = options !== undefined ? 'choice' : schema !== undefined ? 'form' : 'question'
  const title = typeof question === 'string' ? question.trim() : ''
  const rest = { detail, options, multiple, schema }
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return { kind, title, ...given } as ActionRequest
}
