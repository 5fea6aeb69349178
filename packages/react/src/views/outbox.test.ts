import type { Outcome, SessionHandle } from '@vitrine/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeSession } from '../fixtures/session.ts'
import { Outbox } from './outbox.ts'

const problem = (code: string, status = 409) => ({ type: 'about:blank', title: code, status, code, detail: '' })
const refused = (code: string, status?: number): Outcome<never> => ({ ok: false, problem: problem(code, status) })

/** A server that answers what it is told to, and keeps what it was sent. */
function server(...answers: Outcome<never>[]) {
  const sent: string[] = []
  const answer = async (text: string): Promise<Outcome<never>> => {
    sent.push(text)
    return answers.shift() ?? { ok: true, value: {} as never }
  }
  const handle: SessionHandle = {
    ...fakeSession().handle,
    submitTurn: ({ text }, id) => answer(`send ${id} ${text}`),
    queueTurn: ({ text }, id) => answer(`queue ${id} ${text}`),
    respondToAction: (to, response) => answer(`${to} ${JSON.stringify(response)}`),
  }
  return { handle, sent }
}

let sessions = 0
const text = (id: string, action: 'send' | 'queue' = 'send') => ({ id, action, input: { text: `text ${id}` } })

describe('texts between the key press and the fact', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('P-8601 a text stands in the outbox at once, and leaves it when the server has taken it', async () => {
    const outbox = new Outbox(`s${++sessions}`)
    const { handle, sent } = server()
    outbox.add(text('1'))
    expect(outbox.get()).toMatchObject([{ id: '1', state: 'sending' }])
    await outbox.flush(handle)
    expect(sent).toEqual(['send 1 text 1'])
    expect(outbox.get()).toMatchObject([{ state: 'sent' }])
    vi.advanceTimersByTime(10_000)
    expect(outbox.get()).toEqual([])
  })

  it('P-8603 a refused text stays with its reason until it is taken back, and so does what was written behind it', async () => {
    const outbox = new Outbox(`s${++sessions}`)
    const { handle, sent } = server(refused('run_active'))
    outbox.add(text('1'))
    outbox.add(text('2', 'queue'))
    await outbox.flush(handle)
    expect(sent).toEqual(['send 1 text 1'])
    expect(outbox.get().map(({ state, problem }) => `${state} ${problem?.code}`)).toEqual([
      'refused run_active',
      'refused run_active',
    ])
    outbox.take('1')
    expect(outbox.get().map(({ id }) => id)).toEqual(['2'])
  })

  it('P-8605 without a connection a text waits, and goes into the queue under its id when the server is back', async () => {
    const outbox = new Outbox(`s${++sessions}`)
    const { handle, sent } = server(refused('offline', 0))
    outbox.add(text('1'))
    await outbox.flush(handle)
    expect(outbox.get()).toMatchObject([{ state: 'waiting' }])
    await outbox.flush(handle)
    expect(sent).toEqual(['send 1 text 1', 'queue 1 text 1'])
    expect(outbox.get()).toMatchObject([{ state: 'sent' }])
  })

  it('P-8605 another page goes on with what was not sent, and not with what was', async () => {
    const id = `s${++sessions}`
    const outbox = new Outbox(id)
    outbox.add(text('1'))
    outbox.add(text('2', 'queue'))
    const { handle } = server({ ok: true, value: {} as never }, refused('offline', 0))
    await outbox.flush(handle)
    expect(new Outbox(id).get()).toMatchObject([{ id: '2', state: 'waiting' }])
  })

  it('P-8605 another page sends in the order in which it was written, also when the first text has waited', async () => {
    const id = `s${++sessions}`
    const outbox = new Outbox(id)
    const away = server(refused('offline', 0))
    outbox.add(text('first'))
    const waits = outbox.flush(away.handle)
    outbox.add(text('second', 'queue'))
    outbox.add(text('third', 'queue'))
    await waits
    const { handle, sent } = server()
    await new Outbox(id).flush(handle)
    expect(sent).toEqual(['queue first text first', 'queue second text second', 'queue third text third'])
  })

  it('P-8602 words to an approval deny it and carry the instructions; to a question they are its value', async () => {
    const outbox = new Outbox(`s${++sessions}`)
    const { handle, sent } = server()
    outbox.add({ id: '1', action: 'refuse', input: { text: 'move them' }, to: 'a1' })
    outbox.add({ id: '2', action: 'answer', input: { text: 'Ada' }, to: 'a2', asValue: true })
    outbox.add({ id: '3', action: 'answer', input: { text: 'a lake' }, to: 'a3' })
    await outbox.flush(handle)
    expect(sent).toEqual([
      'a1 {"decision":"deny","text":"move them"}',
      'a2 {"decision":"answer","value":"Ada"}',
      'a3 {"decision":"answer","text":"a lake"}',
    ])
  })
})
