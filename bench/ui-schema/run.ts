import { a2uiPrompt, a2uiTool } from '@vitrine/genui/a2ui'
import { estimateTokens, hintsToSchema, showUiPrompt, showUiTool, validateHints } from '@vitrine/genui/hints'
import { validateSchema } from '@vitrine/genui/schema'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Row } from '../row.ts'
import * as a2ui from './a2ui.ts'
import * as adaptive from './adaptive-cards.ts'
import * as contents from './contents.ts'
import * as openui from './openui-lang.ts'
import { run as drawing } from './render.ts'
import * as hints from './ui-hints.ts'

const payloads = {
  card: hints.card(contents.card),
  table: hints.table(contents.table),
  form: hints.form(contents.form),
}
const programs = {
  card: openui.card(contents.card),
  table: openui.table(contents.table),
  form: openui.form(contents.form),
}
const others = [
  [
    'OpenUI Lang, inlined and without spaces',
    { card: openui.compact(programs.card), table: openui.compact(programs.table), form: openui.compact(programs.form) },
  ],
  ['A2UI v0.9', { card: a2ui.card(contents.card), table: a2ui.table(contents.table), form: a2ui.form(contents.form) }],
  [
    'Adaptive Cards 1.6',
    { card: adaptive.card(contents.card), table: adaptive.table(contents.table), form: adaptive.form(contents.form) },
  ],
] as const
const most = { card: 1.0, table: 0.7, form: 0.75 } as const
type Name = keyof typeof most
const names = Object.keys(most) as Name[]

/** Tokens (o200k) of the same contents in four formats, of the prompts, and the speed of hintsToSchema and check. */
export async function run(): Promise<Row[]> {
  for (const name of names) {
    const illegal = [...validateHints(payloads[name]), ...validateSchema(hintsToSchema(payloads[name]))]
    if (illegal.length > 0) throw new Error(`the ${name} is not legal: ${illegal[0]?.path} ${illegal[0]?.message}`)
  }
  return [...outputs(), ...prompts(), estimates(), ...speeds(), ...(await drawing())]
}

const tokens = (name: Name): number => countTokens(JSON.stringify(payloads[name]))

function compared(name: string, ours: number, peer: number, limit?: number): Row {
  const ratio = ours / peer
  const target = limit === undefined ? 'for comparison' : `ratio ≤ ${limit}`
  return { name, ours, peer, unit: 'tokens', ratio, target, ok: limit === undefined || ratio <= limit }
}

function outputs(): Row[] {
  return [
    ...names.map(name =>
      compared(`${name}: UiHints / OpenUI Lang`, tokens(name), countTokens(programs[name]), most[name]),
    ),
    ...others.flatMap(([peer, texts]) =>
      names.map(name => compared(`${name}: UiHints / ${peer}`, tokens(name), countTokens(texts[name]))),
    ),
  ]
}

/** Counted once from @openuidev/react-ui 0.12.1, `openuiLibrary.prompt(openuiPromptOptions)`: it brings 250 packages. */
const openUiPromptTokens = 5107

function prompts(): Row[] {
  const hints = countTokens(showUiPrompt) + countTokens(JSON.stringify(showUiTool))
  const surfaces = countTokens(a2uiPrompt()) + countTokens(JSON.stringify(a2uiTool))
  return [
    compared('prompt and tool: UiHints / OpenUI Lang', hints, openUiPromptTokens, 0.15),
    compared('prompt and tool: A2UI / OpenUI Lang', surfaces, openUiPromptTokens, 0.5),
  ]
}

function estimates(): Row {
  const texts = [...names.map(name => JSON.stringify(payloads[name])), showUiPrompt, JSON.stringify(showUiTool)]
  const off = Math.max(...texts.map(text => Math.abs(estimateTokens(text) / countTokens(text) - 1)))
  return {
    name: 'estimateTokens: largest error',
    ours: Math.round(off * 100),
    unit: '%',
    target: '≤ 25',
    ok: off <= 0.25,
  }
}

function speeds(): Row[] {
  const all = names.map(name => payloads[name])
  const schemas = all.map(payload => hintsToSchema(payload))
  return [
    speed('compile, typical payloads on one core', 10_000, all, hintsToSchema),
    speed('check, typical schemas on one core', 20_000, schemas, validateSchema),
  ]
}

/** The median of five windows, after a warm-up. */
function speed(name: string, least: number, inputs: readonly unknown[], work: (input: unknown) => unknown): Row {
  const batch = (times: number): void => {
    for (let i = 0; i < times; i++) for (const input of inputs) work(input)
  }
  batch(2000)
  const rates = Array.from({ length: 5 }, () => {
    const start = performance.now()
    let done = 0
    for (; performance.now() - start < 200; done += 50 * inputs.length) batch(50)
    return (done * 1000) / (performance.now() - start)
  })
  const ours = Math.round(rates.sort((a, b) => a - b)[2]!)
  return { name, ours, unit: '1/s', target: `≥ ${least}`, ok: ours >= least }
}
