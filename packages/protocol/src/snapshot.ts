import type { MessagesPage, Snapshot } from './answers.ts'
import { DataTree } from './data-tree.ts'
import {
  type Action,
  COLLECTIONS,
  type Collection,
  type CollectionName,
  createState,
  type Entity,
  ignore,
  type Message,
  OPEN,
  PAGED,
  type Part,
  type PartKind,
  type SessionState,
  SINGLES,
  type Surface,
  type Tool,
  type Touch,
} from './entities.ts'
import type { Json } from './json.ts'
import { roughBytes } from './rough-bytes.ts'
import { messagesInOrder, pathStart } from './selectors.ts'
import { Text } from './text.ts'

/** An entity as JSON. */
type Plain = MessagesPage['entities']['parts'][number]

/** What a window may hold: messages, and about as many bytes. The newest message is always part of it. */
export interface WindowLimits {
  messages: number
  bytes: number
}

/**
 * The ordinal at which the window of the newest messages begins, or of the newest before another ordinal. Runs that are
 * still open are never cut.
 */
export function windowStart(state: SessionState, limits: WindowLimits, before = state.counts.ordinals + 1): number {
  const least = Math.max(state.windowFrom, pathStart(state, before, limits.messages))
  let from = before
  let bytes = 0
  for (const message of [...messagesInOrder(state)].reverse()) {
    const run = message.runId ? state.runs.byId.get(message.runId) : undefined
    const ended = run === undefined || run.outcome !== null
    if (message.ordinal >= before || (ended && message.ordinal < least)) continue
    bytes += weighMessage(state, message, limits.bytes)
    if (ended && bytes > limits.bytes && from < before) return from
    from = message.ordinal
  }
  return Math.min(from, least)
}

/** About the bytes of a message with all that it shows; of one that weighs more than enough, enough of it. */
function weighMessage(state: SessionState, { parts, metadata }: Message, enough: number): number {
  let bytes = 300 + roughBytes(metadata)
  for (let at = parts.length - 1; at >= 0 && bytes <= enough; at--) bytes += weighPart(state, parts[at]!)
  return bytes
}

function weighPart(state: SessionState, partId: string): number {
  const part = state.parts.byId.get(partId)
  if (!part) return 0
  const shown = shownIn(state, part)
  return roughBytes(part) + (shown ? roughBytes(shown) : 0)
}

/** What a part shows and comes with: calls, requests and surfaces. The rest belongs to runs or to the session. */
function shownIn(state: SessionState, { kind, refId }: Part): Entity | undefined {
  if (refId === null) return undefined
  if (kind === 'tool') return state.tools.byId.get(refId)
  if (kind === 'action') return state.actions.byId.get(refId)
  return kind === 'surface' ? state.surfaces.byId.get(refId) : undefined
}

/** Lets go of the messages before `from`, of what only they need, and of older parts. Pages bring them back. */
export function trim(state: SessionState, from: number, bytes: number): void {
  const inside = selection(state, from, Number.POSITIVE_INFINITY, bytes)
  const kept = PAGED.map(name => {
    const list = state[name] as Collection<Entity>
    const keep = inside[name] as (entity: Entity) => boolean
    return { list, name, entities: [...list.byId].filter(([, entity]) => keep(entity)) }
  })
  for (const { list, name, entities } of kept) {
    const left =
      name === 'surfaces' ? [...list.byId].map(([id, entity]) => [id, shell(entity as Surface)] as const) : []
    list.byId.clear()
    for (const [id, entity] of [...left, ...entities]) list.byId.set(id, inside.cut(entity))
  }
  state.windowFrom = Math.max(state.windowFrom, from)
}

/**
 * The window as a snapshot of about as many bytes. The newest parts of the newest messages come first; each message has
 * at least its newest part, whatever its size, and all that are open. The rest of a message comes as pages of parts.
 */
