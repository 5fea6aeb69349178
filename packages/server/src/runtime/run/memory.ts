import { isObject, type Json, type JsonObject, jsonBytes, own } from '@vitrine/protocol'
import type { AgentMemory } from '../../agents/agent.ts'
import { AgentError } from '../../agents/agent-error.ts'
import { asJson, NotJson } from '../../agents/as-json.ts'
import { maskJson } from '../../masking/mask-secrets.ts'
import type { RunWriter } from './writer.ts'

const MAX_KEYS = 64
const MAX_KEY = 100
const MAX_VALUE = 4 * 1024
const MAX_ALL = 16 * 1024
/** Every change is a fact, so a run that changes something without end is stopped. */
const MAX_CHANGES = 200

/** Where the facts of a session have the memory of an agent. A branch begins with a copy of it, because it copies the log. */
const memoryName = (agentId: string): string => `memory:${agentId}`

/** What an agent remembers in a session beside the messages. All runs of the agent in the session share it. */
export function memoryOf(writer: RunWriter, agentId: string): AgentMemory {
  const { log } = writer
  const name = memoryName(agentId)
  let changes = 0
  let last: Promise<unknown> = Promise.resolve()

  const all = (): JsonObject => {
    const found = log.state.session.metadata[name]
    return isObject(found) ? (found as JsonObject) : {}
  }

  async function change(key: string, value: Json | undefined): Promise<void> {
    if (++changes > MAX_CHANGES) throw wrong(`A run changes its memory at most ${MAX_CHANGES} times.`)
    const { [key]: before, ...rest } = all()
    if (value === undefined && before === undefined) return
    const next = value === undefined ? rest : { ...rest, [key]: value }
    if (Object.keys(next).length > MAX_KEYS) throw wrong(`The memory has at most ${MAX_KEYS} keys.`)
    if (jsonBytes(next) > MAX_ALL) throw wrong(`The memory holds at most ${MAX_ALL} bytes of JSON.`)
    await log.write([{ type: 'session.updated', ...writer.ids, metadata: { [name]: next } }])
  }
  /** One change after another, so that none is made from what the one before it has replaced. */
  const serially = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  return {
    async get(key) {
      await last
      const value = own(all(), keyOf(key))
      return value === undefined ? undefined : structuredClone(value)
    },
    set: async (key, value) => {
      const name = keyOf(key)
      const kept = jsonOf(value)
      return serially(() => change(name, kept))
    },
    delete: async key => {
      const name = keyOf(key)
      return serially(() => change(name, undefined))
    },
  }
}

function keyOf(key: unknown): string {
  if (typeof key === 'string' && key !== '' && key !== '__proto__' && key.length <= MAX_KEY && key.isWellFormed())
    return key
  throw wrong(`A key of the memory is a text of 1 to ${MAX_KEY} characters.`)
}

function jsonOf(given: unknown): Json {
  try {
    const { value } = asJson(given)
    if (value === undefined) throw wrong('A value of the memory is JSON. `delete` removes it.')
    if (jsonBytes(value) > MAX_VALUE) throw wrong(`A value of the memory has at most ${MAX_VALUE} bytes of JSON.`)
    return maskJson(value)
  } catch (error) {
    if (error instanceof NotJson) throw wrong(`A value of the memory is JSON: ${error.message}.`)
    throw error
  }
}

const wrong = (message: string): AgentError => new AgentError(message, { code: 'invalid_arguments', retryable: false })
