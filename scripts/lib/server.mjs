import { join } from 'node:path'
import { root } from './run.mjs'

/** How Node runs our sources as they are: types stripped, packages taken from src instead of dist. */
export const fromSource = ['--conditions=vitrine-source', '--disable-warning=ExperimentalWarning']
export const cli = join(root, 'packages/cli/src/main.ts')
