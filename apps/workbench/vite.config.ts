import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

const api = process.env.VITRINE_API

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['vitrine-source', ...defaultClientConditions] },
  build: { outDir: 'dist', target: 'es2023', reportCompressedSize: true },
  worker: { format: 'es' },
  server: api
    ? { proxy: { '/api': { target: /^\d+$/.test(api) ? `http://127.0.0.1:${api}` : api, changeOrigin: true } } }
    : {},
})
