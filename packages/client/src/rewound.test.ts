import { messagesInOrder } from '@vitrine/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { FAST, Loopback, plain, shortTurn, until } from './loopback.test.fixture.ts'
import type { VitrineClient } from './types.ts'

let server: Loopback
let client: VitrineClient

beforeEach(async () => {
  server = await new Loopback().listen()
  client = createClient({ baseUrl: server.url(), timing: FAST })
})

afterEach(async () => {
  client.close()
  await server.stop()
})

describe('P-014 a session that is rewound', () => {
  it('is loaded anew and goes on from there: what left the active path is not shown', async () => {
    server.create('s')
    server.append('s', [...shortTurn('1'), ...shortTurn('2')])
    const handle = client.open('s')
    await until(() => handle.live.get())
    const path = () => [...messagesInOrder(handle.state)].map(({ messageId }) => messageId)
    const before = path()
    const [fromMessageId] = before.slice(2)
    const by = { kind: 'local', id: 'local', name: 'Ann' } as const
    server.append('s', [
      { type: 'history.rewound', fromMessageId: fromMessageId!, fromOrdinal: 3, reason: 'edited', by },
    ])
    await until(() => handle.live.get() && path().length === 2)
    server.append('s', shortTurn('3'))
    await until(() => path().length === 4)
    expect(path().slice(0, 2)).toEqual(before.slice(0, 2))
    expect(path()).not.toContain(fromMessageId)
    expect(plain(handle.state)).toEqual(plain(server.logs.get('s')!.state))
  })
})
