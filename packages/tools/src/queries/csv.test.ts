import { describe, expect, it } from 'vitest'
import { readCsv } from './csv.ts'
import { readJsonTable } from './json-table.ts'

const names = (text: string) => readCsv(text).columns.map(({ name, type }) => `${name} ${type}`)

describe('reading tables', () => {
  it('TK-21 reads quotes, line ends in cells, a byte order mark and all line ends', () => {
    expect(readCsv('\ufeffname,note\r\n"O""Brien, Ann","two\nlines"\r\nBob,\r\n')).toEqual({
      columns: [
        { name: 'name', type: 'TEXT' },
        { name: 'note', type: 'TEXT' },
      ],
      rows: [
        ['O"Brien, Ann', 'two\nlines'],
        ['Bob', null],
      ],
      notes: [],
    })
    expect(readCsv('a,b\r1,2\r3,4').rows).toEqual([
      [1n, 2n],
      [3n, 4n],
    ])
    expect(readCsv('a,b\n5" pipe,x "y" z\n').rows).toEqual([['5" pipe', 'x "y" z']])
  })

  it('TK-21 finds out what stands between the cells', () => {
    expect(names('a;b;c\n1,5;2;x\n')).toEqual(['a REAL', 'b INTEGER', 'c TEXT'])
    expect(names('a\tb\n1\t2')).toEqual(['a INTEGER', 'b INTEGER'])
    expect(names('a|b\n1,1|2,2')).toEqual(['a REAL', 'b REAL'])
    expect(names('sep=;\na;b\n1;2')).toEqual(['a INTEGER', 'b INTEGER'])
    expect(names('word\none\ntwo')).toEqual(['word TEXT'])
    expect(names('a,"b;c;d;e"\n1,2')).toEqual(['a INTEGER', 'b;c;d;e INTEGER'])
  })

  it('TK-21 keeps what would be lost as a number, and every number exactly', () => {
    const table = readCsv('zip,phone,big,price,none,mixed\n01234,+49 1,9007199254740993,1.10,,1\n99999,2,1,-.5,,x\n')
    expect(table.columns.map(({ type }) => type)).toEqual(['TEXT', 'TEXT', 'INTEGER', 'REAL', 'TEXT', 'TEXT'])
    expect(table.rows[0]).toEqual(['01234', '+49 1', 9007199254740993n, 1.1, null, '1'])
  })

  it('TK-21 gives every column a name of its own, and says how the file was read', () => {
    expect(names('Name,name,,Name\na,b,c,d')).toEqual(['Name TEXT', 'name_2 TEXT', 'column_3 TEXT', 'Name_3 TEXT'])
    expect(readCsv('1,2\n3,4').notes).toEqual(['The first row holds data, so the columns have numbers for names.'])
    expect(readCsv('a,b\n1\n2,3,4\n')).toMatchObject({
      columns: [{ name: 'a' }, { name: 'b' }, { name: 'column_3' }],
      rows: [
        [1n, null, null],
        [2n, 3n, 4n],
      ],
      notes: ['2 rows have fewer cells than others; what is missing is NULL.'],
    })
  })

  it.each([
    ['', 'no rows'],
    ['\n\n', 'no rows'],
    ['a,b\n1,"open', 'A quotation mark in line 2 is never closed.'],
    [`${'a,'.repeat(600)}b\n`, '601 columns'],
  ])('TK-21 a file that is no table fails with words', (text, words) => {
    expect(() => readCsv(text)).toThrow(words)
  })

  it('TK-21 reads records, lists and lines of JSON', () => {
    expect(readJsonTable('[{"a":1,"b":{"c":[1]}},{"a":2.5,"d":true}]')).toEqual({
      columns: [
        { name: 'a', type: 'REAL' },
        { name: 'b', type: 'TEXT' },
        { name: 'd', type: 'INTEGER' },
      ],
      rows: [
        [1, '{"c":[1]}', null],
        [2.5, null, 1],
      ],
      notes: [],
    })
    expect(readJsonTable('{"a":1}\n{"a":2}\n').rows).toEqual([[1], [2]])
    expect(readJsonTable('{"items":[[1,2]]}').columns.map(({ name }) => name)).toEqual(['column_1', 'column_2'])
    expect(() => readJsonTable('{"a":')).toThrow('no JSON')
    expect(() => readJsonTable('5')).toThrow('no list of records')
  })
})
