import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqlite } from './storage/sqlite/sqlite.ts'
import { twoServersContract } from './two-servers.contract.ts'

const root = mkdtempSync(join(tmpdir(), 'vitrine-two-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

twoServersContract('sqlite', {
  fresh: async () => ({ folder: join(root, `${++folders}`) }),
  open: openSqlite,
  module: new URL('./storage/sqlite/sqlite.ts', import.meta.url).href,
  export: 'openSqlite',
})
