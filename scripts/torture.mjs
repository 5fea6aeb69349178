import { join } from 'node:path'
import { main, root, runForeground } from './lib/run.mjs'
import { fromSource } from './lib/server.mjs'
import { setUp } from './setup.mjs'

await main(async () => {
  const { node, env } = await setUp()
  const program = join(root, 'scripts/torture/main.ts')
  return runForeground(node, [...fromSource, program, ...process.argv.slice(2)], { env })
})
