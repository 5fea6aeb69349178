import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validateHints } from '@vitrine/genui/hints'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ui } from './ui.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-ui-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(args: string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  async function* stdin() {
    // The pieces cut characters in two, as a pipe may do.
    const bytes = new TextEncoder().encode(input)
    for (let at = 0; at < bytes.length; at += 5) yield bytes.slice(at, at + 5)
  }
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (err += text) }
  return { code: await ui(args, { stdout, stderr, stdin: stdin() }), out, err }
}

const hints = `{
  "intent": "status",
  "status": "success",
  "title": "日程已创建",
  "actions": [
    {"label": "Open", "action": {"type": "navigation", "path": "/todo/:id"}}
  ]
}`

describe('vitrine ui validate', () => {
  it('US-57 a legal file exits 0', async () => {
    const file = join(folder, 'ok.json')
    await writeFile(file, `\ufeff${hints.replace(':id', '1')}`)
    expect(await run(['validate', file])).toEqual({ code: 0, out: `${file}: valid UiHints 2.1\n`, err: '' })
  })

  it('US-56 US-57 a problem has line, column, code, reason and pointer, and exits 1', async () => {
    const { code, out, err } = await run(['validate', '-'], hints)
    expect(code).toBe(1)
    expect(err).toBe('stdin:6:56: error path_param: the path is not fully materialised: :id (/actions/0/action/path)\n')
    expect(out).toBe('stdin: not valid UiHints 2.1 (errors: 1, warnings: 0)\n')
  })

  it('US-57 US-202 a schema is recognised; what does not do what it says is a warning, and an error with --strict', async () => {
    const link = '{"type":"button","label":"x","action":{"type":"url","url":"https://x.example",\n"target":"_self"}}'
    const schema = `{"root":{"type":"stack","children":[${link}]}}`
    const lenient = await run(['validate', '-'], schema)
    expect(lenient).toMatchObject({ code: 0, out: 'stdin: valid UI Schema 2.0 (errors: 0, warnings: 1)\n' })
    expect(lenient.err).toMatch(/^stdin:2:1: warning target_ignored: /)
    expect((await run(['validate', '-', '--strict'], schema)).code).toBe(1)
  })

  it('US-206 another form, which the reader would understand, is not legal: the server says the same', async () => {
    const hints = '{"intent":"list","listItems":[{"label":"a"}],"gap":4}'
    const { code, err } = await run(['validate', '-'], hints)
    expect(code).toBe(1)
    expect(err).toContain('error unknown_field: UiHintsPayload has no field gap (/gap)')
    const told = validateHints(JSON.parse(hints)).map(({ path }) => path)
    expect([...err.matchAll(/\((\/[^)]*)\)$/gm)].map(([, path]) => path)).toEqual(told)
    expect((await run(['compile', '-'], hints)).code).toBe(1)
  })

  it('US-225 US-226 what would be cut is an error, and what shows nothing a warning', async () => {
    const listItems = Array.from({ length: 1300 }, (_, n) => ({ title: `t${n}`, subtitle: 's' }))
    const cut = await run(['validate', '-'], JSON.stringify({ listItems }))
    expect(cut).toMatchObject({ code: 1, err: expect.stringContaining('error too_many_components') })
    const empty = await run(['validate', '-'], '{}')
    expect(empty).toMatchObject({ code: 0, err: expect.stringContaining('warning nothing_shown') })
  })

  it('US-77 children of a leaf are reported, and only those of a layout are taken', async () => {
    const text = (child: string) => `{"type":"text","content":"a","children":[${child}]}`
    const schema = `{"root":{"type":"stack","children":[${text('{"type":"text","content":"b"}')}]}}`
    const { err } = await run(['validate', '-', '--strict'], schema)
    expect(err).toContain('UiTextNode has no field children (/root/children/0/children)')
    expect((await run(['compile', '-', '--text'], schema)).out).toBe('a\n')
  })

  it('US-57 what is not JSON is placed where it breaks', async () => {
    expect((await run(['validate', '-'], '{\n  "title": tru,\n}')).err).toBe(
      'stdin:2:15: error not_json: this is not JSON\n',
    )
    expect((await run(['validate', '-'], '{"title": "x"')).err).toBe('stdin:1:14: error not_json: this is not JSON\n')
    expect((await run(['validate', '-'], '')).code).toBe(1)
  })

  it('US-57 a wrong command or file exits 2 and says how', async () => {
    expect(await run([])).toMatchObject({ code: 2, out: '' })
    expect((await run(['draw', 'x'])).err).toContain('vitrine ui validate')
    expect(await run(['validate', join(folder, 'none.json')])).toMatchObject({
      code: 2,
      err: `${join(folder, 'none.json')}: cannot be read: there is no such file\n`,
    })
    expect((await run(['validate', '-', '--nope'])).code).toBe(2)
    expect(await run(['--help'])).toMatchObject({ code: 0, err: '' })
  })

  it('US-57 C08 a message carries no terminal escape', async () => {
    const { err } = await run(['validate', '-'], '{"root":{"type":"stack","children":[],"\\u001b[31m":1}}')
    expect(err).toContain('␛[31m')
  })
})

