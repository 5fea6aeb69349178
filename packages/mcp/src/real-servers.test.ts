import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ActionRequest } from '@vitrine/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answering, audience, everything, everythingFile, files, type Kit, kitOf } from './servers.test.kit.ts'

let kit: Kit | undefined
afterEach(async () => {
  await kit?.close()
  kit = undefined
})

describe('the real server with one of everything, over stdio', () => {
  it('MC-1 offers its tools with their names, titles and schemas, and answers a call', async () => {
    kit = await kitOf([everything()])
    expect(kit.source().health?.()).toEqual({ state: 'ready' })
    const echo = await kit.tool('echo')
    expect(echo).toMatchObject({
      toolId: 'mcp.everything:echo',
      title: 'Echo Tool',
      inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
    })
    expect(await kit.call('echo', { message: 'hi' })).toEqual({ text: 'Echo: hi' })
  })

  it('MC-2 answers with data, an image, a resource and links to resources', async () => {
    kit = await kitOf([everything()])
    const weather = await kit.call('get-structured-content', { location: 'Chicago' })
    expect(weather.structured).toMatchObject({ temperature: expect.any(Number), conditions: expect.any(String) })
    const image = (await kit.call('get-tiny-image')).content!.find(part => part.kind === 'image')!
    expect(image).toMatchObject({ mediaType: 'image/png' })
    expect([...(image as { bytes: Uint8Array }).bytes.subarray(1, 4)]).toEqual([...Buffer.from('PNG')])
    const { content: links } = await kit.call('get-resource-links', { count: 2 })
    expect(links!.filter(part => part.kind === 'resource')).toHaveLength(2)
    expect(links![1]).toMatchObject({
      kind: 'resource',
      uri: expect.stringContaining('demo://'),
      mediaType: 'text/plain',
    })
    const { content: embedded } = await kit.call('get-resource-reference', { resourceType: 'Text', resourceId: 1 })
    expect(embedded![1]).toMatchObject({ kind: 'resource', text: expect.stringContaining('Resource 1') })
  })

  it('MC-7 tells how far a call is', async () => {
    kit = await kitOf([everything()])
    const told: object[] = []
    await kit.call('trigger-long-running-operation', { duration: 0.8, steps: 3 }, { progress: one => told.push(one) })
    expect(told.at(-1)).toMatchObject({ current: expect.any(Number), total: 3 })
  })

  it('MC-9 asks the person with a form in the middle of a call', async () => {
    kit = await kitOf([everything()])
    const requests: ActionRequest[] = []
    const ask = answering({ value: { name: 'Ada' } }, requests)
    const { text } = await kit.call('trigger-elicitation-request', {}, { ask })
    expect(requests[0]).toMatchObject({
      kind: 'form',
      title: expect.stringContaining('Everything asks: Please provide'),
    })
    expect(requests[0]!.schema).toMatchObject({
      required: ['name'],
      properties: { birthdate: { format: 'date' }, check: { type: 'boolean' } },
    })
    expect(text).toContain('Ada')
    const declined = await kit.call('trigger-elicitation-request', {}, { ask: answering({ outcome: 'denied' }) })
    expect(declined.text).toContain('declined')
  })

  it('MC-26 lists its prompts, and fills one with its arguments', async () => {
    kit = await kitOf([everything()])
    const source = kit.source()
    const prompts = await source.prompts!(audience)
    expect(prompts.find(({ name }) => name === 'args-prompt')).toMatchObject({
      arguments: [
        { name: 'city', required: true },
        { name: 'state', required: false },
      ],
    })
    const { messages } = await source.fillPrompt!(audience, 'args-prompt', { city: 'Bern' })
    expect(messages).toEqual([{ role: 'user', parts: [{ kind: 'text', text: "What's weather in Bern?" }] }])
    await expect(source.fillPrompt!(audience, 'args-prompt', {})).rejects.toThrow('city')
    await expect(source.fillPrompt!(audience, 'no-such', {})).rejects.toThrow('no-such')
  })

  it('MC-27 lists its resources and templates, and reads one', async () => {
    kit = await kitOf([everything()])
    const source = kit.source()
    const { resources, templates } = await source.resources!(audience)
    expect(resources[0]).toMatchObject({ uri: expect.stringContaining('demo://'), mediaType: 'text/markdown' })
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain('demo://resource/dynamic/text/{resourceId}')
    const [read] = await source.readResource!(audience, 'demo://resource/dynamic/text/3')
    expect(read).toMatchObject({ kind: 'resource', text: expect.stringContaining('Resource 3') })
    const [blob] = await source.readResource!(audience, 'demo://resource/dynamic/blob/3')
    expect((blob as { bytes: Uint8Array }).bytes.length).toBeGreaterThan(0)
    await expect(source.readResource!(audience, 'demo://nowhere')).rejects.toThrow()
  })
})

