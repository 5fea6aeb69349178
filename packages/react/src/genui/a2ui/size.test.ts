import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { en } from '../../i18n/en.ts'

const BUDGET = 35_000

/** The room keeps its words in one file; those of the other views are not the catalog's. */
const ownWords: Plugin = {
  name: 'own words',
  setup(bundler) {
    bundler.onLoad({ filter: /i18n\/en\.ts$/ }, () => {
      const own = Object.entries(en).filter(
        ([key]) => /^(a2ui|action|fallback|kit|time)\./.test(key) && !key.startsWith('kit.chart.'),
      )
      return { contents: `export const en = ${JSON.stringify(Object.fromEntries(own))}`, loader: 'js' }
    })
  },
}

/** What is fetched later, with the first icon, mark-up or table. */
const lazyApart: Plugin = {
  name: 'lazy apart',
  setup(bundler) {
    bundler.onResolve({ filter: /\.tsx$|agent-icons\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : null,
    )
  },
}

describe('A2-138 size', () => {
  it(`engine and catalog together stay under ${BUDGET} bytes gzip; icons, parser, tables and the preview of calls come when needed`, async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [fileURLToPath(new URL('./in-session.tsx', import.meta.url))],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      conditions: ['vitrine-source'],
      plugins: [ownWords, lazyApart],
      external: ['react', 'react-dom', 'react/jsx-runtime'],
    })
    const [output] = Object.values(metafile.outputs)
    const inputs = Object.keys(output!.inputs).filter(path => output!.inputs[path]!.bytesInOutput > 0)
    for (const part of ['genui/src/a2ui/surface-model.ts', 'genui/a2ui/catalog.ts'])
      expect(inputs.some(path => path.endsWith(part))).toBe(true)
    expect(inputs.filter(path => /node_modules\/(marked|virtua|zod)\/|a2ui\/preview\./.test(path))).toEqual([])
    const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
    expect(bytes).toBeGreaterThan(15_000)
    expect(bytes).toBeLessThan(BUDGET)
  })
})
