import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAgainst } from './lib/bench-against.mjs'
import { findChromium } from './lib/chromium.mjs'
import { installLocked } from './lib/dependencies.mjs'
import { cache, main, root, runForeground, Stop, step } from './lib/run.mjs'
import { fromSource } from './lib/server.mjs'
import { buildWorkbench } from './lib/workbench.mjs'
import { setUp } from './setup.mjs'

// The projects that we measure against have a lock file of their own. They are installed only when somebody measures.
await main(async () => {
  const folder = join(root, 'bench')
  const program = join(folder, 'main.ts')
  if (!existsSync(program)) throw new Stop('There is nothing to measure: bench/main.ts is missing.')
  const options = /** @type {const} */ ({
    only: { type: 'string', multiple: true },
    against: { type: 'string' },
    times: { type: 'string', default: '5' },
    workbench: { type: 'boolean' },
    tasks: { type: 'boolean' },
  })
  const { only = [], against, times, workbench, tasks } = parseArgs({ options }).values
  const tools = await setUp()
  const { node, env } = tools
  if (workbench) {
    const CHROMIUM_PATH = await step('Chromium', findChromium)
    await step('Workbench', announce => buildWorkbench(tools, announce))
    const measured = join(folder, tasks ? 'workbench/tasks.ts' : 'workbench/main.ts')
    const args = tasks && only[0] ? ['--only', only[0]] : []
    return runForeground(node, [...fromSource, measured, ...args], { env: { ...env, CHROMIUM_PATH } })
  }
  const stamp = join(cache, 'bench.stamp')
  await step('Peers', announce => installLocked({ folder, stamp, node }, announce))
  const args = only.flatMap(sections => ['--only', sections])
  if (against) return benchAgainst({ commit: against, times: Number(times), args })
  return runForeground(node, [...fromSource, '--expose-gc', program, ...args], { env })
})