export function snapshot(state: SessionState, from: number, bytes = Number.POSITIVE_INFINITY): Snapshot {
  const inside = selection(state, from, Number.POSITIVE_INFINITY, bytes)
  const entities = {} as Snapshot['entities']
  for (const name of SINGLES) entities[name] = encode(state[name])
  for (const name of COLLECTIONS) {
    const all = state[name] as Collection<Entity>
    const keep = (inside as Partial<Record<CollectionName, (entity: never) => boolean>>)[name]
    const list: Plain[] = []
    for (const entity of all.byId.values()) {
      if (name === 'surfaces') list.push(encode(inside.surfaces(entity as Surface) ? entity : shell(entity as Surface)))
      else if (!keep || keep(entity as never)) list.push(encode(inside.cut(entity)))
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

/** The loaded messages from one ordinal to before another: those of the active path, or also those that left it. */
export function messagesPage(
  state: SessionState,
  from: number,
  before: number,
  bytes = Number.POSITIVE_INFINITY,
  versions = false,
): MessagesPage {
  const inside = selection(state, from, before, bytes, versions)
  const entities = {} as MessagesPage['entities']
  for (const name of PAGED) {
    const keep = inside[name] as (entity: Entity) => boolean
    entities[name] = [...(state[name] as Collection<Entity>).byId.values()]
      .filter(keep)
      .map(entity => encode(inside.cut(entity)))
  }
  return { sessionId: state.sessionId, seq: state.seq, from, entities }
}

/** Where a page of the loaded parts before a place begins: as many as fit, and at least one. */
export function partsStart(state: SessionState, message: Message, before: number, bytes: number): number {
  let from = before
  for (let left = bytes; from > message.partsFrom; from--) {
    left -= weighPart(state, message.parts[message.loose + from - 1 - message.partsFrom]!)
    if (left < 0 && from < before) break
  }
  return from
}

/** The loaded parts of a message at these places, with what they show. */
export function partsPage(state: SessionState, message: Message, from: number, before: number): MessagesPage {
  const first = message.loose - message.partsFrom
  const entities = Object.fromEntries(PAGED.map(name => [name, [] as Plain[]])) as MessagesPage['entities']
  for (const partId of message.parts.slice(first + from, first + before)) {
    const part = state.parts.byId.get(partId)
    if (!part) continue
    entities.parts.push(encode(part))
    const shown = shownIn(state, part)
    if (shown) entities[`${part.kind}s` as 'tools' | 'actions' | 'surfaces'].push(encode(shown))
  }
  return { sessionId: state.sessionId, seq: state.seq, from: message.ordinal, partsFrom: from, entities }
}

/** The projection that a snapshot was made from: a reader folds the events after its `seq` into it. */
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
    for (const plain of from.entities[name]) list.byId.set(plain[list.idName] as string, decode(name, plain))
  }
  return state
}

/**
 * Adds a page of older history in front. False when events that this state has seen are missing in the page:
 * ask for it again.
 */
export function addPage(state: SessionState, page: MessagesPage, touch: Touch = ignore): boolean {
  if (page.seq < state.outsideSeq) return false
  addMessages(state, page, touch)
  state.windowFrom = page.from
  return true
}

/** Adds what a page has from before the window; it need not join it. What lies between stays outside. */
export function addMessages(state: SessionState, page: MessagesPage, touch: Touch = ignore): void {
  for (const name of PAGED) {
    const list = state[name] as Collection<Entity>
    const older = new Map<string, Entity>()
    for (const plain of page.entities[name]) {
      const id = plain[list.idName] as string
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
    const all = [...older, ...newer] as [string, Entity][]
    if (name === 'messages') all.sort(([, a], [, b]) => (a as Message).ordinal - (b as Message).ordinal)
    list.byId.clear()
    for (const [id, entity] of all) list.byId.set(id, entity)
    for (const entity of older.values()) touch(entity)
    touch(list)
  }
}

/** Adds a page of older parts to its message. False when the page is too old, or does not join what is loaded. */
export function addParts(state: SessionState, page: MessagesPage, touch: Touch = ignore): boolean {
  const message = [...state.messages.byId.values()].find(({ ordinal }) => ordinal === page.from)
  const ids = page.entities.parts.map(({ partId }) => partId as string)
  const joins = message && page.partsFrom !== undefined && page.partsFrom + ids.length === message.partsFrom
  if (page.seq < state.outsideSeq || !joins) return false
  const fresh = new Set(ids)
  const loose = message.parts.slice(0, message.loose).filter(partId => !fresh.has(partId))
  addMessages(state, page, touch)
  message.parts = [...loose, ...ids, ...message.parts.slice(message.loose)]
  message.partsFrom = page.partsFrom!
  message.loose = loose.length
  touch(message)
  return true
}

/** Where a run keeps what a part of this kind shows, while that is open. */
const OPEN_OF: Partial<Record<PartKind, (typeof OPEN)[number]>> = {
  tool: 'openTools',
  action: 'openActions',
  subagent: 'openSubagents',
}

/** A part that something still happens to: its text, or what it shows. */
function isOpen(state: SessionState, { runId, partId, kind, refId }: Part): boolean {
  const run = runId === null ? undefined : state.runs.byId.get(runId)
  if (!run) return false
  const set = OPEN_OF[kind]
  return run.openParts.has(partId) || (refId !== null && set !== undefined && run[set].has(refId))
}

/** The parts that a window of so many bytes leaves out, and its messages without them. */
function partWindows(state: SessionState, from: number, before: number, bytes: number) {
  const hidden = new Set<string>()
  const cut = new Map<string, Message>()
  if (bytes === Number.POSITIVE_INFINITY) return { hidden, cut }
  let left = bytes
  for (const message of [...state.messages.byId.values()].reverse()) {
    if (message.ordinal < from || message.ordinal >= before) continue
    const { parts, loose } = message
    let start = parts.length
    for (; start > loose; start--) {
      const weight = weighPart(state, parts[start - 1]!)
      if (weight > left && start < parts.length) break
      left -= weight
    }
    if (start === loose) continue
    const open: string[] = []
    for (const partId of parts.slice(0, start)) {
      const part = state.parts.byId.get(partId)
      if (part && isOpen(state, part)) open.push(partId)
      else hidden.add(partId)
    }
    cut.set(message.key, {
      ...message,
      parts: [...open, ...parts.slice(start)],
      partsFrom: message.partsFrom + start - loose,
      loose: open.length,
    })
  }
  return { hidden, cut }
}

function selection(
  state: SessionState,
  from: number,
  before: number,
  bytes = Number.POSITIVE_INFINITY,
  versions = false,
) {
  const { hidden, cut } = partWindows(state, from, before, bytes)
  const unseen = new Set<string>()
  for (const partId of hidden) {
    const part = state.parts.byId.get(partId)
    if (part?.refId != null) unseen.add(`${part.kind}:${part.refId}`)
  }
  const inWindow = (messageId: string | null): boolean => {
    const message = messageId === null ? undefined : state.messages.byId.get(messageId)
    if (!message || (message.rewindId !== null && !versions)) return false
    return message.ordinal >= from && message.ordinal < before
  }
  const whole = before === Number.POSITIVE_INFINITY
  const runs = new Set<string>()
  for (const message of state.messages.byId.values()) {
    if (message.runId && inWindow(message.messageId)) runs.add(message.runId)
  }
  for (const run of state.runs.byId.values()) {
    const turn = state.turns.byId.get(run.turnId)
    // The latest run says what the session is doing, also when it retries an old turn and has no message yet.
    const current = !run.outcome || run.runId === state.session.latestRunId
    if ((whole && current) || (turn && inWindow(turn.messageId))) runs.add(run.runId)
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
    parts: (part: Part) => inWindow(part.messageId) && !hidden.has(part.partId),
    tools: (tool: Tool) => inWindow(tool.messageId) && state.parts.byId.has(tool.partId) && !hidden.has(tool.partId),
    actions: (action: Action) =>
      (whole && action.state === 'pending') ||
      (action.messageId === null ? runs.has(action.runId) : inWindow(action.messageId) && !unseen.has(action.key)),
    steers: (steer: { runId: string | null }) => (steer.runId === null ? whole : runs.has(steer.runId)),
    subagents: (subagent: { runId: string }) => runs.has(subagent.runId),
    surfaces: (surface: Surface) =>
      surface.loaded && (surface.messageId === null ? whole : inWindow(surface.messageId) && !unseen.has(surface.key)),
    /** A message without the parts that are left out. */
    cut: (entity: Entity): Entity => cut.get(entity.key) ?? entity,
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
  if (name === 'runs') for (const open of OPEN) entity[open] = new Set(plain[open] as string[])
  if (name === 'surfaces') {
    entity.components = new Map(Object.entries(plain.components as Record<string, Json>))
    entity.data = new DataTree(plain.data)
  }
  return entity as unknown as Entity
}
