import type { Row } from './row.ts'

const HEAD = ['', 'ours', 'peer', 'unit', 'ratio', 'target', '']

export function printTable(sections: readonly { section: string; rows: readonly Row[] }[]): void {
  const lines = sections.flatMap(({ section, rows }) => [[section], ...rows.map(cells)])
  const all = [HEAD, ...lines]
  const widths = HEAD.map((_, column) =>
    Math.max(...all.map(line => (line.length === 1 ? 0 : (line[column]?.length ?? 0)))),
  )
  for (const line of all) {
    if (line.length === 1) {
      console.log(`\n${line[0]}`)
      continue
    }
    const padded = line.map((text, column) =>
      column >= 1 && column <= 4 && column !== 3 ? text.padStart(widths[column]!) : text.padEnd(widths[column]!),
    )
    console.log(`  ${padded.join('  ').trimEnd()}`)
  }
  const rows = sections.flatMap(({ rows }) => rows)
  const missed = rows.filter(({ ok }) => !ok)
  console.log(`\n${rows.length - missed.length} of ${rows.length} targets met`)
  for (const { name, target } of missed) console.log(`  MISSED  ${name}: ${target}`)
}

const cells = ({ name, ours, peer, unit, ratio, target, ok }: Row): string[] => [
  name,
  figure(ours),
  peer === undefined ? '' : figure(peer),
  unit,
  ratio === undefined ? '' : `${figure(ratio)} ×`,
  target,
  ok ? 'ok' : 'MISSED',
]

/** Three significant digits are all that a shared machine can promise. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const rounded = Number(value.toPrecision(3))
  return Math.abs(rounded) >= 1000 ? Math.round(rounded).toLocaleString('en') : String(rounded)
}
