import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@vitrine/client'
import * as files from '@vitrine/client/files'
import * as lists from '@vitrine/client/lists'
import * as mcp from '@vitrine/client/mcp'
import * as settings from '@vitrine/client/settings'
import * as tools from '@vitrine/client/tools'
import * as usage from '@vitrine/client/usage'
import { createGuide, startServer } from '@vitrine/server'
import { afterAll, describe, expect, it } from 'vitest'

/** Methods of the client that are no operation of the server, each with the reason. */
const OF_THE_CLIENT_ALONE = {
  eraseSession: 'It is deleteSession with `erase=now`.',
  loadMoreSessions: 'It makes the list that is kept live longer by a page of listSessions.',
  open: 'It keeps what getSession gives and follows the session.',
  reconnect: 'It changes the connection.',
  close: 'It ends the client, or gives a handle back.',
  subscribe: 'It follows what the client holds.',
  version: 'It tells of what the client holds.',
  onEvent: 'It follows what the client receives.',
  loadOlder: 'It adds a page of listMessages to what the client holds.',
  loadEarlierParts: 'It adds a page of listMessageParts to what the client holds.',
  startTask: 'It is createSession with the session of the handle as the parent.',
}

interface Operation {
  id: string
  method: string
  pattern: RegExp
}

async function operationsOfTheServer(): Promise<Operation[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vitrine-names-'))
  const server = await startServer({ dataFolder, host: '127.0.0.1', port: 0, agents: [createGuide()], log: () => {} })
  const { origin, searchParams } = new URL(server.url)
  const headers = { authorization: `Bearer ${searchParams.get('token')}` }
  const { paths } = (await (await fetch(`${origin}/api/openapi.json`, { headers })).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  await server.close()
  await rm(dataFolder, { recursive: true })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      pattern: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
  )
}

/** What the client has asked the server for. Nobody answers it. */
const asked: string[] = []
const client = createClient({
  baseUrl: 'http://nobody.example/api',
  fetch: (input, init) => {
    asked.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`)
    return new Promise(() => {})
  },
})
const handle = client.open('s')
afterAll(() => client.close())
const methods = Object.entries({ ...client, ...handle }).filter(
  (member): member is [string, (...given: unknown[]) => unknown] => typeof member[1] === 'function',
)
const operations = await operationsOfTheServer()
const isOperation = (name: string) => operations.some(({ id }) => id === name)

describe('R-19 one name for one operation', () => {
  it('R-19 every operation that writes is a method of the client, or a function of an entry beside it', () => {
    const entries = { ...files, ...lists, ...mcp, ...settings, ...tools, ...usage }
    const names = new Set([...methods.map(([name]) => name), ...Object.keys(entries)])
    const writes = operations.filter(({ method }) => method !== 'GET')
    expect(writes.length).toBeGreaterThan(15)
    expect(writes.map(({ id }) => id).filter(id => !names.has(id))).toEqual([])
  })

  it('R-19 every method of the client is an operation', () => {
    const others = methods.map(([name]) => name).filter(name => !isOperation(name))
    expect(others.sort()).toEqual(Object.keys(OF_THE_CLIENT_ALONE).sort())
  })

  it.each(Object.entries(settings))('SE-23 %s asks for the operation of its name', (name, call) => {
    asked.length = 0
    void (call as (...given: unknown[]) => unknown)(client, 'id', {})
    const isAsked = ({ id, method, pattern }: Operation) =>
      asked.some(request => request.startsWith(`${method} `) && pattern.test(request.split(' ')[1]!) && id === name)
    expect(operations.filter(isAsked).map(({ id }) => id)).toEqual([name])
  })

  it.each(methods.filter(([name]) => isOperation(name)))('R-19 %s asks for the operation of its name', (name, call) => {
    asked.length = 0
    // What is sent does not matter here, only where it is sent to.
    void call('id', {})
    const found = asked.map(
      request =>
        operations.find(
          ({ method, pattern }) => request.startsWith(`${method} `) && pattern.test(request.split(' ')[1]!),
        )?.id,
    )
    expect(found).toEqual([name])
  })
})
