import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The server in a process of its own, to be killed. */
export interface KilledServer {
  process: ChildProcess
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export async function start(folder: string): Promise<KilledServer> {
  const file = join(import.meta.dirname, 'killed-server.fixture.ts')
  const child = spawn(process.execPath, ['--conditions=vitrine-source', file, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const url = new URL(line)
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}`, 'content-type': 'application/json' }
  const call: KilledServer['call'] = (method, path, body, more) =>
    fetch(new URL(`/api${path}`, url), {
      method,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return { process: child, call }
}
