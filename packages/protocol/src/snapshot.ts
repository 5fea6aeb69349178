import { DataTree } from './data-tree.ts'
import { type Collection, createState, type Entity, type Message, type SessionState, type Surface } from './entities.ts'
import type { Json, JsonObject } from './json.ts'
import type { Touch } from './project.ts'
import { Text } from './text.ts'

type Plain = JsonObject

const COLLECTIONS = [
  'runs',
  'turns',
  'messages',
  'parts',
  'tools',
  'actions',
  'steers',
  'tasks',
  'agents',
  'artifacts',
  'evidence',
  'surfaces',
  'permissions',
  'compactions',
  'diagnostics',
] as const
/** Those that come and go with the messages they belong to. */
const PAGED = ['runs', 'turns', 'messages', 'parts', 'tools', 'actions', 'steers', 'agents', 'surfaces'] as const
const SINGLES = ['session', 'shared', 'queue', 'plan', 'metrics'] as const

type CollectionName = (typeof COLLECTIONS)[number]

/** The session at `seq` as a window of recent messages with everything they need, and summaries of the rest (L11). */
export interface Snapshot {
  format: 1
  sessionId: string
  seq: number
  windowFrom: number
  counts: SessionState['counts']
  repair: { snapshotId: string; page: number; fromOrdinal: number; named: string[] } | null
  entities: Record<(typeof SINGLES)[number], Plain> & Record<CollectionName, Plain[]>
}

/** The snapshot as the API gives it. */
export interface SessionSnapshot extends Snapshot {
  /** Which log `seq` is a place in: a session that is made again under the same id has another. */
  log: string
}

/** One page of older history: the messages from `from` up to before the window, with what they need. */
export interface MessagesPage {
  sessionId: string
  seq: number
  from: number
  entities: Record<(typeof PAGED)[number], Plain[]>
}

/** The ordinal at which a window of the last `count` messages begins; runs that are still open are never cut. */
export function windowStart(state: SessionState, count: number): number {
  let from = Math.max(state.windowFrom, state.counts.messages - count + 1, 1)
  for (const message of state.messages.byId.values()) {
    if (message.ordinal >= from) break
    const run = message.runId ? state.runs.byId.get(message.runId) : undefined
    if (run && !run.outcome) from = message.ordinal
  }
  return from
}

export function snapshot(state: SessionState, from: number): Snapshot {
  const inside = selection(state, from, Number.POSITIVE_INFINITY)
  const entities = {} as Snapshot['entities']
  for (const name of SINGLES) entities[name] = encode(state[name])
  for (const name of COLLECTIONS) {
    const all = state[name] as Collection<Entity>
    const keep = (inside as Partial<Record<CollectionName, (entity: never) => boolean>>)[name]
    const list: Plain[] = []
    for (const entity of all.byId.values()) {
      if (name === 'surfaces') list.push(encode(inside.surfaces(entity as Surface) ? entity : shell(entity as Surface)))
      else if (!keep || keep(entity as never)) list.push(encode(entity))
    }
    entities[name] = list
  }
  const { sessionId, seq, counts, repair } = state
  return {
    format: 1,
    sessionId,
    seq,
    windowFrom: from,
    counts: { ...counts },
    repair: repair && { ...repair, named: [...repair.named] },
    entities,
  }
}

export function messagesPage(state: SessionState, from: number, before: number): MessagesPage {
  const inside = selection(state, from, before)
  const entities = {} as MessagesPage['entities']
  for (const name of PAGED) {
    const keep = inside[name] as (entity: Entity) => boolean
    entities[name] = [...(state[name] as Collection<Entity>).byId.values()].filter(keep).map(encode)
  }
  return { sessionId: state.sessionId, seq: state.seq, from, entities }
}

export function hydrate(from: Snapshot): SessionState {
  const state = createState(from.sessionId)
  state.seq = from.seq
  state.windowFrom = from.windowFrom
  Object.assign(state.counts, from.counts)
  state.repair = from.repair && { ...from.repair, named: new Set(from.repair.named) }
  for (const name of SINGLES) Object.assign(state[name], from.entities[name])
  for (const name of COLLECTIONS) {
    const list = state[name] as Collection<Entity>
    list.v = from.seq
    for (const plain of from.entities[name]) list.byId.set(idOf(plain), decode(name, plain))
  }
  return state
}

