import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['vitrine-source', 'module', 'browser', 'development|production'] }
const ssr = { resolve: { conditions: ['vitrine-source'], externalConditions: ['vitrine-source'] } }

export default defineConfig({
  resolve,
  ssr,
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.{ts,tsx}',
            'apps/*/src/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'bench/*/*.test.ts',
          ],
          testTimeout: 60_000,
          // Removing what a test has installed takes long on a busy machine.
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'browser',
          include: ['apps/workbench/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A busy machine shows late what it shows; a second would make chance a failure.
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
})