describe('vitrine ui validate, A2UI and several files', () => {
  const basic = 'https://a2ui.org/specification/v0_9/basic_catalog.json'
  const root = { id: 'root', type: 'Slider', props: { value: 50, max: 10 } }
  const create = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: basic, root } }
  const broken = { version: 'v0.9', updateComponents: { surfaceId: 's', components: [{ id: 'x' }] } }

  it('A2-435 envelopes are judged by the engine, in each form that a model writes them in', async () => {
    const forms: [unknown, string][] = [
      [create, ''],
      [[create], '/0'],
      [{ envelopes: [create] }, '/envelopes/0'],
      [{ messages: [create] }, '/messages/0'],
    ]
    for (const [value, at] of forms) {
      const { code, out, err } = await run(['validate', '-'], JSON.stringify(value))
      expect([code, out]).toEqual([0, 'stdin: valid A2UI 0.9 (errors: 0, warnings: 1)\n'])
      expect(err).toContain(
        `warning out_of_range: Slider 'root': the value 50 is not between 0 and 10. (${at}/createSurface/root/props/value)`,
      )
    }
    const { code, err } = await run(['validate', '-'], JSON.stringify([create, broken]))
    expect(code).toBe(1)
    expect(err).toContain('(/1/updateComponents/components/0/type)')
    const open = {
      ...create,
      createSurface: { ...create.createSurface, root: { id: 'root', type: 'Column', children: ['nobody'] } },
    }
    expect((await run(['validate', '-', '--strict'], JSON.stringify(open))).err).toContain('missing_child')
  })

  it('A2-435 a catalog is known as one, and compile says what it takes', async () => {
    const catalog = { catalogId: 'https://example.com/c', components: { Gauge: { type: 'object' } } }
    expect(await run(['validate', '-'], JSON.stringify(catalog))).toMatchObject({
      code: 0,
      out: 'stdin: valid A2UI catalog\n',
    })
    const wrong = await run(['validate', '-'], JSON.stringify({ ...catalog, components: { Gauge: 5 } }))
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('(/components/Gauge)')])
    expect(await run(['compile', '-'], JSON.stringify(catalog))).toMatchObject({
      code: 2,
      err: expect.stringContaining('A2UI catalog'),
    })
  })

  it('US-286 several files are checked at once, and one that cannot be read does not hide the others', async () => {
    const [good, bad, none] = ['good.json', 'bad.json', 'none.json'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await writeFile(good, '{"title":"x"}')
    await writeFile(bad, '{"titel":"x"}')
    expect(await run(['validate', good, good])).toMatchObject({ code: 0 })
    const { code, out, err } = await run(['validate', good, none, bad])
    expect(code).toBe(2)
    expect(out).toBe(`${good}: valid UiHints 2.1\n${bad}: not valid UiHints 2.1 (errors: 1, warnings: 1)\n`)
    expect(err).toContain(`${none}: cannot be read: there is no such file`)
    expect((await run(['validate', folder])).err).toContain('it is a folder')
  })

  it('US-286 what is wrong with a command line is said before how to write one', async () => {
    expect((await run(['draw', 'x'])).err).toMatch(/^There is no command "draw"\.\nvitrine ui validate/)
    expect((await run(['validate'])).err).toMatch(/^vitrine ui validate needs a file/)
    expect((await run(['compile', 'a', 'b'])).err).toMatch(/^vitrine ui compile takes one file/)
  })
})

