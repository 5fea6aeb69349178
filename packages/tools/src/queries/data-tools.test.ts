import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@vitrine/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCalculator } from '../calculator/calculator.ts'
import { type Door, handsOn, openDoor } from '../door.fixture.ts'
import { createDataTools } from './data-tools.ts'

const sales = 'city,amount\nParis,10\nRome,20.5\nParis,5\n'
const contents = new Map<string, Uint8Array>(
  Object.entries({
    'sales.csv': sales,
    'people.json': JSON.stringify([
      { name: 'Ann', city: 'Paris' },
      { name: 'Bob', city: 'Oslo' },
    ]),
    '2024 Umsätze (alt).csv': 'a;b\n1;2',
    'big.csv': `n\n${Array.from({ length: 3_000 }, (_, n) => n).join('\n')}`,
    'shot.png': '\x89PNG\r\n\x1a\n',
  }).map(([name, text]) => [name, Buffer.from(text, name.endsWith('png') ? 'latin1' : 'utf8')]),
)
const files = [...contents].map(([name, bytes]) => ({
  ref: `sha256:${name}`,
  digest: name,
  size: bytes.length,
  mediaType: 'x/y',
  name,
}))
const given = { files: async () => files, readFile: async (digest: string) => contents.get(digest)! }

const setUp = async (options = {}) => {
  const hands = await handsOn(createDataTools(options))
  return (tool: string, args: JsonObject) => hands.run(tool, args, given)
}

describe('SQL over attached files', () => {
  it('TK-22 says which columns the tables have, and answers with text and a table', async () => {
    const run = await setUp()
    expect((await run('query_table', { files: ['sales.csv'] })).text).toBe(
      'sales.csv is the table sales with 3 rows. Its columns: city (TEXT), amount (REAL).\nThe first rows:\nParis | 10\nRome | 20.5\nParis | 5',
    )
    expect(
      await run('query_table', {
        files: ['sales.csv'],
        sql: 'select city, sum(amount) as total from sales group by city order by 2',
      }),
    ).toEqual({
      text: 'The result has 2 rows.\n\ncity | total\nParis | 15\nRome | 20.5',
      uiHints: {
        intent: 'data',
        table: {
          columns: [{ label: 'city' }, { label: 'total', align: 'end' }],
          rows: [
            ['Paris', 15],
            ['Rome', 20.5],
          ],
        },
      },
    })
    const joined = await run('query_table', {
      files: ['sales.csv', 'people.json'],
      sql: 'select name, amount from people join sales using (city) order by amount;  -- done',
    })
    expect(joined.text).toContain('Ann | 5\nAnn | 10')
    expect(
      (
        await run('query_table', {
          files: ['2024 Umsätze (alt).csv'],
          sql: 'select a + b as c from "t_2024_Umsätze_alt_"',
        })
      ).text,
    ).toContain('c\n3')
    const big = await run('query_table', { files: ['big.csv'], sql: 'select * from big' })
    expect(big.text).toMatch(/^The result has more than 1000 rows\. Here are the first \d+/)
    expect(big.text!.length).toBeLessThan(8_000)
    expect(big.uiHints).toMatchObject({ table: { caption: 'The first 50 of more than 1000 rows.' } })
  })

  it.each([
    ['select * from nowhere', 'no such table: nowhere'],
    ['selec 1', 'syntax error'],
    ['select 1; select 2', 'Give one statement'],
    ['insert into sales values (1, 2)', 'Only SELECT'],
    ['update sales set amount = 0', 'Only SELECT'],
    ['drop table sales', 'Only SELECT'],
    ['create table x as select 1', 'Only SELECT'],
    ["attach '/etc/passwd' as x", 'Only SELECT'],
    ["vacuum into 'copy.db'", 'Only SELECT'],
    ['pragma database_list', 'Only SELECT'],
    ['select * from pragma_database_list', 'Only SELECT'],
    ["select load_extension('x')", 'Only SELECT'],
    ["select readfile('/etc/passwd')", 'no such function'],
    ['select zeroblob(1000000000)', 'Only SELECT'],
    ['begin', 'Only SELECT'],
    ['', 'gives no rows|The SQL cannot be used'],
  ])('TK-23 %s is refused in words', async (sql, words) => {
    const run = await setUp()
    await expect(run('query_table', { files: ['sales.csv'], sql })).rejects.toThrow(new RegExp(words))
  })

  it.each([
    [
      'rows without an end',
      'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c',
      /did not end within 1 s/,
    ],
    [
      'a product of everything',
      'select count(*) from big a, big b, big c, big d where a.n + b.n + c.n + d.n = -1',
      /did not end within 1 s/,
    ],
    [
      'a text that doubles',
      "with recursive c(x) as (select 'aaaaaaaaaaaaaaaa' union all select x || x from c) select max(length(x)) from c",
      /memory|did not end/,
    ],
  ])('TK-23 %s are stopped, and everybody else is answered', { timeout: 60_000 }, async (_name, sql, words) => {
    const run = await setUp({ ms: 1_000, memoryMb: 128 })
    const calculator = await handsOn(createCalculator())
    const querying = run('query_table', { files: ['big.csv'], sql })
    querying.catch(() => {})
    expect((await calculator.run('calculate', { expression: '1 + 1' })).text).toBe('2')
    await expect(querying).rejects.toThrow(words)
  })

  it('TK-23 a query that is stopped by a person ends at once', async () => {
    const hands = await handsOn(createDataTools({ ms: 60_000 }))
    const stopping = new AbortController()
    const sql = 'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c'
    const querying = hands.run('query_table', { files: ['big.csv'], sql }, { ...given, signal: stopping.signal })
    setTimeout(() => stopping.abort(new Error('The run was stopped.')), 300)
    await expect(querying).rejects.toThrow('The run was stopped.')
  })

  it('TK-23 no file is written anywhere', async () => {
    const before = await mkdtemp(join(tmpdir(), 'vitrine-data-'))
    const run = await setUp()
    await expect(
      run('query_table', { files: ['sales.csv'], sql: `vacuum into '${join(before, 'x.db')}'` }),
    ).rejects.toThrow('Only SELECT')
    expect(await readdir(before)).toEqual([])
    await rm(before, { recursive: true })
  })

  it('TK-22 a file that is not there, too large or no table is told with what there is', async () => {
    const run = await setUp({ maxFileBytes: 200 })
    await expect(run('query_table', { files: ['sale.csv'] })).rejects.toThrow(
      'There is no attached file "sale.csv". Attached are: sales.csv, people.json',
    )
    await expect(run('query_table', { files: ['big.csv'] })).rejects.toThrow(
      'big.csv has 13.6 KB, and 200 bytes are the most.',
    )
    await expect(run('query_table', { files: ['shot.png'] })).rejects.toThrow('shot.png is an image')
    expect((await run('query_table', { files: ['./SALES.csv'] })).text).toContain('sales.csv is the table')
    const none = await handsOn(createDataTools())
    await expect(none.run('query_table', { files: ['a.csv'] })).rejects.toThrow('No file is attached.')
  })
})

