import { SourceTextModule } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import type { ModuleShape } from './module-file.ts'

/** Parses a module and looks at its imports and exports. Nothing of it is run. */
async function shapeOf(source: string): Promise<ModuleShape> {
  try {
    const module = new SourceTextModule(source)
    const imports = module.moduleRequests.map(({ specifier }) => specifier)
    if (imports.length > 0) return { imports }
    await module.link(() => {
      throw new Error('It has no imports')
    })
    return { imports, hasDefault: Reflect.ownKeys(module.namespace).includes('default') }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

parentPort!.postMessage(await shapeOf(workerData as string))
