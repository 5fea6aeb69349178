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
