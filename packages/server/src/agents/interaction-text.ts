import { actionMessage } from '@vitrine/genui/a2ui'
import type { Interaction } from '@vitrine/protocol'

/**
 * Turns an interaction into text for agents that read only text:
 * a marker and one line of JSON. No other place does this.
 */
export function interactionText(interaction: Interaction): string {
  if (interaction.kind === 'a2ui') {
    const { kind: _, ...action } = interaction
    return actionMessage(action)
  }
  const { kind: _, action, ...rest } = interaction
  return `[ui.action]\n${JSON.stringify({ ...action, ...rest })}`
}

/**
 * Gives a turn or steer as an agent reads it: when it is an interaction, its text is the form that a2ui.md prescribes.
 */
export const readable = <T extends { text: string; interaction?: Interaction | undefined }>(said: T): T =>
  said.interaction ? { ...said, text: interactionText(said.interaction) } : said
