import type { VitrineClient } from '@vitrine/client'
import { MAX_FILE_BYTES, MAX_FILES } from '@vitrine/protocol'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetDraft, placeOf } from '../drafts.ts'
import { Attachments } from './attachment-store.ts'

/** Requests that wait for the test to answer them. */
let requests: { answer: (status: number, body: object) => void; key: string; cancelled: () => boolean }[] = []
const client = {
  api: {
    baseUrl: '/api',
    fetch: (_url: string, { headers, signal }: RequestInit) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
        requests.push({
          key: (headers as Record<string, string>)['idempotency-key']!,
          answer: (status, body) => resolve(Response.json(body, { status })),
          cancelled: () => signal?.aborted === true,
        })
      }),
  },
} as unknown as VitrineClient

const file = (name: string, size = 3) => {
  const made = new File(['abc'], name, { type: 'text/plain' })
  Object.defineProperty(made, 'size', { value: size })
  return made
}
const states = (store: Attachments) => store.get().files.map(({ name, state }) => `${name} ${state}`)
const uploaded = (digest: string, expiresAt = Date.now() + 60_000) => ({
  digest,
  size: 3,
  mediaType: 'text/plain',
  expiresAt,
})

describe('attachments', () => {
  let store: Attachments
  beforeEach(() => {
    requests = []
    forgetDraft(placeOf('files', 's'))
    store = new Attachments(client, 's')
  })

  it('P-9121 three go at once and the others wait, and a cancelled one makes room', async () => {
    store.add(['a', 'b', 'c', 'd', 'e'].map(name => file(name)))
    expect(states(store)).toEqual(['a uploading', 'b uploading', 'c uploading', 'd waiting', 'e waiting'])
    store.remove(store.get().files[1]!.id)
    expect(requests[1]!.cancelled()).toBe(true)
    await vi.waitFor(() => expect(states(store)).toEqual(['a uploading', 'c uploading', 'd uploading', 'e waiting']))
    requests[0]!.answer(201, uploaded('A'))
    await vi.waitFor(() => expect(states(store)).toEqual(['a done', 'c uploading', 'd uploading', 'e uploading']))
  })

  it('P-9121 a failed one says why and is tried again in its place, under its key', async () => {
    store.add([file('a'), file('b')])
    requests[0]!.answer(413, { code: 'too_large', title: 'Too large' })
    await vi.waitFor(() => expect(states(store)).toEqual(['a failed', 'b uploading']))
    const [failed] = store.get().files
    expect(failed?.problem?.code).toBe('too_large')
    store.retry(failed!.id)
    expect(requests.at(-1)!.key).toBe(requests[0]!.key)
    requests.at(-1)!.answer(201, uploaded('A'))
    await vi.waitFor(() => expect(states(store)).toEqual(['a done', 'b uploading']))
  })

  it('P-9122 the next page has what was uploaded, and says what was cut off or waited too long', async () => {
    store.add([file('a'), file('b'), file('old')])
    requests[0]!.answer(201, uploaded('A'))
    requests[2]!.answer(201, uploaded('O', Date.now() - 1))
    await vi.waitFor(() => expect(states(store)).toEqual(['a done', 'b uploading', 'old done']))
    const next = new Attachments(client, 's')
    expect(states(next)).toEqual(['a done', 'b failed', 'old failed'])
    expect(next.get().files.map(({ problem }) => problem?.code)).toEqual([
      undefined,
      'upload_cut_off',
      'file_not_found',
    ])
    expect(next.canRetry(next.get().files[1]!.id)).toBe(false)
    next.remove(next.get().files[1]!.id)
    next.remove(next.get().files[1]!.id)
    expect(next.take()).toEqual([{ digest: 'A', name: 'a' }])
    expect(new Attachments(client, 's').get().files).toEqual([])
  })

  it('P-9123 P-9356 sixty at once: the first ones are taken, and it is said which were not and why', () => {
    const many = Array.from({ length: 60 }, (_, index) => file(`${index}`))
    store.add([file('huge', MAX_FILE_BYTES + 1), ...many], ['folder'])
    expect(store.get().files).toHaveLength(MAX_FILES)
    expect(store.get().notTaken.map(({ why, names }) => [why, names.length])).toEqual([
      ['folder', 1],
      ['too-large', 1],
      ['too-many', 40],
    ])
    store.add([file('one more')])
    // What was refused before is still said, until somebody closes it.
    expect(store.get().notTaken.map(({ why, names }) => [why, names.length])).toEqual([
      ['folder', 1],
      ['too-large', 1],
      ['too-many', 41],
    ])
    store.forgetNotTaken()
    expect(store.get().notTaken).toEqual([])
  })

  it('P-9126 what was sent comes back with a refused text; a lost file can be uploaded again', async () => {
    store.add([file('a')])
    requests[0]!.answer(201, uploaded('A'))
    await vi.waitFor(() => expect(states(store)).toEqual(['a done']))
    const sent = store.take()!
    expect(store.get().files).toEqual([])
    store.giveBack(sent, { title: '', code: 'run_active' })
    expect(states(store)).toEqual(['a done'])
    store.giveBack(store.take()!, { title: '', code: 'file_not_found' })
    expect(states(store)).toEqual(['a failed'])
    store.retry(store.get().files[0]!.id)
    requests[1]!.answer(201, uploaded('A'))
    await vi.waitFor(() => expect(states(store)).toEqual(['a done']))
    // Another page knows its name alone.
    const other = new Attachments(client, 'other')
    other.giveBack([{ digest: 'B', name: 'b.csv' }], null)
    expect(states(other)).toEqual(['b.csv done'])
    forgetDraft(placeOf('files', 'other'))
  })

  it('P-9123 a name that is too long for a server keeps its end', () => {
    store.add([file(`${'x'.repeat(400)}.png`)])
    const { name } = store.get().files[0]!
    expect([name.length, name.endsWith('.png')]).toEqual([255, true])
  })
})
