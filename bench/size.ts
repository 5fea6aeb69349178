import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Row } from './row.ts'

const require = createRequire(import.meta.url)
const here = fileURLToPath(new URL('.', import.meta.url))
const workbench = join(here, '../apps/workbench/dist')

/** Other peers bring another zod: whoever uses this one alone does not download both. */
const zodOfAgUi = dirname(createRequire(require.resolve('@ag-ui/client')).resolve('zod/package.json'))

const KB = 1000
const gzip = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length

/** What a browser downloads for these exports, without React, which the page has anyway. */
async function bundle(exports: string, alias: Record<string, string> = {}): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: exports, resolveDir: here },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['vitrine-source', 'module'],
    alias,
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return gzip(outputFiles[0]!.contents) / KB
}

export async function run(): Promise<Row[]> {
  const ours = await bundle(`export * from '@vitrine/client'`)
  const peers = {
    'HttpAgent of @ag-ui/client': await bundle(`export { HttpAgent } from '@ag-ui/client'`, { zod: zodOfAgUi }),
    'useChat of @ai-sdk/react': await bundle(`export { useChat } from '@ai-sdk/react'`),
  }
  const rows: Row[] = Object.entries(peers).map(([name, peer]) => ({
    name: `client and fold, ${name}`,
    ours,
    peer,
    unit: 'KB gzip',
    ratio: peer / ours,
    target: '≤ 15 KB',
    ok: ours <= 15,
  }))
  if (existsSync(join(workbench, 'index.html'))) {
    const size = (await firstLoad()) / KB
    rows.push({ name: 'workbench, first load', ours: size, unit: 'KB gzip', target: '≤ 180 KB', ok: size <= 180 })
  } else process.stderr.write('(the workbench is not built: npm run build) ')
  return rows
}

/** The page, its styles and scripts, and every module these import at once. */
async function firstLoad(): Promise<number> {
  const page = await readFile(join(workbench, 'index.html'), 'utf8')
  const linked = [...page.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"[^>]*>/g)]
    .filter(([tag]) => /^<script|rel="(?:stylesheet|modulepreload)"/.test(tag))
    .map(([, path]) => join(workbench, path!))
  const found = new Set(linked)
  let size = gzip(Buffer.from(page))
  for (const file of found) {
    const bytes = await readFile(file)
    size += gzip(bytes)
    if (!file.endsWith('.js')) continue
    for (const [, path] of bytes.toString().matchAll(/\b(?:import|from)\s*"(\.{1,2}\/[^"]+)"/g)) {
      found.add(join(dirname(file), path!))
    }
  }
  return size
}
