import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const BUDGET = 15_000

const bundle = (entry: string) =>
  build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: ['vitrine-source'],
  })

describe('P-118 size', () => {
  it(`client and fold stay under ${BUDGET} bytes gzip, without zod and React`, async () => {
    const { outputFiles, metafile } = await bundle('./index.ts')
    const inputs = Object.keys(metafile.inputs)
    expect(inputs.filter(path => path.includes('node_modules'))).toEqual([])
    expect(inputs.some(path => path.endsWith('protocol/src/project/window.ts'))).toBe(true)
    expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThan(BUDGET)
  })

  it('the worker that tabs share contains the connection and not the fold', async () => {
    const { outputFiles, metafile } = await bundle('./shared/worker.ts')
    const { inputs } = Object.values(metafile.outputs)[0]!
    const used = Object.entries(inputs).filter(
      ([path, { bytesInOutput }]) => path.includes('protocol/') && bytesInOutput,
    )
    // It unpacks frames, because a tab may have its cursor in the middle of one. Packing them is not its business.
    expect(used.map(([path]) => path.split('/').at(-1))).toEqual(['frames.ts'])
    expect(used[0]![1].bytesInOutput).toBeLessThan(250)
    expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThan(4_500)
  })
})
