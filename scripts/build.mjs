import { main, run, Stop, step } from './lib/run.mjs'
import { buildWorkbench } from './lib/workbench.mjs'
import { setUp } from './setup.mjs'

await main(async () => {
  const tools = await setUp()
  await step('Packages', async announce => {
    announce('building with tsc -b')
    const result = await run(tools.node, [tools.tool('tsc'), '-b'], { env: tools.env })
    if (result.code !== 0) throw new Stop(`The packages do not build:\n${result.output.trim()}`)
    return ['built', undefined]
  })
  await step('Workbench', announce => buildWorkbench(tools, announce))
})
