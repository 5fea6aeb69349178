import { runChecks } from './lib/checks.mjs'
import { main, seconds } from './lib/run.mjs'
import { setUp } from './setup.mjs'

await main(async () => {
  const since = performance.now()
  const { passed, failures } = await runChecks(await setUp())
  const failed = failures.map(({ title }) => title).join(' and ')
  const verdict = failures.length === 0 ? `${passed} checks passed` : `${failed} failed`
  console.log(`${verdict} in ${seconds(performance.now() - since)}`)
  return failures.length === 0 ? 0 : 1
})
