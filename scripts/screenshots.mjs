import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findChromium } from './lib/chromium.mjs'
import { main, root, runForeground, Stop, step } from './lib/run.mjs'
import { fromSource } from './lib/server.mjs'
import { buildWorkbench } from './lib/workbench.mjs'
import { setUp } from './setup.mjs'

// Takes pictures of every screen, to be looked at after a change: all of them, one set, or some pictures of a set.
await main(async () => {
  const folder = join(root, 'scripts/screenshots')
  const sets = readdirSync(folder).flatMap(name => (name.endsWith('.ts') ? [basename(name, '.ts')] : []))
  const [set, ...wanted] = process.argv.slice(2)
  if (set !== undefined && !sets.includes(set)) {
    throw new Stop(`There is no set of pictures called ${set}. There are: ${sets.join(', ')}.`)
  }
  const tools = await setUp()
  const CHROMIUM_PATH = await step('Chromium', findChromium)
  await step('Workbench', announce => buildWorkbench(tools, announce))
  const env = { ...tools.env, CHROMIUM_PATH }
  let worst = 0
  for (const name of set === undefined ? sets : [set]) {
    const code = await runForeground(tools.node, [...fromSource, join(folder, `${name}.ts`), ...wanted], { env })
    worst = Math.max(worst, code)
  }
  return worst
})
