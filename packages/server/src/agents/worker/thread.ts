import { parentPort, workerData } from 'node:worker_threads'
import type { Json, JsonObject } from '@vitrine/protocol'
import type { Agent, AgentContext, AgentTool } from '../agent.ts'
import { type AgentCard, agentProblem, cardOf } from '../agent-card.ts'
import { AgentError } from '../agent-error.ts'
import { argumentAsJson, asJson, NotJson } from '../as-json.ts'
import { traced } from '../stray.ts'
import { type ErrorData, errorData, errorFrom } from '../thrown.ts'
import { type ContextData, type FromThread, MAX_CALLS, type Method, type ToThread, WINDOW } from './wire.ts'

// The agents of one module run in this thread. It talks to the runtime through one port and knows runs by their number.
const port = parentPort!
const say = (message: FromThread): void => port.postMessage(message)

interface Run {
  abort: AbortController
  credit: number
  stopped: boolean
  /** Wakes the run that waits for credit, after credit has come or the run was stopped. */
  more: (() => void) | undefined
  calls: Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>
  waiting: (() => void)[]
}

const runs = new Map<number, Run>()
let agents: Agent[] = []
let lastCall = 0

port.on('message', (message: ToThread) => {
  if (message.type === 'ping') return say({ type: 'pong' })
  if (message.type === 'run') return void perform(message)
  const run = runs.get(message.run)
  if (!run) return
  if (message.type === 'abort') run.abort.abort(errorFrom(message.reason))
  else if (message.type === 'answer') answered(run, message.call, message.value, message.error)
  else {
    if (message.type === 'credit') run.credit += message.size
    else run.stopped = true
    run.more?.()
  }
})

async function perform({ run: id, agent, input, context }: Extract<ToThread, { type: 'run' }>): Promise<void> {
  const run: Run = {
    abort: new AbortController(),
    credit: WINDOW,
    stopped: false,
    more: undefined,
    calls: new Map(),
    waiting: [],
  }
  runs.set(id, run)
  say({ type: 'begun', run: id })
  let error: ErrorData | undefined
  try {
    const late = (thrown: Error): void => say({ type: 'late', error: errorData(thrown) })
    const take = (output: unknown): Promise<boolean> | boolean => {
      if (run.stopped) return false
      run.credit -= post(id, output)
      return run.credit > 0 || roomFor(run)
    }
    await traced(() => agents[agent]!.run(input, contextOf(id, run, context)), take, late)
  } catch (thrown) {
    error = errorData(thrown)
  }
  runs.delete(id)
  for (const { reject } of run.calls.values()) reject(over())
  say({ type: 'ended', run: id, ...(error && { error }) })
}

/** Waits until the server takes more of this run. False when it takes nothing more. */
async function roomFor(run: Run): Promise<boolean> {
  while (run.credit <= 0 && !run.stopped) {
    await new Promise<void>(resolve => {
      run.more = resolve
    })
  }
  return !run.stopped
}

/** Posts an output and gives its size. */
function post(run: number, given: unknown): number {
  try {
    const { value, size } = asJson(given)
    say({ type: 'output', run, output: value, size })
    return size
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    say({ type: 'unreadable', run, reason: error.message })
    return 1_000
  }
}

const over = (): AgentError => new AgentError('The run is over.', { code: 'run_over', retryable: false })

function answered(run: Run, call: number, value: unknown, error: ErrorData | undefined): void {
  const waiting = run.calls.get(call)
  run.calls.delete(call)
  run.waiting.shift()?.()
  if (error) waiting?.reject(errorFrom(error))
  else waiting?.resolve(value as never)
}

function contextOf(id: number, run: Run, { tools, ...data }: ContextData): AgentContext {
  const call = <T>(method: Method, ...args: unknown[]): Promise<T> => {
    const done = (async () => {
      const given = args.map(arg => argumentAsJson(arg) ?? null) as Json[]
      while (run.calls.size >= MAX_CALLS) await new Promise<void>(resolve => run.waiting.push(resolve))
      if (runs.get(id) !== run) throw over()
      const number = ++lastCall
      const answer = new Promise<T>((resolve, reject) => run.calls.set(number, { resolve, reject }))
      say({ type: 'call', run: id, call: number, method, args: given })
      return answer
    })()
    // The agent may not await this promise, and then a rejection would end the process.
    done.catch(() => {})
    return done
  }
  type ToolData = ContextData['tools'][number]
  const callable = (tool: ToolData): AgentTool => ({
    ...tool,
    call(args: object, options?: { toolCallId?: string }) {
      const answered = call<JsonObject>('tools.call', tool.name, args, options)
      if (tool.toolId !== 'runtime:find_tools') return answered
      // What a model has found is in the list of the runtime now, and has to be in this one.
      const listed = answered.then(async answer => {
        const now = await call<ToolData[]>('tools.list')
        const known = new Set(offered.map(({ name }) => name))
        offered.push(...now.filter(({ name }) => !known.has(name)).map(callable))
        return answer
      })
      listed.catch(() => {})
      return listed
    },
  })
  const offered: AgentTool[] = tools.map(callable)
  return {
    ...data,
    signal: run.abort.signal,
    steers: { take: () => call('steers.take'), wait: () => call('steers.wait') },
    ask: request => call('ask', request),
    store: large => call('store', large),
    // What goes through the port is JSON.
    storeFile: ({ bytes, ...file }) => call('storeFile', { ...file, base64: Buffer.from(bytes).toString('base64') }),
    readFile: (digest, range) => call('readFile', digest, range),
    spawn: (agentId, input, name) => call('spawn', agentId, input, name),
    surfaces: { apply: (envelopes, toolCallId) => call('surfaces.apply', envelopes, toolCallId) },
    tools: offered,
    admit: wanted => call('admit', wanted),
    history: limit => call('history', limit),
    memory: {
      get: async key => (await call<{ value?: Json }>('memory.get', key)).value,
      set: (key, value) => call('memory.set', key, value),
      delete: key => call('memory.delete', key),
    },
    setTitle: title => call('setTitle', title),
    state: async () => (await call<{ value?: Json }>('state')).value,
  }
}

/** Only small data reach the server; whether they have the right shape is found where they are told. */
function asData(card: AgentCard, name: 'capabilities' | 'commands', most: number): Partial<AgentCard> {
  try {
    const { value, size } = asJson(card[name])
    return value !== undefined && size < most ? { [name]: value } : {}
  } catch {
    return {}
  }
}

async function load(): Promise<void> {
  let exported: unknown
  try {
    exported = (await import((workerData as { url: string }).url)).default
  } catch (error) {
    return say({ type: 'refused', reason: `could not be loaded: ${errorData(error).message.split('\n', 1)[0]}` })
  }
  agents = (Array.isArray(exported) ? exported : [exported]) as Agent[]
  const wrong = agents.map(agentProblem).find(problem => problem !== undefined)
  if (wrong !== undefined)
    return say({ type: 'refused', reason: `does not export an agent: its default export ${wrong}` })
  const cards = agents.map(agent => {
    const card = cardOf(agent)
    const { capabilities: _, commands: __, ...named } = card
    const resume = agent.resume === 'steps' && ({ resume: 'steps' } as const)
    return { ...named, ...resume, ...asData(card, 'capabilities', 10_000), ...asData(card, 'commands', 64_000) }
  })
  say({ type: 'ready', agents: cards })
}

say({ type: 'up' })
await load()
