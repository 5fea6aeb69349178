#!/usr/bin/env node
// The published package runs dist. A checkout runs its sources,
// which need Node 24 and the export condition `vitrine-source`.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))
if (existsSync(source)) {
  // Only a checkout has this file, so a static import would fail in the published package.
  const { findNode } = await import(new URL('../../../scripts/lib/node.mjs', import.meta.url).href)
  const [, node] = await findNode(doing => process.stderr.write(`Node: ${doing}\n`))
  const child = spawn(node, ['--conditions=vitrine-source', source, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The child gets every signal and decides when to stop. This process only waits for it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
} else if (Number(process.versions.node.split('.', 1)[0]) < 24) {
  // Older ones have no node:sqlite, and would end with a stack trace about it.
  process.stderr.write(
    `Vitrine needs Node 24 or newer; this is Node ${process.versions.node}. See https://nodejs.org.\n`,
  )
  process.exitCode = 1
} else {
  const { main } = await import('../dist/main.js')
  process.exitCode = await main(process.argv.slice(2), process)
}
