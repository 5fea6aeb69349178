import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { main, root, Stop, stopWithNpm } from './lib/run.mjs'
import { cli, fromSource } from './lib/server.mjs'
import { setUp } from './setup.mjs'

// People open the port of the workbench. The server listens on the next port and is reached through /api.
await main(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '4700' }, data: { type: 'string' } } })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_534) throw new Stop('--port takes a number from 1 to 65534.')
  const { node, env } = await setUp()
  const address = `http://127.0.0.1:${port + 1}`

  const data = values.data === undefined ? [] : ['--data', values.data]
  const start = [...fromSource, '--watch', '--watch-preserve-output', cli, 'start', '--host', '127.0.0.1']
  const options = { cwd: root, env, detached: process.platform !== 'win32' }
  const server = spawn(node, [...start, '--port', `${port + 1}`, ...data], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const workbench = spawn(node, [join(root, 'scripts/lib/vite-dev.mjs'), `${port}`, address], {
    ...options,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  createInterface({ input: server.stdout }).on('line', text => console.log(text.replaceAll(`:${port + 1}`, `:${port}`)))

  let stopping = false
  const stop = () => {
    stopping = true
    for (const child of [server, workbench]) if (child.exitCode === null) child.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping || stop())
  stopWithNpm(stop)
  const codes = [server, workbench].map(
    child =>
      new Promise(resolve => {
        child.on('exit', code => {
          const asked = stopping
          if (!stopping) stop()
          resolve(asked ? 0 : (code ?? 1) || 1)
        })
      }),
  )
  return Math.max(...(await Promise.all(codes)))
})
