import { setTimeout as sleep } from 'node:timers/promises'
import type { ActionRequest } from '@vitrine/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { answering, audience, callOf, hostile, type Kit, kitOf } from './servers.test.kit.ts'

let kit: Kit | undefined
afterEach(async () => {
  await kit?.close()
  kit = undefined
})

const info = () => kit!.servers.list()[0]!
const ready = () => kit!.until(() => info().health.state === 'ready')
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a server that dies', () => {
  it('MC-12 in a call fails the call with clear words, is started again, and the next call works', async () => {
    kit = await kitOf([hostile()])
    await expect(kit.call('die')).rejects.toThrow(
      'Hostile is gone: it ended with the code 3. Whether the call had its effect is not known. It is started again, and the next call finds it.',
    )
    expect(await kit.call('fine', { n: 1 })).toEqual({ text: 'fine {"n":1}' })
    expect(info().health).toEqual({ state: 'ready' })
  })

  it('MC-13 is not started for ever: after the limit it says so, and people can restart it', async () => {
    kit = await kitOf([hostile(['--crash'])], { limits: { backoffMs: 5, restarts: 2 } })
    const { message } = await kit.until(
      () => /not started again by itself/.test(info().health.message ?? '') && info().health,
    )
    expect(message).toContain('it ended with the code 1')
    expect(message).toContain('It failed 3 times in a row')
    expect(message).toContain('It said last: The license is missing')
    await expect(kit.source().tools(audience)).rejects.toThrow('not started again by itself')
    const before = kit.logged.length
    await sleep(100)
    expect(kit.logged.length).toBe(before)
    expect(await kit.servers.restart('hostile')).toBe(true)
    await kit.until(() => kit!.logged.length > before)
    expect(await kit.servers.restart('nobody')).toBe(false)
  })

  it('MC-14 before it has begun, or that never answers, is told in words', async () => {
    const missing = hostile([], {
      id: 'missing',
      name: 'Missing',
      transport: { kind: 'stdio', command: 'no-such-command' },
    })
    const nobody = hostile([], {
      id: 'nobody',
      name: 'Nobody',
      transport: { kind: 'http', url: 'http://127.0.0.1:9/mcp' },
    })
    const mute = hostile(['--mute'], { id: 'mute', name: 'Mute', startMs: 300 })
    const limits = { restarts: 0 }
    kit = await kitOf([missing, nobody, mute], { limits })
    const messages = kit.servers.list().map(({ health }) => health.message!)
    expect(messages[0]).toContain('the command no-such-command was not found. Install it, or give its whole path.')
    expect(messages[1]).toMatch(/nothing answers at http:\/\/127.0.0.1:9\/mcp|bad port/)
    expect(messages[2]).toContain('Mute did not answer within 0.3 s.')
  })
})

describe('a server that changes in the middle', () => {
  it('MC-15 has its new tools offered, and a tool that is gone says so', async () => {
    kit = await kitOf([hostile()])
    const old = await kit.tool('old')
    await kit.call('rename')
    await kit.until(() => info().tools.includes('new'))
    await expect(old.execute({}, callOf())).rejects.toThrow('Hostile has no tool called old any more. It has now: fine')
    expect(await kit.call('new')).toEqual({ text: 'the new one ran' })
  })

  it('MC-15 does not run with arguments that were checked by an older schema', async () => {
    kit = await kitOf([hostile()])
    const shape = await kit.tool('shape')
    expect(await shape.execute({ a: 'x' }, callOf())).toEqual({ text: 'shaped {"a":"x"}' })
    await kit.call('reshape')
    for (let tries = 0; ; tries++) {
      const now = (await kit.tool('shape')).inputSchema
      if ('b' in (now.properties as object)) break
      if (tries > 500) throw new Error('The schema never changed.')
      await sleep(10)
    }
    await expect(shape.execute({ a: 'x' }, callOf())).rejects.toThrow(
      /has changed the arguments of shape[\s\S]*It takes now/,
    )
    expect(await kit.call('shape', { b: 1 })).toEqual({ text: 'shaped {"b":1}' })
  })

  it('MC-15 does not run a tool that does more than when it was allowed', async () => {
    kit = await kitOf([hostile([], { trusted: true })])
    const turns = await kit.tool('turns')
    expect(turns.effects).toBe('reads')
    await kit.call('turn')
    for (let tries = 0; (await kit.tool('turns')).effects === 'reads'; tries++) {
      if (tries > 500) throw new Error('The hint never changed.')
      await sleep(10)
    }
    await expect(turns.execute({}, callOf())).rejects.toThrow('turns may do more now than when it was offered')
  })
})

