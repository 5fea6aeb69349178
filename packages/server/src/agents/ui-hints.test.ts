import { hintsToSchema, type UiHintsPayload, validateHints } from '@vitrine/genui/hints'
import { describe, expect, it } from 'vitest'
import type { AgentContext, AgentOutput } from './agent.ts'

describe('types of hints', () => {
  it('UH-232 a UiHintsPayload is an output of an agent, an argument of a tool, and legal hints', async () => {
    const hints: UiHintsPayload = {
      intent: 'status',
      status: 'success',
      title: 'Done',
      items: [{ key: 'topic', value: 'Planning' }],
      actions: [{ label: 'Open', action: { type: 'navigation', path: '/plan/1' } }],
      sections: [{ title: 'More', content: 'Later' }],
    }
    // The compiler refuses this file when one of these places does not take the type.
    const output: AgentOutput = { type: 'tool.result', toolCallId: 'c', uiHints: hints }
    const drawn: AgentOutput = { type: 'tool.result', toolCallId: 'c', ui: hintsToSchema(hints) }
    const call: AgentContext['tools'][number]['call'] = async args => ({ taken: Object.keys(args).length })
    expect(drawn).toMatchObject({ ui: { status: 'success' } })
    expect(output).toMatchObject({ uiHints: { title: 'Done' } })
    expect(await call(hints)).toEqual({ taken: 6 })
    expect(validateHints(hints)).toEqual([])
  })
})
