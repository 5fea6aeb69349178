import { AbstractAgent, type BaseEvent, EventType, type Message } from '@ag-ui/client'
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { from } from 'rxjs'
import { word } from './events.ts'

/** The way that @ag-ui/client documents for an agent of one's own: events in, `messages` out. */
class GivenAgent extends AbstractAgent {
  readonly #events: readonly BaseEvent[]

  constructor(events: readonly BaseEvent[], initialMessages: Message[]) {
    super({ threadId: 'thread', initialMessages })
    this.#events = events
  }

  override run() {
    return from(this.#events)
  }
}

export async function agUiMessages(
  events: readonly BaseEvent[],
  earlier: readonly Message[] = [],
): Promise<readonly Message[]> {
  const agent = new GivenAgent(events, [...earlier])
  await agent.runAgent({ runId: 'run' })
  return agent.messages
}

export const agUiText = (count: number): BaseEvent[] => [
  { type: EventType.RUN_STARTED, threadId: 'thread', runId: 'run' } as BaseEvent,
  { type: EventType.TEXT_MESSAGE_START, messageId: 'answer', role: 'assistant' } as BaseEvent,
  ...Array.from(
    { length: count },
    (_, index) => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'answer', delta: word(index) }) as BaseEvent,
  ),
  { type: EventType.TEXT_MESSAGE_END, messageId: 'answer' } as BaseEvent,
  { type: EventType.RUN_FINISHED, threadId: 'thread', runId: 'run' } as BaseEvent,
]

/** `readUIMessageStream` of ai: the last of the messages it yields. */
export async function aiMessage(chunks: readonly UIMessageChunk[]): Promise<UIMessage> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) last = message
  return last!
}

export const aiText = (count: number): UIMessageChunk[] => [
  { type: 'start', messageId: 'answer' },
  { type: 'text-start', id: 'text' },
  ...Array.from(
    { length: count },
    (_, index): UIMessageChunk => ({ type: 'text-delta', id: 'text', delta: word(index) }),
  ),
  { type: 'text-end', id: 'text' },
  { type: 'finish' },
]

export const aiTextOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map(part => (part.type === 'text' ? part.text : '')).join('')