describe('a server that lies', () => {
  it('MC-16 about the form of its results: the words stay, the data become text, and it is said', async () => {
    kit = await kitOf([hostile()])
    expect(await kit.call('fits')).toEqual({ structured: { count: 4 } })
    const lie = await kit.call('lie')
    expect(lie.structured).toBeUndefined()
    expect(lie.text).toMatch(/^four\n\n\(The data of this result do not fit the schema/)
    expect((await kit.call('promises')).text).toContain('and gave none')
  })

  it('MC-16 with results that are none', async () => {
    kit = await kitOf([hostile()])
    await expect(kit.call('nothing')).rejects.toThrow(
      'Hostile answered with an error: It answered with something that is no result.',
    )
    const { content } = await kit.call('odd')
    expect(content).toMatchObject([
      { kind: 'text', text: expect.stringContaining('not known: hologram') },
      { kind: 'text' },
      { kind: 'text' },
      { kind: 'text', text: 'and a text' },
      { kind: 'resource', uri: 'a://b', bytes: new Uint8Array([0, 1, 2]) },
    ])
    expect((await kit.call('many')).text).toContain('401 more pieces of content were left out')
    expect(await kit.call('fails')).toEqual({ failed: true, text: 'The disk is full.' })
  })

  it('MC-17 about its tools: those that can be used are offered, and the health names the others', async () => {
    kit = await kitOf([hostile(['--wrong'])])
    const { state, message } = info().health
    expect(state).toBe('ready')
    expect(message).toContain('Left out, because the name or the schema cannot be used: no-schema, text-schema')
    expect(message).toContain('Left out, because another tool has the same name: fine.')
    const tools = await kit.source().tools(audience)
    const long = tools.find(({ toolId }) => toolId.includes('a very long name'))!
    expect(long.name).toMatch(/^a_very_long_name_y+_[0-9a-f]{8}$/)
    expect(long.name).toHaveLength(64)
    expect(tools.filter(({ name }) => name === 'fine')).toHaveLength(1)
    expect(tools.find(({ name }) => name === 'lying-hint')!.effects).toBe('outside')
  })

  it('MC-18 about how many tools it has: the first ones are offered, and it is said', async () => {
    kit = await kitOf([hostile(['--tools=10000'])], { limits: { tools: 500 } })
    expect(info().tools).toHaveLength(500)
    expect(info().health.message).toContain('Only the first 500 of its tools are offered.')
  })

  it.each([
    ['--endless', 'does not come to an end with its list'],
    ['--no-list', 'something that is no list (tools/list)'],
  ])('MC-18 with a list that is none (%s)', async (flag, words) => {
    kit = await kitOf([hostile([flag])], { limits: { restarts: 0 } })
    expect(info().health).toMatchObject({ state: 'failed', message: expect.stringContaining(words) })
  })
})

describe('a server that floods', () => {
  it('MC-19 with some garbage on its standard output is still understood', async () => {
    kit = await kitOf([hostile()])
    expect(await kit.call('garbage')).toEqual({ text: 'after the garbage' })
    expect(info().lines).toContain('(no MCP) Hello from a program!')
  })

  it.each([
    ['flood-garbage', 'it writes to its standard output what is no MCP'],
    ['flood', 'it sent more than 5000 messages in a second'],
    ['huge', 'it wrote a message of more than 16 MB'],
  ])('MC-19 with %s is stopped, the call fails with words, and the next call works', async (name, words) => {
    kit = await kitOf([hostile()])
    await expect(kit.call(name)).rejects.toThrow(words)
    expect(await kit.call('fine')).toEqual({ text: 'fine {}' })
  })
})

describe('what a server writes for people', () => {
  it('MC-20 is kept as its last lines', async () => {
    kit = await kitOf([hostile()])
    await kit.call('die').catch(() => {})
    await ready()
    expect(info().lines).toContain('I am about to die')
  })
})

describe('a call of a server', () => {
  it('MC-8 that is stopped is cancelled at the server', async () => {
    kit = await kitOf([hostile()])
    const stop = new AbortController()
    const call = kit.call('hang', {}, { signal: stop.signal })
    call.catch(() => {})
    await sleep(50)
    stop.abort(new Error('The person stopped it.'))
    await expect(call).rejects.toThrow()
    await kit.until(() => info().lines.some(line => line.startsWith('cancelled')))
    expect(await kit.call('fine')).toEqual({ text: 'fine {}' })
  })

  it('MC-9 may ask, and the names of values are shown to people', async () => {
    kit = await kitOf([hostile()])
    const requests: ActionRequest[] = []
    const { text } = await kit.call('ask', {}, { ask: answering({ value: { who: 'Ada', size: 'l' } }, requests) })
    expect(JSON.parse(text!)).toEqual({ action: 'accept', content: { who: 'Ada', size: 'l' } })
    expect(requests[0]!.schema).toMatchObject({
      properties: {
        size: {
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'Large' },
          ],
        },
      },
    })
    const expired = await kit.call('ask', {}, { ask: answering({ outcome: 'expired' }) })
    expect(JSON.parse(expired.text!)).toEqual({ action: 'cancel' })
  })

  it.each(['secret', 'sly'])('MC-10 is never a way to ask for a secret (%s)', async name => {
    kit = await kitOf([hostile()])
    const told: { message?: string }[] = []
    const { text } = await kit.call(name, {}, { progress: one => told.push(one) })
    expect(JSON.parse(text!)).toEqual({ action: 'decline' })
    expect(told[0]!.message).toContain('it asks for a secret')
  })

  it('MC-10 does not ask the person of another session', async () => {
    kit = await kitOf([hostile()])
    const stop = new AbortController()
    const other = kit.call('hang', {}, { sessionId: 's2', signal: stop.signal })
    other.catch(() => {})
    await sleep(50)
    const { text } = await kit.call('ask', {}, { ask: answering({ value: { who: 'Ada' } }) })
    expect(JSON.parse(text!)).toEqual({ action: 'decline' })
    stop.abort()
  })

  it('MC-11 cannot ask a model or learn of folders, unless the owner has allowed it', async () => {
    kit = await kitOf([hostile()])
    expect((await kit.call('sample')).text).toContain('-32601')
    expect((await kit.call('roots')).text).toContain('-32601')
    await kit.close()
    const sample = async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'from a model' } })
    kit = await kitOf([hostile([], { sampling: true, roots: ['/tmp/a folder'] })], { sample })
    expect((await kit.call('sample')).text).toContain('from a model')
    expect((await kit.call('roots')).text).toContain('file:///tmp/a%20folder')
  })

  it('MC-6 has the policy and the time limit that its owner has set', async () => {
    kit = await kitOf([hostile([], { policies: { fine: 'allow', die: 'off' }, callMs: 1_234 })])
    expect(await kit.tool('fine')).toMatchObject({ policy: 'allow', timeoutMs: 1_234 })
    expect((await kit.tool('die')).policy).toBe('off')
    expect((await kit.tool('hang')).policy).toBeUndefined()
  })
})