describe('the real server for files, over stdio', () => {
  it('MC-1 reads and writes in the folder that it was given, and refuses others in its own words', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'vitrine-mcp-')))
    try {
      await writeFile(join(folder, 'a.txt'), 'The text of a file.')
      kit = await kitOf([files(folder, { trusted: true })])
      const { text } = await kit.call('read_text_file', { path: join(folder, 'a.txt') })
      expect(text).toContain('The text of a file.')
      const refused = await kit.call('read_text_file', { path: '/etc/hostname' })
      expect(refused).toMatchObject({ failed: true, text: expect.stringContaining('Access denied') })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('MC-5 is believed about its tools only when the owner trusts it', async () => {
    kit = await kitOf([files(tmpdir(), { trusted: true })])
    const effects = async (name: string) => (await kit!.tool(name)).effects
    expect(await effects('read_text_file')).toBe('reads')
    expect(await effects('write_file')).not.toBe('reads')
    expect((await kit.tool('read_text_file')).repeatable).toBe(true)
    await kit.servers.set(files(tmpdir(), { trusted: false }))
    const tools = await kit.source().tools(audience)
    expect(new Set(tools.map(tool => `${tool.effects} ${tool.repeatable}`))).toEqual(new Set(['outside false']))
  })
})

describe('the real server with one of everything, over streamable HTTP', () => {
  let http: ChildProcess | undefined
  let port = 0
  let url = ''

  const start = async (): Promise<void> => {
    http = spawn(process.execPath, [everythingFile, 'streamableHttp'], {
      env: { PATH: process.env.PATH, PORT: `${port}` },
      stdio: 'ignore',
    })
    for (let tries = 0; tries < 1_000; tries++) {
      const answer = await fetch(url).catch(() => undefined)
      if (answer) return
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const stop = async (): Promise<void> => {
    const ended = new Promise(resolve => http!.once('exit', resolve))
    http!.kill('SIGKILL')
    await ended
  }

  beforeAll(async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => probe.once('listening', resolve))
    port = (probe.address() as { port: number }).port
    await new Promise(resolve => probe.close(resolve))
    url = `http://127.0.0.1:${port}/mcp`
    await start()
  })
  afterAll(() => http?.kill('SIGKILL'))

  it('MC-3 works as over stdio: tools, progress, questions, prompts and resources', async () => {
    kit = await kitOf([everything({ transport: { kind: 'http', url } })])
    expect(kit.source().health?.()).toEqual({ state: 'ready' })
    expect(await kit.call('echo', { message: 'hi' })).toEqual({ text: 'Echo: hi' })
    const told: object[] = []
    await kit.call('trigger-long-running-operation', { duration: 0.5, steps: 2 }, { progress: one => told.push(one) })
    expect(told.length).toBeGreaterThan(0)
    const { text } = await kit.call('trigger-elicitation-request', {}, { ask: answering({ value: { name: 'Ada' } }) })
    expect(text).toContain('Ada')
    expect((await kit.source().prompts!(audience)).length).toBeGreaterThan(2)
    expect((await kit.source().resources!(audience)).resources.length).toBeGreaterThan(2)
  })

  it('MC-12 that is killed in a call fails the call with clear words, and works again when it is back', async () => {
    kit = await kitOf([everything({ transport: { kind: 'http', url } })], { limits: { backoffMs: 50, restarts: 100 } })
    const begun = Promise.withResolvers<void>()
    const call = kit.call(
      'trigger-long-running-operation',
      { duration: 30, steps: 60 },
      { progress: () => begun.resolve() },
    )
    call.catch(() => {})
    await begun.promise
    await stop()
    await expect(call).rejects.toThrow(/Everything .*Whether the call had its effect is not known/)
    expect(kit.source().health?.().state).not.toBe('ready')
    await start()
    expect(await kit.call('echo', { message: 'again' })).toEqual({ text: 'Echo: again' })
  })

  it('MC-12 that has forgotten our session is connected anew', async () => {
    kit = await kitOf([everything({ transport: { kind: 'http', url } })])
    await stop()
    await start()
    await kit.call('echo', { message: 'lost' }).catch(() => {})
    expect(await kit.call('echo', { message: 'again' })).toEqual({ text: 'Echo: again' })
  })
})
