import { eventSchemas } from '@vitrine/protocol/schema'
import { describe, expect, it } from 'vitest'
import { type StoredEvent, upcast } from './upcast.ts'

const head = { seq: 1, sessionId: 's', at: 1, runId: 'r' }
const read = (event: Record<string, unknown> & { type: string }) => {
  const [today] = upcast([{ ...head, ...event } as StoredEvent], 2)
  const schema = eventSchemas[today!.type] as (typeof eventSchemas)['run.started']
  expect(schema.strict().safeParse(today).error?.issues).toBeUndefined()
  return today
}

describe('events of shape 2', () => {
  it('P-390 name a subagent where agentId named a piece of work inside a run', () => {
    const spawned = { type: 'agent.spawned', name: 'Scout', agentId: 'r#a2', parentAgentId: 'r#a1' }
    expect(read(spawned)).toEqual({
      ...head,
      type: 'agent.spawned',
      name: 'Scout',
      subagentId: 'r#a2',
      parentSubagentId: 'r#a1',
    })
    expect(read({ type: 'agent.completed', agentId: 'r#a1', outcome: 'completed' })).toMatchObject({
      subagentId: 'r#a1',
    })
    expect(read({ type: 'agent.handoff', agentId: 'r#a1', to: 'guide' })).toMatchObject({ subagentId: 'r#a1' })
    const said = { type: 'text.delta', messageId: 'm#a1', partId: 'p', delta: 'x', agentId: 'r#a1' }
    expect(read(said)).toMatchObject({ subagentId: 'r#a1', delta: 'x' })
  })

  it('P-390 keep agentId where it named a connected agent', () => {
    const started = { type: 'run.started', turnId: 't', agentId: 'guide', messageId: 'm', attempt: 1 }
    expect(read({ ...started, input: { text: 'hi' } })).toMatchObject({ agentId: 'guide' })
    expect(read({ type: 'session.updated', agentId: 'guide' })).toMatchObject({ agentId: 'guide' })
  })
})