describe('the secrets of a server', () => {
  const CANARY = 'canary-7f3a9c-secret'
  const withCanary = (flags: string[] = []) =>
    hostile(flags, {
      transport: { ...(hostile(flags).transport as object), env: { CANARY_TOKEN: CANARY } } as never,
    })

  it('MC-21 are all that it gets of the environment, beside PATH, HOME and the like', async () => {
    process.env.VITRINE_CANARY = 'the server must not leak this'
    try {
      kit = await kitOf([withCanary()])
      const { structured } = await kit.call('env')
      const names = Object.keys((structured as { all: object }).all)
      expect(names).toContain('CANARY_TOKEN')
      expect(names.filter(name => !/^(HOME|LOGNAME|PATH|SHELL|TERM|USER|CANARY_TOKEN)$/.test(name))).toEqual([])
    } finally {
      delete process.env.VITRINE_CANARY
    }
  })

  it('MC-22 are nowhere in results, errors, lines, health and logs', async () => {
    kit = await kitOf([withCanary()])
    const said = [
      await kit.call('env'),
      await kit.call('leak').catch((error: Error) => error.message),
      info(),
      await kit.until(() => info().lines.length > 0 && info().lines),
    ]
    await kit.close()
    const logged = kit.logged
    kit = await kitOf([withCanary(['--crash'])], { limits: { restarts: 1, backoffMs: 5 } })
    await kit.until(() => /not started again/.test(info().health.message ?? ''))
    const all = JSON.stringify([said, info(), logged, kit.logged])
    expect(all).not.toContain(CANARY)
    expect(all).toContain('The license is missing: ••••••')
  })

  it('MC-22 in headers and addresses are nowhere in errors', async () => {
    const url = `http://ann:pass-${CANARY}@127.0.0.1:9/mcp?key=${CANARY}`
    const config = hostile([], { transport: { kind: 'http', url, headers: { authorization: `Bearer ${CANARY}` } } })
    kit = await kitOf([config], { limits: { restarts: 0 } })
    expect(JSON.stringify([kit.servers.list(), kit.logged])).not.toContain(CANARY)
    const trial = await kit.servers.tryOut(config)
    expect(JSON.stringify(trial)).not.toContain(CANARY)
    const broken = hostile([], {
      transport: { kind: 'http', url: 'http://localhost/', headers: { [`x ${CANARY}`]: 'a' } },
    })
    await expect(kit.servers.set(broken)).rejects.toThrow(/no request can carry/)
  })
})

