// Compares the numbered behaviours of docs/spec.md with the rows they come from. With --write it writes them anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Row, readRows } from './requirements.ts'

const BEGIN = '<!-- behaviours: written by scripts/spec.ts from docs/requirements -->'
const END = '<!-- end of behaviours -->'

const ROOMS: readonly [title: string, belongs: (id: string) => boolean][] = [
  ['Protocol', id => /^P-0/.test(id)],
  ['Rules of legality', id => id.startsWith('V-')],
  ['Client', id => /^P-1/.test(id)],
  ['Surfaces and the workbench', id => /^P-[289]/.test(id)],
  ['Storage', id => /^P-3/.test(id)],
  ['HTTP, streams and the command', id => /^P-4/.test(id)],
  ['The guide', id => /^P-5/.test(id)],
  ['Runtime', id => /^P-6/.test(id)],
  ['Models', id => id.startsWith('MO-')],
  ['Tools', id => id.startsWith('TO-')],
  ['Tools that ship', id => id.startsWith('TK-')],
  ['Settings: providers, models and agents', id => id.startsWith('SE-')],
  ['MCP servers', id => id.startsWith('MC-')],
  ['Attachments', id => /^P-91/.test(id)],
  ['Content from elsewhere', id => /^P-90/.test(id)],
  ['Repository', id => id.startsWith('R-')],
]

function render(rows: readonly Row[]): string {
  const sections = ROOMS.map(([title, belongs]) => {
    const lines = rows
      .filter(({ id }) => belongs(id))
      .map(({ id, line }) => `- **${id}** ${line}.`.replace(/\.\.$/, '.'))
    return `### ${title}\n\n${lines.join('\n')}`
  })
  return `${BEGIN}\n\n${sections.join('\n\n')}\n\n${END}`
}

const root = resolve(import.meta.dirname, '..')
const file = join(root, 'docs/spec.md')
const spec = readFileSync(file, 'utf8')
const rows = readRows(join(root, 'docs/requirements')).rows.filter(({ source }) => source === 'docs/spec.md')
const homeless = rows.filter(({ id }) => !ROOMS.some(([, belongs]) => belongs(id)))
if (homeless.length > 0) throw new Error(`scripts/spec.ts knows no room for ${homeless.map(({ id }) => id).join(', ')}`)
const written = spec.slice(0, spec.indexOf(BEGIN)) + render(rows) + spec.slice(spec.indexOf(END) + END.length)

if (process.argv.includes('--write')) writeFileSync(file, written)
else if (written !== spec) {
  console.error('docs/spec.md does not list the rows as they are now: run node scripts/spec.ts --write')
  process.exit(1)
}
