import type { SessionHandle, VitrineClient } from '@vitrine/client'
import type { Problem } from '@vitrine/protocol'
import { afterEach, expect, it } from 'vitest'
import { forgetDraft, placeOf } from '../drafts.ts'
import { type Beginning, begin, keepBeginning, storedBeginning } from './beginning.ts'
import { outboxOf } from './outbox.ts'

const beginning: Beginning = { sessionId: 's', agentId: 'a' }
const offline: Problem = { type: 'about:blank', title: 'Offline', status: 0, code: 'offline', detail: '' }

type Created = Awaited<ReturnType<VitrineClient['createSession']>>
const made = { ok: true, value: {} } as unknown as Created
const no = (problem: Problem): Created => ({ ok: false, problem })

/** A server that answers what it is asked for one after the other, and what it was asked for. */
function clientWith(...answers: Created[]): { client: VitrineClient; asked: unknown[] } {
  const asked: unknown[] = []
  const handle = {
    sessionId: 's',
    submitTurn: async (input: unknown, turnId: string) => {
      asked.push({ submitTurn: { input, turnId } })
      return no({ ...offline, code: 'file_not_found', status: 422 })
    },
    close() {},
  } as unknown as SessionHandle
  const createSession = async (command: unknown) => {
    asked.push(command)
    return answers.shift() ?? made
  }
  return { client: { createSession, open: () => handle } as unknown as VitrineClient, asked }
}

const kept = () => {
  const all = new Map<string, unknown>()
  outboxOf(all, 's').add({ id: 't', action: 'send', input: { text: 'Hello' } })
  keepBeginning('s', beginning)
  return all
}
const settled = () => new Promise(resolve => setTimeout(resolve))

afterEach(() => {
  forgetDraft(placeOf('outbox', 's'))
  forgetDraft(placeOf('outbox', 'new'))
})

it('P-8621 a page that is loaded again goes on with a session that could not be made', async () => {
  await begin(clientWith(no(offline)).client, kept(), beginning, () => false)
  expect(storedBeginning()).toEqual(beginning)
})

it('P-8621 a session whose first text was taken has begun, also when another page sent it', async () => {
  const all = kept()
  expect(await begin(clientWith().client, all, beginning, () => true)).toBe(null)
  await settled()
  expect(storedBeginning()).toBe(null)
  keepBeginning('s', beginning)
  expect(storedBeginning()).toBe(null)
})

it('P-9256 a session is made with its first text, in one request', async () => {
  const { client, asked } = clientWith()
  const all = kept()
  await begin(client, all, beginning, () => true)
  await settled()
  expect(asked).toEqual([{ ...beginning, turn: { text: 'Hello', turnId: 't' } }])
  expect(outboxOf(all, 's').get()).toMatchObject([{ id: 't', state: 'sent' }])
})

it('P-9256 a first text that is refused comes back in its session, and a session that is refused is told', async () => {
  const refused = { ...offline, code: 'file_not_found', status: 422 }
  const { client, asked } = clientWith(no(refused))
  const all = kept()
  expect(await begin(client, all, beginning, () => true)).toBe(null)
  await settled()
  expect(asked.slice(1)).toEqual([beginning, { submitTurn: { input: { text: 'Hello' }, turnId: 't' } }])
  expect(outboxOf(all, 's').get()).toMatchObject([{ id: 't', state: 'refused' }])
  expect(await begin(clientWith(no(refused), no(refused)).client, kept(), beginning, () => true)).toBe(refused)
})
