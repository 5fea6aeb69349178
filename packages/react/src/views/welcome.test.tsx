import type { AgentInfo } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { Suggestions } from './welcome.tsx'

it('P-9605 only an agent that understands them is offered the requests of the guide', () => {
  const scout = { agentId: 'scout', name: 'Scout', description: '', scripted: true } as unknown as AgentInfo
  expect(draw(<Suggestions agent={scout} onPick={() => {}} />)).not.toContain('<button')
  const commands = ['tour', 'tools', 'approval'].map(name => ({ name, description: name }))
  const html = draw(<Suggestions agent={{ ...scout, name: 'Guide', commands }} onPick={() => {}} />)
  expect(html.match(/<button/g)).toHaveLength(3)
  expect(html).not.toContain('Work slowly')
})

it('P-9361 an agent that names commands has them as suggestions, without those that want to be told more', () => {
  const agent = {
    agentId: 'forge',
    name: 'Forge',
    description: '',
    commands: [
      { name: 'profile', description: 'Profile checkout' },
      { name: 'wait', description: 'Wait for a while', argument: 'seconds' },
      { name: 'bare' },
    ],
  } as unknown as AgentInfo
  const html = draw(<Suggestions agent={agent} onPick={() => {}} />)
  expect(html).toMatch(/Try with Forge.*Profile checkout/s)
  expect(html).not.toContain('Wait for')
  expect(html.match(/<button/g)).toHaveLength(1)
  expect(draw(<Suggestions agent={{ ...agent, commands: [] }} onPick={() => {}} />)).not.toContain('<button')
})
