import { main, runForeground, step } from './lib/run.mjs'
import { cli, fromSource } from './lib/server.mjs'
import { buildWorkbench } from './lib/workbench.mjs'
import { setUp } from './setup.mjs'

await main(async () => {
  const tools = await setUp()
  await step('Workbench', announce => buildWorkbench(tools, announce))
  return runForeground(tools.node, [...fromSource, cli, 'start', ...process.argv.slice(2)], { env: tools.env })
})
