import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Row, Section } from './row.ts'
import { printTable } from './table.ts'

const sections = [
  'fold',
  'tools',
  'history',
  'floor',
  'resume',
  'size',
  'server',
  'readers',
  'memory',
  'opening',
  'models',
  'a2ui',
  'ui-schema',
]

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const only = values.only?.flatMap(names => names.split(','))
const unknown = only?.filter(name => !sections.includes(name)) ?? []
if (unknown.length > 0) {
  console.error(`There is no section ${unknown.join(', ')}. There are: ${sections.join(', ')}.`)
  process.exit(2)
}

const results: { section: string; rows: Row[] }[] = []
let failed = false
for (const name of sections) {
  if (only && !only.includes(name)) continue
  const file = [`./${name}.ts`, `./${name}/run.ts`].map(path => new URL(path, import.meta.url)).find(existsSync)
  if (!file) continue
  process.stderr.write(`measuring ${name} … `)
  const since = performance.now()
  try {
    const { run } = (await import(file.href)) as Section
    results.push({ section: name, rows: await run() })
    process.stderr.write(`${((performance.now() - since) / 1000).toFixed(1)} s\n`)
  } catch (error) {
    // A section that cannot measure takes nothing from the others, but the run as a whole has failed.
    failed = true
    process.stderr.write(`failed\n${error instanceof Error ? error.stack : error}\n`)
  }
}

printTable(results)

// A partial run is for looking; what is kept was measured in one run.
if (!only && !failed) {
  const kept = { node: process.version, platform: `${process.platform} ${process.arch}`, sections: results }
  await writeFile(new URL('./results.json', import.meta.url), `${JSON.stringify(kept, null, 2)}\n`)
}
process.exit(failed ? 1 : 0)
