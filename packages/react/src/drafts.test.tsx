import type { ActionRequest } from '@vitrine/protocol'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetDraft, placeOf, readDraft, storeDrafts, useDraft, writeDraft, writeField } from './drafts.ts'
import { draw } from './fixtures/draw.tsx'
import { fakeSession, started } from './fixtures/session.ts'
import { CardState } from './genui/schema/card-state.ts'
import { namesSecret } from './mask-secrets.ts'
import { writeStored } from './stored.ts'
import { ActionCard } from './views/action-card.tsx'
import { keepComposerDraft, keepSteer, readComposerDraft, sentSteers } from './views/composer-draft.ts'

const browser = new Map<string, string>()
let room = Number.POSITIVE_INFINITY
const inBrowser = (key: string): unknown => JSON.parse(browser.get(key) ?? 'null')

beforeEach(() => {
  browser.clear()
  room = Number.POSITIVE_INFINITY
  const methods = {
    getItem: (key: string) => browser.get(key) ?? null,
    setItem: (key: string, value: string) => {
      const used = [...browser.values()].reduce((sum, text) => sum + text.length, 0)
      if (used + value.length > room) throw new DOMException('full', 'QuotaExceededError')
      browser.set(key, value)
    },
    removeItem: (key: string) => browser.delete(key),
  }
  // The names of what is stored are the own names of the browser's storage, its methods are not.
  vi.stubGlobal(
    'localStorage',
    new Proxy(methods, {
      ownKeys: () => [...browser.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }),
  )
  // A new page has nothing in its memory.
  for (const key of ['vitrine.drafts', placeOf('typed', 's1', 'a1')]) writeStored(key, undefined)
})

const never = () => undefined

function Secret({ place, onType }: { place: string; onType: (set: (value: string) => void) => void }) {
  const [value, write] = useDraft<string>(place, 'pin', '', never)
  onType(write)
  return <b>{value}</b>
}

describe('what was typed and not sent', () => {
  const place = placeOf('typed', 's1', 'a1')
  const card = (request: ActionRequest) => {
    const { handle } = fakeSession().add(started(), { type: 'action.required', runId: 'r1', actionId: 'a1', request })
    return draw(<ActionCard handle={handle} actionId="a1" />)
  }

  it('P-275 a request comes back with what was typed into it', () => {
    writeField(place, 'question', 'half an ans')
    writeField(place, 'args', '{"files": ["b"]}')
    writeField(place, 'form', { n: '7' })
    const schema = { type: 'object', properties: { n: { type: 'integer', title: 'Guests' } } }
    expect(card({ kind: 'question', title: 'Name?' })).toContain('half an ans</textarea>')
    expect(card({ kind: 'approval', title: 'Delete?', args: { files: ['a'] } })).toContain('[&quot;b&quot;]')
    expect(card({ kind: 'form', title: 'Table', schema })).toContain('value="7"')
    forgetDraft(place)
    expect(card({ kind: 'question', title: 'Name?' })).not.toContain('half an ans')
  })

  it('P-275 a card comes back with what was typed into it until its form was sent', () => {
    const first = new CardState(placeOf('typed', 's1', 'c1'))
    first.store('name', 'Ada')
    expect(new CardState(placeOf('typed', 's1', 'c1')).field('name')).toEqual({ value: 'Ada' })
    expect(new CardState(placeOf('typed', 's1', 'c2')).field('name')).toBeUndefined()
    first.keyFor('look', '1')
    first.accepted('look')
    expect(readDraft(placeOf('typed', 's1', 'c1'))).toEqual({ name: 'Ada' })
    first.keyFor('send', '2', true)
    first.accepted('send')
    expect(readDraft(placeOf('typed', 's1', 'c1'))).toEqual({})
  })

  it('P-275 the composer keeps its text and the id that it will be sent under, and a steer its text', () => {
    keepComposerDraft('s1', { text: 'Hello', id: 'turn' })
    keepSteer('s1', 'steer', 'To the left')
    storeDrafts()
    expect(readComposerDraft('s1')).toEqual({ text: 'Hello', id: 'turn' })
    expect(sentSteers('s1')).toEqual([['steer', 'To the left']])
    keepComposerDraft('s1', { text: '', id: 'next' })
    keepSteer('s1', 'steer')
    storeDrafts()
    expect(readComposerDraft('s1').text).toBe('')
    expect(sentSteers('s1')).toEqual([])
    expect([...browser.keys()]).toEqual(['vitrine.drafts'])
  })

  it('P-275 what an earlier version kept is found where it was', () => {
    browser.set('vitrine.draft.s9', '{"text":"Hello","id":"turn"}')
    browser.set('vitrine.steers.s9', '{"steer":"To the left"}')
    browser.set('vitrine.typed.s9.a1', '{"question":"half"}')
    browser.set('vitrine.surface.s9.form', '{"/name":"Ada"}')
    expect(readComposerDraft('s9')).toEqual({ text: 'Hello', id: 'turn' })
    expect(sentSteers('s9')).toEqual([['steer', 'To the left']])
    expect(readDraft(placeOf('typed', 's9', 'a1'))).toEqual({ question: 'half' })
    expect(readDraft(placeOf('surface', 's9', 'form'))).toEqual({ '/name': 'Ada' })
  })

  it('P-275 what cannot be read is nothing, and breaks nothing', () => {
    for (const broken of ['{', 'null', '7', '[1]', '"text"']) {
      browser.set(place, broken)
      expect(readDraft(place)).toEqual({})
    }
  })

  it('P-295 it is stored a moment after the last key, or when the page goes', () => {
    vi.useFakeTimers()
    const leaving: (() => void)[] = []
    vi.stubGlobal('addEventListener', (_: string, listener: () => void) => leaving.push(listener))
    writeField(place, 'question', 'h')
    writeField(place, 'question', 'ha')
    expect(inBrowser(place)).toBeNull()
    expect(readDraft(place)).toEqual({ question: 'ha' })
    vi.advanceTimersByTime(250)
    expect(inBrowser(place)).toEqual({ question: 'ha' })
    writeField(place, 'question', 'half')
    leaving.at(-1)!()
    expect(inBrowser(place)).toEqual({ question: 'half' })
    vi.useRealTimers()
  })

  it('P-295 only the last places are kept, also of what an earlier version left', () => {
    for (let at = 0; at < 250; at++) browser.set(`vitrine.typed.old.${at}`, '{"a":1}')
    browser.set('vitrine.theme', '"dark"')
    for (let at = 0; at < 150; at++) {
      writeDraft(placeOf('typed', 'new', `${at}`), { a: at })
      storeDrafts()
    }
    const kept = [...browser.keys()].filter(key => key.startsWith('vitrine.typed.'))
    expect(kept).toHaveLength(200)
    expect(kept.filter(key => key.startsWith('vitrine.typed.new.'))).toHaveLength(150)
    expect(browser.has('vitrine.theme')).toBe(true)
  })

  it('P-295 a browser that is full makes room for what was typed last', () => {
    writeDraft(placeOf('typed', 's1', 'first'), { a: 'x'.repeat(400) })
    writeDraft(placeOf('typed', 's1', 'second'), { a: 'x'.repeat(400) })
    storeDrafts()
    room = 1_000
    writeDraft(placeOf('typed', 's1', 'third'), { a: 'x'.repeat(300) })
    storeDrafts()
    expect(browser.has(placeOf('typed', 's1', 'first'))).toBe(false)
    expect(inBrowser(placeOf('typed', 's1', 'third'))).toEqual({ a: 'x'.repeat(300) })
  })

  it('P-295 texts that wait to be sent are never dropped, for the number of places or for room', () => {
    const outbox = placeOf('outbox', 's1')
    writeDraft(outbox, { turn: { id: 'turn' } })
    storeDrafts()
    for (let at = 0; at < 250; at++) writeDraft(placeOf('typed', 'new', `${at}`), { a: at })
    storeDrafts()
    expect(inBrowser(outbox)).toEqual({ turn: { id: 'turn' } })
    expect([...browser.keys()].filter(key => key !== 'vitrine.drafts')).toHaveLength(200)
    room = 0
    writeDraft(placeOf('typed', 's1', 'last'), { a: 1 })
    storeDrafts()
    expect(inBrowser(outbox)).toEqual({ turn: { id: 'turn' } })
  })

  it('P-295 without storage it lasts as long as the page', () => {
    vi.stubGlobal('localStorage', undefined)
    writeDraft(placeOf('typed', 's1', 'one'), { a: 1 })
    writeDraft(placeOf('typed', 's1', 'two'), { a: 2 })
    storeDrafts()
    expect(readDraft(placeOf('typed', 's1', 'one'))).toEqual({ a: 1 })
    expect(readDraft(placeOf('typed', 's1', 'two'))).toEqual({ a: 2 })
  })

  it('P-275 what is named like a secret is not stored', () => {
    expect(['password', 'API key', 'client_secret', 'accessToken', 'Passphrase'].filter(namesSecret)).toHaveLength(5)
    expect(['name', 'passenger', 'key', 'party'].filter(namesSecret)).toEqual([])
  })

  it('P-275 what may not be stored lasts as long as the page, and goes with the rest', () => {
    let type: (value: string) => void = () => {}
    const secret = <Secret place={place} onType={set => (type = set)} />
    draw(secret)
    type('1234')
    storeDrafts()
    expect(draw(secret)).toContain('<b>1234</b>')
    expect([...browser.values()].join()).not.toContain('1234')
    forgetDraft(place)
    expect(draw(secret)).toContain('<b></b>')
  })
})