describe('vitrine ui compile', () => {
  it('UH-34 prints the schema in the locale', async () => {
    const { code, out } = await run(['compile', '-', '--locale', 'zh-CN'], '{"title":"t","fields":[{"key":"a"}]}')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ version: '2.0', locale: 'zh-CN' })
    expect(out).toContain('提交')
  })

  it('UH-34 prints text or markdown', async () => {
    const input = '{"status":"success","title":"Done","items":[{"key":"Owner","value":"Dana"}]}'
    expect((await run(['compile', '-', '--text', '--locale', 'zh-CN'], input)).out).toBe(
      'Done  [成功]\n\nOwner: Dana\n',
    )
    expect((await run(['compile', '-', '--markdown'], input)).out).toBe('## Done\n\n`Success`\n\n- **Owner**: Dana\n')
    const schema = '{"root":{"type":"stack","children":[{"type":"text","content":"x"}]}}'
    expect(await run(['compile', '-', '--text'], schema)).toEqual({ code: 0, out: 'x\n', err: '' })
  })

  it('UH-34 prints what can be shown and exits 1 when something was wrong', async () => {
    const { code, out, err } = await run(['compile', '-'], hints)
    expect(code).toBe(1)
    expect(JSON.parse(out).root.children).toHaveLength(2)
    expect(err).toContain('stdin:6:56: error path_param')
  })

  it.each([
    [['compile', '-', '--locale', 'tlh'], '--locale tlh: there are no words in this language. Use en or zh-CN.\n'],
    [['compile', '-', '--locale', ''], '--locale : there are no words in this language. Use en or zh-CN.\n'],
    [['compile', '-', '--locale', 'en_US'], '--locale en_US: there are no words in this language. Use en or zh-CN.\n'],
    [['compile', '-', '--text', '--markdown'], '--text and --markdown exclude each other: give one of them.\n'],
    [['compile', '-', '--strict'], 'vitrine ui compile takes no --strict.\n'],
    [['validate', '-', '--locale', 'en'], 'vitrine ui validate takes no --locale.\n'],
    [['validate', '-', '--text'], 'vitrine ui validate takes no --text.\n'],
  ])('US-256 %j is refused and prints nothing', async (args, why) => {
    const { code, out, err } = await run(args, '{"title":"t"}')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.startsWith(why)).toBe(true)
  })

  it.each(['zh', 'zh-TW', 'en-GB', 'ZH-cn'])('US-256 --locale %s is near a language that has words', async locale => {
    expect(await run(['compile', '-', '--locale', locale], '{"title":"t"}')).toMatchObject({ code: 0, err: '' })
  })

  it('US-255 a key that stands twice is an error at its second place, for every command', async () => {
    const text = '{"title": "a",\n "items": [{"key": "k", "key": "k"}],\n "title": "b"}'
    const told = [
      'stdin:2:25: error duplicate_key: "key" stands twice in this object, and only the last value counts (/items/0/key)',
      'stdin:3:2: error duplicate_key: "title" stands twice in this object, and only the last value counts (/title)',
    ]
    expect(await run(['validate', '-'], text)).toEqual({
      code: 1,
      out: 'stdin: not valid UiHints 2.1 (errors: 2, warnings: 0)\n',
      err: `${told.join('\n')}\n`,
    })
    expect((await run(['compile', '-', '--text'], text)).code).toBe(1)
  })

  it('UH-240 UH-241 rules of fields that cannot hold, and keys of fields that stand twice, are errors', async () => {
    const fields = [{ key: 'a', type: 'number', min: 5, max: 1 }, { key: 'a' }]
    const { code, err } = await run(['validate', '-'], JSON.stringify({ fields }))
    expect(code).toBe(1)
    expect(err).toContain('error crossed_bounds: min is above max: no value fits (/fields/0/min)')
    expect(err).toContain('error duplicate_field: another field has the key "a" (/fields/1/key)')
  })
})
