import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SandboxLink, type SandboxLoss } from './sandbox-link.ts'

function open() {
  const messages: unknown[] = []
  const losses: SandboxLoss[] = []
  let now = 0
  const link = new SandboxLink({
    onMessage: message => messages.push(message),
    onLost: loss => losses.push(loss),
    now: () => now,
  })
  const handed: MessagePort[] = []
  const target = {
    postMessage: (_message: unknown, _origin: unknown, transfer?: Transferable[]) => {
      handed.push(...((transfer ?? []) as MessagePort[]))
    },
  }
  onTestFinished(() => {
    link.close()
    for (const port of handed) port.close()
  })
  const pass = (ms: number) => {
    now += ms
  }
  return { link, target, handed, messages, losses, pass }
}

describe('P-9011 the one port of a sandbox', () => {
  it('P-9011 is handed over once, and both sides talk through it', async () => {
    const { link, target, handed, messages } = open()
    link.loaded(target)
    expect(handed).toHaveLength(1)
    const heard: unknown[] = []
    handed[0]!.onmessage = ({ data }) => heard.push(data)
    link.send('draw')
    handed[0]!.postMessage('drawn')
    await vi.waitFor(() => expect([heard, messages]).toEqual([['draw'], ['drawn']]))
  })

  it('P-9011 a second document revokes it: nothing comes or goes any more, and no port is handed to that one', async () => {
    const { link, target, handed, messages, losses } = open()
    link.loaded(target)
    handed[0]!.postMessage('before')
    await vi.waitFor(() => expect(messages).toEqual(['before']))
    link.loaded(target)
    expect([losses, handed.length]).toEqual([['navigated'], 1])
    handed[0]!.postMessage('after')
    link.send('order')
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(messages).toEqual(['before'])
  })

  it('P-9013 a flood of messages revokes it; as many over time do not', async () => {
    const { link, target, handed, messages, losses, pass } = open()
    link.loaded(target)
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 150; count++) handed[0]!.postMessage(count)
      await vi.waitFor(() => expect(messages).toHaveLength(150 * (round + 1)))
      pass(1_000)
    }
    expect(losses).toEqual([])
    for (let count = 0; count < 1_000; count++) handed[0]!.postMessage(count)
    await vi.waitFor(() => expect(losses).toEqual(['flooded']))
    expect(messages).toHaveLength(450 + 200)
  })
})
