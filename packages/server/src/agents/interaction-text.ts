import { actionMessage } from '@vitrine/genui/a2ui'
import type { Interaction } from '@vitrine/protocol'

/** The one place where an interaction becomes text: a marker and one line of JSON, for agents that read only text. */
export function interactionText(interaction: Interaction): string {
  if (interaction.kind === 'a2ui') {
    const { kind: _, ...action } = interaction
    return actionMessage(action)
  }
  const { kind: _, action, ...rest } = interaction
  return `[ui.action]\n${JSON.stringify({ ...action, ...rest })}`
}

/** What an agent reads of a turn or a steer: an interaction also as the text that a2ui.md prescribes. */
export const readable = <T extends { text: string; interaction?: Interaction | undefined }>(said: T): T =>
  said.interaction ? { ...said, text: interactionText(said.interaction) } : said