describe('JMESPath over JSON', () => {
  it('TK-24 asks a file or a text', async () => {
    const run = await setUp()
    expect((await run('query_json', { file: 'people.json', query: "[?city == 'Paris'].name" })).text).toBe('["Ann"]')
    expect((await run('query_json', { json: '{"a":{"b":[1,2,3]}}', query: 'sum(a.b)' })).text).toBe('6')
    expect((await run('query_json', { json: '{}', query: 'nothing' })).text).toBe('null')
  })

  it.each([
    [{ json: '{', query: 'a' }, 'no JSON'],
    [{ json: '{}', query: 'a[' }, 'The query cannot be used'],
    [{ json: '{}', query: 'nofunction(@)' }, 'The query cannot be used'],
    [{ query: 'a' }, 'Give either a file or JSON text.'],
    [{ json: JSON.stringify('x'.repeat(200_000)), query: '@' }, 'which is too much'],
    [{ json: '['.repeat(200_000), query: '@' }, 'no JSON'],
  ])('TK-24 what cannot be asked fails with words', async (args, words) => {
    const run = await setUp()
    await expect(run('query_json', args)).rejects.toThrow(words)
  })
})

describe('data tools in a session of a server', () => {
  let door: Door
  beforeAll(async () => {
    door = await openDoor([createDataTools()])
  })
  afterAll(() => door.close())

  it('TK-22 a file that a person attached in a turn is queried by its name, in that turn and later', async () => {
    await door.upload(sales, 'sales.csv')
    const sql = 'select count(*) as n from sales'
    expect((await door.call('query_table', { files: ['sales.csv'], sql })).result?.preview).toContain('n\n3')
    await door.upload('[1, 2]', 'list.json')
    expect((await door.call('query_json', { file: 'list.json', query: 'length(@)' })).result?.preview).toBe('2')
    expect((await door.call('query_table', { files: ['sales.csv'] })).result?.preview).toContain('with 3 rows')
    const result = (await door.events()).find(({ type }) => type === 'tool.result')
    expect(result).toMatchObject({ uiHints: { table: { rows: [[3]] } } })
  })
})
