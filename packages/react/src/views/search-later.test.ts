import type { Outcome } from '@vitrine/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Search, searchLater } from './search-later.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('P-274 a search on the server', () => {
  const setup = () => {
    const asked: string[] = []
    const told: Search<string>[] = []
    const answers = new Map<string, (outcome: Outcome<string[]>) => void>()
    const find = (text: string) => {
      asked.push(text)
      return new Promise<Outcome<string[]>>(resolve => answers.set(text, resolve))
    }
    return { asked, told, answers, ask: (text: string) => searchLater(text, find, search => told.push(search)) }
  }

  it('waits until the typing pauses', async () => {
    const { asked, ask } = setup()
    for (const text of ['p', 'pl', 'pla']) {
      const takeBack = ask(text)
      await vi.advanceTimersByTimeAsync(100)
      takeBack()
    }
    ask('plan')
    await vi.advanceTimersByTimeAsync(150)
    expect(asked).toEqual(['plan'])
  })

  it('drops an answer that comes after the next question', async () => {
    const { answers, told, ask } = setup()
    const takeBack = ask('old')
    await vi.advanceTimersByTimeAsync(150)
    takeBack()
    ask('new')
    await vi.advanceTimersByTimeAsync(150)
    answers.get('new')!({ ok: true, value: ['n'] })
    answers.get('old')!({ ok: true, value: ['o'] })
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual([{ text: 'new', state: 'done', found: ['n'] }])
  })

  it('says why nothing was found when the server cannot be asked', async () => {
    const { answers, told, ask } = setup()
    ask('x')
    await vi.advanceTimersByTimeAsync(150)
    const problem = { type: 'about:blank', title: 'x', status: 0, code: 'offline', detail: 'Not reachable.' }
    answers.get('x')!({ ok: false, problem })
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual([{ text: 'x', state: 'failed', found: [], problem }])
  })
})
