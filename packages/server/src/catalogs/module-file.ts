import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What can be seen of a module without running it. */
export type ModuleShape = { imports: string[]; hasDefault?: boolean } | { wrong: string }

/** The JavaScript of a module's file: TypeScript loses its types, and JavaScript is what it is. */
export async function readModule(file: string | URL): Promise<Buffer<ArrayBuffer>> {
  const bytes = await readFile(file)
  return isTypeScript(file) ? Buffer.from(stripTypeScriptTypes(bytes.toString())) : bytes
}

const isTypeScript = (file: string | URL): boolean => /\.m?ts$/.test(String(file))

/** Why a page could not use the module in this file, as far as that can be told without running it. */
export async function moduleProblem(file: string | URL): Promise<string | undefined> {
  const jsx = /\.[jt]sx$/.exec(String(file))
  if (jsx) return `A browser cannot read ${jsx[0]}. Compile it to JavaScript, or write it without JSX`
  let source: string
  try {
    source = (await readModule(file)).toString()
  } catch (error) {
    return `It could not be read: ${error instanceof Error ? error.message : String(error)}`
  }
  const shape = await shapeOf(source)
  if ('wrong' in shape) return `It could not be read as a module: ${shape.wrong}`
  const imported = shape.imports.find(name => !name.startsWith('/'))
  if (imported !== undefined)
    return `It imports "${imported}", which the page cannot find. Its function gets what it needs; bundle the rest into the file`
  if (shape.hasDefault === false)
    return 'It has no default export. Export a function that gives components and functions'
  return undefined
}

function shapeOf(source: string): Promise<ModuleShape> {
  return new Promise((resolve, reject) => {
    // module-thread.ts or module-thread.js, whichever stands beside this file.
    const worker = new Worker(new URL(`./module-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: source,
      name: 'catalog-module',
      execArgv: ['--experimental-vm-modules', '--no-warnings'],
    })
    worker.once('message', (shape: ModuleShape) => resolve(shape))
    worker.once('error', reject)
  })
}
