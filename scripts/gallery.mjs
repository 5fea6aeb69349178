import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { main, root, step, stopWithNpm } from './lib/run.mjs'
import { cli, fromSource } from './lib/server.mjs'
import { buildWorkbench } from './lib/workbench.mjs'
import { setUp } from './setup.mjs'

// Starts the same server as `npm start`. The printed URL leads to the gallery.
await main(async () => {
  const tools = await setUp()
  await step('Workbench', announce => buildWorkbench(tools, announce))
  const server = spawn(tools.node, [...fromSource, cli, 'start', ...process.argv.slice(2)], {
    cwd: root,
    env: tools.env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: process.platform !== 'win32',
  })
  createInterface({ input: server.stdout }).on('line', text =>
    console.log(text.replace(/(https?:\/\/[^/\s]+)\/(\?\S*)?$/, '$1/gallery$2')),
  )
  let asked = false
  const stop = () => {
    if (asked) return
    asked = true
    server.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  stopWithNpm(stop)
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.on('exit', code => resolve(asked ? 0 : (code ?? 1)))
  })
})