describe('the servers of an installation', () => {
  it('MC-24 are added, changed and removed while it runs', async () => {
    kit = await kitOf([])
    await kit.servers.set(hostile([], { name: 'First' }))
    await ready()
    const pid = async () => Number((await kit!.call('group', {}, {}, 'hostile')).text)
    const first = await pid()
    await kit.servers.set(hostile([], { name: 'Second', policies: { fine: 'ask' } }))
    expect(info().name).toBe('Second')
    expect(await pid()).toBe(first)
    await kit.servers.set(hostile(['--tools=3'], { name: 'Third' }))
    await kit.until(() => info().tools.includes('tool_2'))
    expect(isRunning(first)).toBe(false)
    await kit.servers.set(hostile(['--tools=3'], { enabled: false }))
    expect(info().health).toEqual({ state: 'stopped', message: 'Hostile is turned off.' })
    expect(await kit.source('hostile').tools(audience)).toEqual([])
    expect(await kit.servers.remove('hostile')).toBe(true)
    expect(await kit.servers.remove('hostile')).toBe(false)
    expect(kit.servers.sources()).toEqual([])
  })

  it('MC-24 can be tried out before they are added', async () => {
    kit = await kitOf([])
    expect(await kit.servers.tryOut(hostile())).toMatchObject({ ok: true, tools: expect.arrayContaining(['fine']) })
    expect(await kit.servers.tryOut(hostile(['--crash']))).toMatchObject({
      ok: false,
      message: 'Hostile is gone: it ended with the code 1.',
      lines: [expect.stringContaining('The license is missing')],
    })
    expect(kit.servers.list()).toEqual([])
  })

  it('MC-24 of one owner are not offered to others', async () => {
    kit = await kitOf([hostile([], { owner: 'ann' })])
    expect((await kit.source().tools(audience)).length).toBeGreaterThan(0)
    expect(await kit.source().tools({ ...audience, owner: 'bob' })).toEqual([])
    expect(await kit.source().prompts!({ ...audience, owner: 'bob' })).toEqual([])
    await expect(kit.source().readResource!({ ...audience, owner: 'bob' }, 'a://b')).rejects.toThrow('not yours')
  })

  it('MC-25 end with it, also those that do not want to', async () => {
    kit = await kitOf([hostile(['--stubborn'])])
    const pid = Number((await kit.call('group')).text)
    await kit.close()
    await kit.until(() => !isRunning(pid))
  })
})
