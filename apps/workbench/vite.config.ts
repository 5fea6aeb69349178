import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin, type UserConfig } from 'vite'

const api = process.env.VITRINE_API

/** Puts `x.br` and `x.gz` beside each file x that they make smaller; the server chooses by what the browser accepts. */
function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
      await Promise.all(
        files.map(async file => {
          const bytes = await readFile(file)
          // Their default levels are the smallest for brotli and nearly that for gzip; nobody waits here.
          const variants = {
            br: await promisify(brotliCompress)(bytes),
            gz: await promisify(gzip)(bytes, { level: 9 }),
          }
          for (const [suffix, variant] of Object.entries(variants)) {
            if (variant.length < bytes.length) await writeFile(`${file}.${suffix}`, variant)
          }
        }),
      )
    },
  }
}

/**
 * Documents for sandboxes. They are built apart from the workbench, so that they share no file with it: the server gives
 * them out below signed paths alone (sandboxes.ts).
 */
const sandboxes: UserConfig = {
  root: resolve(import.meta.dirname, 'sandbox'),
  publicDir: false,
  plugins: [compressed()],
  base: './',
  resolve: { conditions: ['vitrine-source', ...defaultClientConditions] },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: resolve(import.meta.dirname, 'sandbox/mermaid.html') },
  },
}

const sharedByAll =
  /packages\/(client\/src\/(send-of|http|commands)|protocol\/src\/(json|limits|search-words)|react\/src\/(context|hooks|drafts|read-answer|media\/media-context|sandbox\/sandbox-documents|kit\/(icon|icon-button|choices|face)))\.tsx?$|lucide\/.*\/(check|wifi-off|eye|eye-off|copy|audio-lines)\.\w+$/

const workbench: UserConfig = {
  plugins: [react(), compressed()],
  // What the page loads is named relative to it; the server writes in where the page itself is mounted (static.ts).
  base: './',
  resolve: { conditions: ['vitrine-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // These browsers know light-dark() and oklch(). For older ones each colour would be written three times.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // Small modules that the first screen needs and later files share would each be a file of their own, and the
        // headers of a file weigh more than most of them.
        codeSplitting: { groups: [{ name: 'base', test: sharedByAll }] },
      },
    },
  },
  worker: { format: 'es' },
  server: api
    ? { proxy: { '/api': { target: /^\d+$/.test(api) ? `http://127.0.0.1:${api}` : api, changeOrigin: true } } }
    : {},
}

export default defineConfig(({ mode }) => (mode === 'sandboxes' ? sandboxes : workbench))
