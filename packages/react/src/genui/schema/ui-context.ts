import type { Outcome } from '@vitrine/client'
import type { PayloadAction, ResolvedNode, ToolAction, UiActionPayload, UiWords } from '@vitrine/genui/schema'
import { createContext, useContext } from 'react'
import type { CardState } from './card-state.ts'

/** The values of a form in a document, by the names of its fields. */
export type UiValues = Readonly<Record<string, unknown>>

/** What a person did with a button of a document that asks the agent for something. */
export interface UiInteraction {
  readonly action: ToolAction | PayloadAction
  /** Checked values of the form, when the button sends them. */
  readonly values?: UiValues
  /** What the person was told that the button of a tool does: it runs the tool itself, or it asks the agent to run it. */
  readonly through?: 'call' | 'agent'
  /** The same from try to try until it was accepted: with it, a try whose answer was lost does not act twice. */
  readonly key: string
}

/**
 * What the host application does when a person presses a button of a card. Addresses and paths have been checked by
 * then.
 */
export interface UiHost {
  /** Goes to a page of the host application; false when it has no such route. Params are query parameters. */
  readonly onNavigate?: (
    path: string,
    params: Readonly<Record<string, string | number | boolean>>,
  ) => boolean | undefined
  /** An event for the host application; false when nothing in it handles this one. */
  readonly onEvent?: (event: string, payload: UiValues, values?: UiValues) => boolean | undefined
  /** Which tools a press runs itself, and whether the person is asked before; the agent is asked to run any other one. */
  readonly runsTool?: (toolId: string) => 'allow' | 'ask' | 'off' | undefined
  /** Runs a tool, asks the agent to run it, or hands the agent a payload; a failure keeps what was entered and offers to try again. */
  readonly onAction?: (request: UiInteraction) => Promise<Outcome>
}

/** What all nodes of one document share. */
export interface Ui extends UiHost {
  readonly locale: string
  readonly words: UiWords
  readonly state: CardState
  readonly fields: readonly ResolvedNode<'field'>[]
  /** Shows the same without interaction. */
  readonly readOnly: boolean
  /** Whether this action was carried out since the card was drawn. */
  readonly isDone: (action: UiActionPayload) => boolean
  /** Says what happened to those who listen instead of look. */
  readonly announce: (text: string) => void
  readonly focusField: (name: string) => void
  /** Sends the form, as Enter in a line does everywhere else. */
  readonly send: () => void
}

export const UiContext = createContext<Ui | null>(null)

export function useUi(): Ui {
  const found = useContext(UiContext)
  if (!found) throw new Error('A node of UI Schema is drawn inside <UiSchema>')
  return found
}

/** The host application's hooks for every card below; a card's own properties come first. */
export const UiHostContext = createContext<Pick<UiHost, 'onNavigate' | 'onEvent'>>({})
