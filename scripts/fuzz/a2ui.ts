// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { basicCatalog, SurfacePreview } from '@vitrine/genui/a2ui'
import type { Json, JsonObject } from '@vitrine/protocol'
import { envelopesOf } from '../../apps/workbench/src/pages/gallery-form.ts'
import { samples } from '../../apps/workbench/src/pages/gallery-samples.ts'
import { expectLaw } from '../../packages/server/src/runtime/surface-law.fixture.ts'
import { Chance, mutate, type Odds } from './mutate.ts'

const IN_HISTORY = 100

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What producers send: the document of the specification, our gallery in both forms, and the public examples. */
function validHistories(): Json[][] {
  const histories = samples.flatMap(sample => [envelopesOf(sample, 'nested'), envelopesOf(sample, 'public')])
  const texts = [readFileSync(join(root, 'docs/guides/a2ui.md'), 'utf8')]
  const shared = join(root, '../shared')
  if (existsSync(join(shared, 'specs/a2ui.md'))) texts.push(readFileSync(join(shared, 'specs/a2ui.md'), 'utf8'))
  for (const text of texts) histories.push(jsonIn(text))
  const folders = [
    join(root, 'packages/genui/src/a2ui/conformance-sample/examples'),
    join(shared, 'conformance/a2ui/examples'),
  ]
  for (const folder of folders.filter(existsSync))
    for (const name of readdirSync(folder).filter(file => file.endsWith('.json')))
      histories.push(JSON.parse(readFileSync(join(folder, name), 'utf8')).messages as Json[])
  return histories.filter(history => history.length > 0)
}

/** The envelopes in a document: everything between braces that can be read and has a version. */
function jsonIn(text: string): Json[] {
  const found: Json[] = []
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1))
    for (let end = text.indexOf('}', at); end >= 0 && end < at + 3_000; end = text.indexOf('}', end + 1))
      try {
        const value = JSON.parse(text.slice(at, end + 1)) as JsonObject
        if (value.version !== undefined) found.push(value)
        break
      } catch {}
  return found
}

/** On the surface `s`, so that all of them are about the same few things. */
function onOneSurface(envelope: Json): Json {
  const copy = structuredClone(envelope) as JsonObject
  for (const body of Object.values(copy))
    if (typeof body === 'object' && body !== null && !Array.isArray(body) && 'surfaceId' in body) body.surfaceId = 's'
  return copy
}

const nest = (depth: number): Json => (depth === 0 ? 1 : [nest(depth - 1)])

const odds: Odds = {
  values: [
    ...[null, true, false, 0, -1, 3, 1.5, 1e21, 1e308, 2 ** 53, -0, '', '3', 'true', ' ', 'root', 'x', '0', '-'],
    ...[
      '\ud800',
      '\u202eabc\u202c',
      '\u200b',
      'é👩‍👩‍👧',
      '\u0000\u0001',
      'a\nb',
      '__proto__',
      'constructor',
      '<b>&"\'',
    ],
    ...[
      '/',
      '//',
      '/a',
      '/items/0',
      'items/',
      './x',
      '~9',
      '/a~1b',
      '${',
      '${/a}',
      '${/a',
      "${'x'}",
      '${f(}',
      '${formatDate(value: /a)}',
    ],
    ...[
      'javascript:alert(1)',
      'https://a.example/b',
      'data:image/png;base64,',
      'mailto:a@b.co',
      '(a+)+$',
      '([a',
      '^\\d+$',
    ],
    ...['2026-02-30', '2026-03-15T14:00:00Z', '#12345', 'h1', 'spaceBetween', 'x'.repeat(300), 'y'.repeat(33_000)],
    ...[[], {}, [[]], [null], [1, 'a', {}], nest(20), nest(70), { a: { b: { c: 1 } } }],
    ...[
      { path: '/' },
      { path: '/items' },
      { path: 'name' },
      { path: '~' },
      { $ref: '/a' },
      { literal: { path: '/a' } },
    ],
    ...[
      { formatString: '${/a} ${x' },
      { formatString: { path: '/a' } },
      { if: { cond: { path: '/a' } } },
      { map: { from: '/' } },
    ],
    ...[
      { eq: [{ path: '/' }, { path: '/a' }] },
      { concat: [1, { path: '/' }] },
      { join: { items: { path: '/' } } },
      { coalesce: [] },
    ],
    ...[...basicCatalog.functions.keys()].map(call => ({
      call,
      args: { value: { path: '/a' }, values: [{ path: '/a' }, 1] },
    })),
    ...[
      { componentId: 'root', path: '/' },
      { componentId: 'x', path: '/items' },
      { componentId: 'root', path: 'a' },
    ],
    ...[
      { event: { name: 'go', context: { path: '/a' } } },
      { name: 'go' },
      { functionCall: { call: 'openUrl', args: { url: 'x:' } } },
    ],
    ...[
      { id: 'x', type: 'Text', props: { text: 'x' } },
      { id: 'root', component: 'Text', text: 'x' },
    ],
    ...[{ id: 'a', key: 1 }, [{ id: 1 }, { id: 1 }], [{ key: 'k' }, { key: 'k2', items: [1] }]],
  ],
  keys: [
    ...[
      'id',
      'type',
      'component',
      'props',
      'children',
      'child',
      'tabs',
      'trigger',
      'content',
      'componentId',
      'path',
      'value',
    ],
    ...[
      'call',
      'args',
      'literal',
      'formatString',
      '$ref',
      'if',
      'map',
      'eq',
      'checks',
      'action',
      'event',
      'context',
      'name',
    ],
    ...[
      'surfaceId',
      'root',
      'components',
      'dataModel',
      'theme',
      'replace',
      'delete',
      'key',
      'items',
      '0',
      '',
      'constructor',
    ],
    ...['toString', 'emits', 'markdown', '$type', 'a/b', 'a~b', 'k'.repeat(2_001), ...basicCatalog.components.keys()],
  ],
  pieces: [
    '/',
    '~',
    '~1',
    '${',
    '}',
    '(',
    ')',
    ',',
    ':',
    "'",
    '"',
    '\\',
    ' ',
    '\ud800',
    '\u202e',
    '0',
    '-',
    '.',
    '[',
    '*',
    'x',
  ],
}

