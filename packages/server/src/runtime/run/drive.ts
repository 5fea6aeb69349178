import type { Failure, Reason, TurnInput } from '@vitrine/protocol'
import type { Agent, AgentContext } from '../../agents/agent.ts'
import { ownSignal, traced } from '../../agents/stray.ts'
import { errorOf } from '../../agents/thrown.ts'
import type { RunWriter } from './writer.ts'

export type Ending =
  | { outcome: 'completed' }
  | { outcome: 'interrupted'; reason: Reason }
  | { failed: Error }
  /** The run was a call, and the call failed or was refused. */
  | { unsuccessful: Failure }

/** Runs one agent to its end. An error in anything that the agent started ends the agent as well. */
export async function drive(
  writer: RunWriter,
  agent: Agent,
  input: TurnInput,
  context: AgentContext,
  emit: (output: unknown) => unknown,
  late: (error: Error) => void,
): Promise<Ending> {
  try {
    context.signal.throwIfAborted()
    await writer.setStatus('preparing')
    const start = () => agent.run(input, { ...context, signal: ownSignal(context.signal) })
    const take = (output: unknown): Promise<boolean> | boolean => {
      if (writer.illegal) return false
      const taken = emit(output)
      return taken instanceof Promise ? taken.then(() => true) : true
    }
    await traced<unknown>(start, take, late)
    await writer.log.settled()
    if (writer.illegal) return { failed: writer.illegal }
    return writer.stopping === null ? { outcome: 'completed' } : { outcome: 'interrupted', reason: writer.stopping }
  } catch (error) {
    if (writer.stopping !== null) return { outcome: 'interrupted', reason: writer.stopping }
    return { failed: writer.illegal ?? errorOf(error) }
  }
}
