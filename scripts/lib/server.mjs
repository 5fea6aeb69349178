import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * The options with which Node runs our sources: packages are taken from src instead of dist, and Node strips the types.
 */
export const fromSource = ['--conditions=vitrine-source', '--disable-warning=ExperimentalWarning']
export const cli = join(root, 'packages/cli/src/main.ts')
