import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UI_CODES } from './codes.ts'

const here = import.meta.dirname
const guides = ['a2ui', 'ui-schema'].map(name => readFileSync(join(here, `../../../docs/guides/${name}.md`), 'utf8'))
const sources = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !/\.test\.|codes\.ts$/.test(name))
  .map(name => readFileSync(join(here, name), 'utf8'))
  .join('\n')
/** These two are said by the server, which applies the envelopes of a session. */
const SAID_ELSEWHERE = ['not_stored', 'disabled']

describe('A2-121 US-56 codes', () => {
  it('A2-121 US-56 each code is spelt alike and stands once in the list', () => {
    for (const code of UI_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(new Set(UI_CODES).size).toBe(UI_CODES.length)
  })

  it('A2-121 US-56 a guide explains each code', () => {
    expect(UI_CODES.filter(code => !guides.some(guide => guide.includes(`\`${code}\``)))).toEqual([])
  })

  it('A2-121 US-56 somebody says each code', () => {
    const isSaid = (code: string) => sources.includes(`'${code}'`) || sources.includes(`${code}:`)
    expect(UI_CODES.filter(code => !isSaid(code) && !SAID_ELSEWHERE.includes(code))).toEqual([])
  })
})