const valid = validHistories().map(history => history.map(onOneSurface))
const envelopes = valid.flat()

/** Some envelopes of a producer as they are, and then many that chance has changed. */
function historyOf(seed: number): { history: Json[][]; last: Json } {
  const chance = new Chance(seed)
  const changed = () => mutate(chance.of(envelopes), 1 + chance.below(4), chance, odds)
  const history = [chance.of(valid)]
  let count = 0
  while (count < IN_HISTORY) {
    const call = Array.from({ length: 1 + chance.below(4) }, () =>
      chance.next() < 0.2 ? chance.of(envelopes) : changed(),
    )
    count += call.length
    history.push(call)
  }
  return { history, last: changed() }
}

/** What a person may do with everything that is drawn, and what a page shows while the arguments still stream. */
async function check({ history, last }: { history: Json[][]; last: Json }) {
  const { ok, refused, models } = await expectLaw(history, last)
  for (const model of models.values()) {
    const visit = (id: string): void => {
      for (const event of ['click', 'submit', 'change'] as const) model.action(id, event)
      model.setInput(id, 'typed')
      for (const child of model.getNode(id)?.children ?? []) visit(child)
    }
    const { root: first } = model.getSurface()
    if (first !== undefined) visit(first)
    model.restoreLocal(model.exportLocal())
    model.values()
    model.dispose()
    assert.deepEqual(model.live, { subscriptions: 0, nodes: 0 })
  }
  const preview = new SurfacePreview()
  const text = JSON.stringify({ messages: history.at(-1) })
  for (let at = 0; at < Math.min(text.length, 4_000); at += 97) {
    preview.push(text.slice(at, at + 97))
    preview.take()
  }
  return { ok, refused }
}

const failure = async (tried: { history: Json[][]; last: Json }): Promise<string | undefined> =>
  check(tried).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )

/** The shortest history that still fails, so that somebody can read it. */
async function shortened(tried: { history: Json[][]; last: Json }): Promise<{ history: Json[][]; last: Json }> {
  let { history } = tried
  for (let i = history.length - 1; i >= 0; i--)
    for (let j = history[i]!.length - 1; j >= 0; j--) {
      const less = history.map((call, at) => (at === i ? call.toSpliced(j, 1) : call)).filter(call => call.length > 0)
      if ((await failure({ history: less, last: tried.last })) !== undefined) history = less
      if (history[i] === undefined) break
    }
  return { history, last: tried.last }
}

/** Tries so many envelopes. Throws with the shortest history that fails. */
export async function fuzzA2ui(count: number, seed: number): Promise<{ ok: number; refused: number }> {
  const seen = { ok: 0, refused: 0 }
  for (let n = 0; seen.ok + seen.refused < count; n++) {
    const tried = historyOf(seed * 1_000_003 + n)
    try {
      const { ok, refused } = await check(tried)
      seen.ok += ok
      seen.refused += refused
    } catch {
      const short = await shortened(tried)
      const text = JSON.stringify(short, null, 1).slice(0, 20_000)
      throw new Error(`Seed ${seed}, history ${n}: ${await failure(short)}\n${text}`)
    }
    if (n % 1_000 === 999) console.log(`${seen.ok} applied, ${seen.refused} refused`)
  }
  return seen
}
