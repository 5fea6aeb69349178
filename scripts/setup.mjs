import { join } from 'node:path'
import { installLocked } from './lib/dependencies.mjs'
import { findNode } from './lib/node.mjs'
import { environment } from './lib/npm.mjs'
import { cache, root, step } from './lib/run.mjs'

/**
 * Prepares what a command needs on a machine with an older Node: Node 24 and the locked dependencies.
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv, tool: (name: Tool) => string }>}
 */
export async function setUp() {
  const node = await step('Node', findNode)
  const stamp = join(cache, 'dependencies.stamp')
  await step('Dependencies', announce => installLocked({ folder: root, stamp, node }, announce))
  return { node, env: environment(node), tool: name => join(root, 'node_modules', tools[name]) }
}

/** @typedef {keyof typeof tools} Tool */
/** The tools are started by their files, because npx takes a second and prints warnings about its own settings. */
const tools = {
  biome: '@biomejs/biome/bin/biome',
  tsc: 'typescript/bin/tsc',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
}
