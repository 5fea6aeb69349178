import { foldedText, hasWholeWords, type TurnInput } from '@vitrine/protocol'
import type { AgentContext } from '../agent.ts'
import type { Outputs, Say } from './say.ts'

export interface Scenario {
  /** The id is also a command: `/approval` plays the scenario `approval`. */
  readonly id: string
  /** A few words: what its command is, and how a session is called that begins with it. */
  readonly title: string
  /** One line for the help that says what the scenario shows. */
  readonly shows: string
  /** A request that a person could type. */
  readonly example: string
  /** What may be written behind the command. */
  readonly argument?: string
  /**
   * Phrases that start the scenario. English phrases match whole words, Chinese phrases match anywhere in the request.
   */
  readonly triggers: readonly string[]
  play(input: TurnInput, context: AgentContext, say: Say): Outputs
}

/** Finds the scenario for a request. When several match, the scenario with the longest matching phrase is taken. */
export function match(scenarios: readonly Scenario[], text: string): Scenario | undefined {
  const asked = normal(text)
  const command = /^\/([a-z0-9-]+)/.exec(asked)?.[1]
  if (command) return scenarios.find(({ id }) => id === command)
  let best: Scenario | undefined
  let length = 0
  for (const scenario of scenarios) {
    for (const trigger of scenario.triggers) {
      if (trigger.length > length && hasWholeWords(asked, trigger)) {
        best = scenario
        length = trigger.length
      }
    }
  }
  return best
}

const normal = (text: string) => foldedText(text.slice(0, 2_000)).trim()
