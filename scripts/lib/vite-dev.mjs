// Serves the workbench with reload on change and passes /api
// on to the server beside it. dev.mjs runs this with Node 24.
import { join } from 'node:path'
import { createServer } from 'vite'
import { root } from './run.mjs'

const [port, target] = process.argv.slice(2)
const workbench = join(root, 'apps/workbench')

/** @type {import('vite').ProxyOptions} */
const toServer = {
  target: /** @type {string} */ (target),
  changeOrigin: true,
  // The server refuses requests from another origin, and this dev server is another origin.
  configure: proxy =>
    proxy.on('proxyReq', request => {
      if (request.getHeader('origin')) request.setHeader('origin', /** @type {string} */ (target))
    }),
}

const server = await createServer({
  root: workbench,
  configFile: join(workbench, 'vite.config.ts'),
  clearScreen: false,
  server: {
    host: '127.0.0.1',
    port: Number(port),
    strictPort: true,
    // The printed URL has a token, and the server exchanges it for its cookie.
    // Sandboxes are those of the last build.
    proxy: { '/api': toServer, '^/sandbox/': toServer, '^/[?]token=': toServer },
  },
})
await server.listen()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => server.close().then(() => process.exit(0)))
}
