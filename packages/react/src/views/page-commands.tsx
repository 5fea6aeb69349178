import { createContext, type ReactNode, useContext } from 'react'
import type { PaletteCommand } from './palette.tsx'

const none = () => []
const Commands = createContext<() => readonly PaletteCommand[]>(none)

/** Gives the commands of the page to the composers below it, which offer them after a slash. They are asked for then. */
export function PageCommandsProvider(props: { commands: () => readonly PaletteCommand[]; children: ReactNode }) {
  return <Commands value={props.commands}>{props.children}</Commands>
}

export const usePageCommands = (): (() => readonly PaletteCommand[]) => useContext(Commands)
