import type { Interaction, Run, SessionState, Tool } from '@vitrine/protocol'
import { labelOf } from './interaction.ts'

/**
 * What a person did in a card: the agent has got it, as a turn of its own or as a direction to the run that was active, or
 * the tool of the button was called without the agent.
 */
export interface SentInteraction {
  /** The id of its turn or steer, or the key of the call. */
  readonly key: string
  /** `call`: the tool was called without the agent. */
  readonly how: 'turn' | 'queued' | 'steer' | 'call'
  readonly interaction: Interaction
  readonly cardId: string
  readonly kind: 'tool' | 'payload'
  /** The tool that the button names; null when the button hands over a payload. */
  readonly toolId: string | null
}

interface Index {
  readonly at: string
  readonly byCard: Map<string, SentInteraction[]>
  readonly byKey: Map<string, SentInteraction>
}

const indexes = new WeakMap<SessionState, Index>()

/** Every interaction of the loaded history, found again from facts. Read again only when a turn, steer, run or queue changed. */
function indexOf(state: SessionState): Index {
  const { turns, steers, queue, runs } = state
  const at = [turns.v, turns.byId.size, steers.v, steers.byId.size, queue.v, runs.byId.size].join()
  const known = indexes.get(state)
  if (known?.at === at) return known
  const byKey = new Map<string, SentInteraction>()
  const add = (key: string, how: SentInteraction['how'], interaction: Interaction | null | undefined) => {
    const sent = interaction?.kind === 'ui_schema' ? read(key, how, interaction) : null
    if (sent) byKey.set(key, sent)
  }
  for (const { steerId, interaction, state } of steers.byId.values()) {
    // A steer that the run did not take has become a turn, with an id of its own.
    if (state !== 'rejected') add(steerId, 'steer', interaction)
  }
  for (const { turnId, input } of queue.turns) add(turnId, 'queued', input.interaction)
  for (const { turnId, input } of turns.byId.values()) add(turnId, 'turn', input.interaction)
  for (const { turnId, call } of runs.byId.values()) if (call) add(turnId, 'call', call.interaction)
  const index = { at, byKey, byCard: Map.groupBy(byKey.values(), ({ cardId }) => cardId) }
  indexes.set(state, index)
  return index
}

function read(
  key: string,
  how: SentInteraction['how'],
  interaction: Extract<Interaction, { kind: 'ui_schema' }>,
): SentInteraction | null {
  const { action, toolCallId: cardId } = interaction
  if (cardId === undefined) return null
  const toolId = action.type === 'tool' ? action.toolId : null
  return { key, how, interaction, cardId, kind: action.type, toolId }
}

/** What was sent from a card, oldest first. */
export const interactionsOf = (state: SessionState, cardId: string): readonly SentInteraction[] =>
  indexOf(state).byCard.get(cardId) ?? []

/** The run that an interaction became, the newest attempt of it; none while it waits. */
export function runOf(state: SessionState, { key, how }: SentInteraction): Run | undefined {
  if (how === 'queued') return undefined
  if (how === 'steer') {
    const steer = state.steers.byId.get(key)
    return steer?.state === 'consumed' && steer.runId ? state.runs.byId.get(steer.runId) : undefined
  }
  let newest: Run | undefined
  for (const run of state.runs.byId.values()) {
    if (run.turnId === key && !run.parentRunId && run.attempt >= (newest?.attempt ?? 0)) newest = run
  }
  return newest
}

/** The tool calls of the run that an interaction became. Of a run that was steered, those that the button named. */
export function toolsOf(state: SessionState, sent: SentInteraction): Tool[] {
  if (sent.kind !== 'tool') return []
  return [...state.tools.byId.values()].filter(tool => interactionOf(state, tool)?.key === sent.key)
}

/** Whether the call is that of the tool which the button names. A call without the agent is no other. */
export const isOf = ({ how, toolId }: SentInteraction, { name }: Tool): boolean => how === 'call' || name === toolId

/** An action of a card that its tool has carried out. */
export interface CarriedOut {
  readonly action: Extract<Interaction, { kind: 'ui_schema' }>['action']
  /** The words on the button, or the name of the tool when the button is not found. */
  readonly label: string
}

/** What was asked for in a card and done, oldest first. The log alone says so: a call that has its result. */
export function carriedOut(state: SessionState, cardId: string): CarriedOut[] {
  return interactionsOf(state, cardId).flatMap(sent => {
    const { toolId, interaction } = sent
    if (toolId === null || interaction.kind !== 'ui_schema') return []
    const done = toolsOf(state, sent).some(tool => isOf(sent, tool) && tool.state === 'done')
    return done ? [{ action: interaction.action, label: labelOf(state, interaction) ?? toolId }] : []
  })
}

/** The interaction with a card that led to this call, when that card is there to show it in place. */
export function interactionOf(state: SessionState, tool: Tool): SentInteraction | undefined {
  const run = state.runs.byId.get(tool.runId)
  if (!run) return undefined
  const { byKey } = indexOf(state)
  const turn = byKey.get(run.turnId)
  const own = turn?.how === 'turn' || turn?.how === 'call'
  if (turn && own && turn.kind === 'tool' && canShow(state, turn, tool)) return turn
  let last: SentInteraction | undefined
  for (const sent of byKey.values()) {
    if (sent.how !== 'steer' || sent.toolId !== tool.name) continue
    const steer = state.steers.byId.get(sent.key)
    const took = steer?.state === 'consumed' && steer.runId === run.runId && steer.at <= tool.startedAt
    if (took && canShow(state, sent, tool)) last = sent
  }
  return last
}

function canShow(state: SessionState, { cardId }: SentInteraction, tool: Tool): boolean {
  const card = state.tools.byId.get(cardId)
  // Strictly earlier: calls that name each other as cards would otherwise be shown nowhere.
  if (!card?.result.known || card.startedAt >= tool.startedAt) return false
  if (state.parts.byId.get(card.partId)?.state === 'retracted') return false
  return card.result.value.ui !== null || card.result.value.ref !== null
}
