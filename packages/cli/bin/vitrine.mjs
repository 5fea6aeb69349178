#!/usr/bin/env node
// The published package holds dist. A checkout runs its sources, which need Node 24 and the export condition.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))
if (existsSync(source)) {
  // Only a checkout has this file, so it is named at run time.
  const { findNode } = await import(new URL('../../../scripts/lib/node.mjs', import.meta.url).href)
  const [, node] = await findNode(doing => process.stderr.write(`Node: ${doing}\n`))
  const child = spawn(node, ['--conditions=vitrine-source', source, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal tells the child as well: it decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
} else {
  const { main } = await import('../dist/main.js')
  process.exitCode = await main(process.argv.slice(2), process)
}
