import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { startServer } from '@vitrine/server'
import { build } from 'esbuild'
import { expect, type Row } from './row.ts'

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
    const name = 'workbench, first load on the wire'
    rows.push({ name, ours: size, unit: 'KB', target: '≤ 180 KB', ok: size <= 180 })
  } else process.stderr.write('(the workbench is not built: npm run build) ')
  return rows
}

/** What the server really sends, headers included, for the page, its styles and scripts, and every module these import at once. */
async function firstLoad(): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  const server = await startServer({ dataFolder, port: 0, host: '127.0.0.1', staticFolder: workbench })
  try {
    const page = await readFile(join(workbench, 'index.html'), 'utf8')
    const linked = [...page.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"[^>]*>/g)]
      .filter(([tag]) => /^<script|rel="(?:stylesheet|modulepreload)"/.test(tag))
      .map(([, path]) => posix.normalize(path!))
    let size = await bytesSent(server.url, '/')
    const found = new Set(linked)
    for (const path of found) {
      size += await bytesSent(server.url, path)
      if (!path.endsWith('.js')) continue
      const text = await readFile(join(workbench, path), 'utf8')
      for (const [, imported] of text.matchAll(/\b(?:import|from)\s*"(\.{1,2}\/[^"]+)"/g)) {
        found.add(posix.join(posix.dirname(path), imported!))
      }
    }
    return size
  } finally {
    await server.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

/** On a connection of its own, as Chromium asks. */
async function bytesSent(server: string, path: string): Promise<number> {
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  const [answer] = (await once(get(new URL(path, server), { headers, agent: false }), 'response')) as [IncomingMessage]
  expect(answer.statusCode === 200, `${path} was answered with ${answer.statusCode}`)
  answer.resume()
  await once(answer, 'end')
  return answer.socket.bytesRead
}
