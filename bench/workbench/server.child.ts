import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, type AgentOutput, startServer } from '@vitrine/server'
import { word } from '../events.ts'
import { answers, ORDINARY } from './answers.ts'

/** What a turn asks of the agent. */
export type Task =
  /** So many messages, each with so many pieces of text. */
  | { kind: 'history'; messages: number; pieces: number }
  /** One message of so many characters. */
  | { kind: 'long'; characters: number }
  /** Tokens at the pace of a fast model; each says when it was yielded. */
  | { kind: 'live'; tokens: number; perSecond: number }
  /** These words. */
  | { kind: 'say'; text: string }
  /** One of the answers that have a name: at once, or little by little because somebody looks. */
  | { kind: 'answer'; name: string; seen?: boolean }

async function* history(messages: number, pieces: number): AsyncIterable<AgentOutput> {
  for (let message = 0; message < messages; message++) {
    for (let piece = 0; piece < pieces; piece++) {
      // Pieces of one part in a row become one event; two parts that take turns keep each its own.
      const at = { messageId: `m${message}`, partId: `m${message}p${piece % 2}` }
      yield { type: 'text.delta', ...at, delta: `${word(message + piece)} is what piece ${piece} says. ` }
    }
  }
}

async function* live(tokens: number, perSecond: number): AsyncIterable<AgentOutput> {
  const since = performance.now()
  for (let token = 0; token < tokens; token++) {
    yield { type: 'text.delta', partId: 'answer', delta: `t${Date.now()} ` }
    if (token % 40 === 39) yield { type: 'text.delta', partId: 'answer', delta: '\n\n' }
    await sleep(Math.max(0, since + ((token + 1) * 1000) / perSecond - performance.now()))
  }
}

/** What of an answer comes at once when nobody looks, what does while somebody does, and how much of it they see. */
const PORTION = 8_000
const SEEN_PORTION = 2_000
const SEEN = 100_000
const SEEN_PER_SECOND = 20
/** A token of a fast model, and how many of them come in a second. */
const TOKEN = 4
const TOKENS_PER_SECOND = 200

async function* answer(name: string, seen: boolean): AsyncIterable<AgentOutput> {
  const made = answers[name]!()
  if (typeof made !== 'string') return void (yield* made)
  const [portion, perSecond] = name === ORDINARY ? [TOKEN, TOKENS_PER_SECOND] : [SEEN_PORTION, SEEN_PER_SECOND]
  const [text, size] = seen ? [made.slice(0, SEEN), portion] : [made, PORTION]
  const since = performance.now()
  for (let at = 0; at < text.length; at += size) {
    yield { type: 'text.delta', partId: 'answer', delta: text.slice(at, at + size) }
    if (seen) await sleep(Math.max(0, since + ((at / size + 1) * 1000) / perSecond - performance.now()))
  }
}

const agent: Agent = {
  agentId: 'bench',
  name: 'Bench',
  description: 'Says what the measurement asks for',
  scripted: true,
  async *run(input): AsyncIterable<AgentOutput> {
    const task = JSON.parse(input.text) as Task
    if (task.kind === 'history') yield* history(task.messages, task.pieces)
    else if (task.kind === 'live') yield* live(task.tokens, task.perSecond)
    else if (task.kind === 'say') yield { type: 'text.delta', partId: 'answer', delta: task.text }
    else if (task.kind === 'answer') yield* answer(task.name, task.seen ?? false)
    else {
      const paragraph = `${Array.from({ length: 60 }, (_, index) => word(index)).join(' ')}.\n\n`
      for (let said = 0; said < task.characters; said += paragraph.length) {
        yield { type: 'text.delta', partId: 'answer', delta: paragraph }
      }
    }
  },
}

const [dataFolder, staticFolder] = process.argv.slice(2) as [string, string]
const server = await startServer({ dataFolder, staticFolder, port: 0, host: '127.0.0.1', agents: [agent] })
process.send!({ url: server.url })
process.on('message', async () => {
  await server.close()
  process.disconnect()
})
