import { runChecks } from './lib/checks.mjs'
import { main, seconds } from './lib/run.mjs'
import { setUp } from './setup.mjs'

await main(async () => {
  const since = performance.now()
  const { passed, failed } = await runChecks(await setUp())
  const verdict = failed.length === 0 ? `${passed} checks passed` : `${failed.join(' and ')} failed`
  console.log(`${verdict} in ${seconds(performance.now() - since)}`)
  return failed.length === 0 ? 0 : 1
})
