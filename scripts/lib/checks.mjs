import { cpus } from 'node:os'
import { join } from 'node:path'
import { line, root, run } from './run.mjs'

/**
 * Runs all checks (format and lint, types, direction of imports, what nobody uses, exported names,
 * requirements, docs/spec.md) side by side and prints the time of each.
 * @param {{ node: string, env: NodeJS.ProcessEnv, tool: (name: 'biome' | 'tsc') => string }} tools
 * @returns {Promise<import('./suites.mjs').Outcome>}
 */
export async function runChecks({ node, env, tool }) {
  const parts = /** @type {const} */ ([
    ['types', [tool('tsc'), '-b', '.', 'scripts', '--pretty', `${process.stdout.isTTY === true}`]],
    ['requirements', [join(root, 'scripts/requirements.ts')]],
    ['format, lint', [tool('biome'), 'check', '--error-on-warnings', '--max-diagnostics=50']],
    ['unused', [join(root, 'node_modules/knip/bin/knip.js'), '--no-progress', '--treat-config-hints-as-errors']],
    ['direction', [join(root, 'scripts/direction.ts')]],
    ['exports', [join(root, 'scripts/exports.ts')]],
    ['specification', [join(root, 'scripts/spec.ts')]],
  ])
  /** @type {import('./suites.mjs').Failure[]} */
  const failures = []
  const waiting = [...parts]
  const worker = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const [name, args] = part
      const since = performance.now()
      const { code, output } = await run(node, [...args], { env })
      if (code !== 0) failures.push({ title: name, file: '', message: output })
      line(code === 0 ? '✓' : '✗', name, code === 0 ? 'ok' : 'failed', performance.now() - since)
      if (code !== 0 || name === 'requirements') console.log(indented(output))
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, Math.min(parts.length, cpus().length)) }, worker))
  return { passed: parts.length - failures.length, skipped: 0, failures }
}

/** @param {string} text */
const indented = text => text.trimEnd().replace(/^(?=.)/gm, '    ')