/**
 * Adds a page of older history in front. False when events that this state has seen are missing in the page:
 * ask for it again.
 */
export function addPage(state: SessionState, page: MessagesPage, touch: Touch = () => {}): boolean {
  if (page.seq < state.outsideSeq) return false
  for (const name of PAGED) {
    const list = state[name] as Collection<Entity>
    const older = new Map<string, Entity>()
    for (const plain of page.entities[name]) {
      const id = idOf(plain)
      const present = list.byId.get(id)
      if (present && !(name === 'surfaces' && !(present as Surface).loaded)) continue
      // Joined pages may hold a run or turn twice, from different times.
      if ((older.get(id)?.v ?? 0) > (plain.v as number)) continue
      const entity = decode(name, plain)
      if (name === 'messages' || name === 'surfaces') (entity as Message | Surface).asOf = page.seq
      older.set(id, entity)
    }
    if (older.size === 0) continue
    const newer = [...list.byId].filter(([id]) => !older.has(id))
    list.byId.clear()
    for (const [id, entity] of [...older, ...newer]) list.byId.set(id, entity)
    for (const entity of older.values()) touch(entity)
    touch(list)
  }
  state.windowFrom = page.from
  return true
}

function selection(state: SessionState, from: number, before: number) {
  const inWindow = (messageId: string | null): boolean => {
    const message = messageId === null ? undefined : state.messages.byId.get(messageId)
    return message !== undefined && message.ordinal >= from && message.ordinal < before
  }
  const whole = before === Number.POSITIVE_INFINITY
  const runs = new Set<string>()
  for (const message of state.messages.byId.values()) {
    if (message.runId && inWindow(message.messageId)) runs.add(message.runId)
  }
  for (const run of state.runs.byId.values()) {
    const turn = state.turns.byId.get(run.turnId)
    if ((whole && !run.outcome) || (turn && inWindow(turn.messageId))) runs.add(run.runId)
  }
  const turns = new Set<string>()
  for (const runId of runs) {
    const run = state.runs.byId.get(runId)
    if (run) turns.add(run.turnId)
  }
  return {
    runs: (run: { runId: string }) => runs.has(run.runId),
    turns: (turn: { turnId: string }) => turns.has(turn.turnId),
    messages: (message: Message) => inWindow(message.messageId),
    parts: (part: { messageId: string }) => inWindow(part.messageId),
    tools: (tool: { messageId: string }) => inWindow(tool.messageId),
    actions: (action: { messageId: string | null; runId: string; state: string }) =>
      (whole && action.state === 'pending') ||
      (action.messageId === null ? runs.has(action.runId) : inWindow(action.messageId)),
    steers: (steer: { runId: string | null }) => (steer.runId === null ? whole : runs.has(steer.runId)),
    agents: (agent: { runId: string }) => runs.has(agent.runId),
    surfaces: (surface: Surface) => (surface.messageId === null ? whole : inWindow(surface.messageId)),
  }
}

const shell = (surface: Surface): Surface => ({
  ...surface,
  components: new Map(),
  data: new DataTree(),
  loaded: false,
  asOf: 0,
})

function encode(entity: Entity): Plain {
  const plain: Record<string, unknown> = { ...entity }
  for (const [name, value] of Object.entries(plain)) {
    if (value instanceof Text) plain[name] = value.toString()
    else if (value instanceof Set) plain[name] = [...value]
    else if (value instanceof DataTree) plain[name] = value.root
    else if (value instanceof Map) plain[name] = Object.fromEntries(value)
  }
  // A shallow copy still shares what later events change in place.
  return structuredClone(plain) as Plain
}

function decode(name: CollectionName, plain: Plain): Entity {
  const entity = { ...plain } as Record<string, unknown>
  if (name === 'parts') entity.text = new Text(plain.text as string)
  if (name === 'tools') {
    entity.args = new Text(plain.args as string)
    entity.output = new Text(plain.output as string)
  }
  if (name === 'runs') entity.open = new Set(plain.open as string[])
  if (name === 'surfaces') {
    entity.components = new Map(Object.entries(plain.components as Record<string, Json>))
    entity.data = new DataTree(plain.data)
  }
  return entity as unknown as Entity
}

/** An entity's key is its kind and its id; the id itself may hold colons. */
const idOf = (plain: Plain): string => {
  const key = plain.key as string
  return key.slice(key.indexOf(':') + 1)
}
