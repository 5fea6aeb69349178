import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from './harness.ts'

/** Views of a session whose events the test writes. A counter around each view counts its drawings. */
const entry = `
import { createElement as h, Profiler } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { VitrineProvider } from './context.tsx'
import { fakeSession, started } from './fixtures/session.ts'
import { Message, Part } from './views/message.tsx'
import { PlanView } from './views/plan.tsx'
import { QueueView } from './views/queue.tsx'
import { TaskCapsule } from './views/tasks.tsx'

const inPart = (messageId, partId) => ({ runId: 'r1', messageId, partId })
const session = fakeSession().add(
  started(),
  { type: 'text.delta', ...inPart('m1', 'p1'), delta: 'one' },
  { type: 'text.delta', ...inPart('m1', 'p2'), delta: 'two' },
  { type: 'tool.started', ...inPart('m1', 'p3'), toolCallId: 'c1', name: 'search' },
  { type: 'text.delta', ...inPart('m2', 'p4'), delta: 'another message' },
)
session.flush()
const { handle } = session
const counts = {}
const counted = (id, element) =>
  h(Profiler, { key: id, id, onRender: () => { counts[id] = (counts[id] ?? 0) + 1 } }, element)
const still = value => ({ get: () => value, subscribe: () => () => {} })
const client = { connection: still({ state: 'live', retryAt: null, problem: null }), sessions: still({ sessions: [] }) }
flushSync(() => createRoot(document.body).render(
  h(VitrineProvider, { client, openSession() {} },
    counted('text', h(Part, { handle, partId: 'p1' })),
    counted('other text', h(Part, { handle, partId: 'p2' })),
    counted('tool', h(Part, { handle, partId: 'p3' })),
    counted('other message', h(Message, { handle, messageId: 'm2' })),
    counted('queue', h(QueueView, { handle, editing: null, onEdit() {} })),
    counted('capsule', h(TaskCapsule, { handle, onOpen() {} })),
    counted('plan', h(PlanView, { handle })),
  )))
/** Applies these events in one flush and gives the views that were drawn again. */
globalThis.after = events => {
  for (const id of Object.keys(counts)) counts[id] = 0
  session.add(...events)
  flushSync(() => session.flush())
  return Object.keys(counts).filter(id => counts[id] > 0)
}
`

describe('drawing', () => {
  let browser: Browser
  let page: Page
  const after = (...events: object[]) =>
    page.evaluate(given => (globalThis as unknown as { after(events: object[]): string[] }).after(given), events)

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: join(import.meta.dirname, '../../../packages/react/src'), loader: 'js' },
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      conditions: ['vitrine-source'],
      define: { 'process.env.NODE_ENV': '"development"' },
    })
    browser = await chromium.launch({ executablePath: chromiumPath(), headless: true, args: ['--no-sandbox'] })
    page = await browser.newPage()
    await page.addScriptTag({ content: outputFiles[0]!.text, type: 'module' })
    await page.waitForFunction('globalThis.after')
  })
  afterAll(() => browser?.close())

  it('P-204 a delta draws its own part again and nothing else', async () => {
    const delta = { type: 'text.delta', runId: 'r1', messageId: 'm1', partId: 'p1', delta: ' more' }
    expect(await after(delta, delta, delta)).toEqual(['text'])
    expect(await page.textContent('body')).toContain('one more more more')
  })

  it('P-204 progress of a tool draws that tool’s row alone', async () => {
    expect(await after({ type: 'tool.progress', runId: 'r1', toolCallId: 'c1', current: 1, total: 2 })).toEqual([
      'tool',
    ])
  })

  it('P-204 the queue and the plan draw when they change, the conversation does not', async () => {
    const turn = { turnId: 'q1', input: { text: 'x' }, preview: 'x', createdAt: 1 }
    expect(await after({ type: 'queue.changed', change: 'added', turn })).toEqual(['queue', 'capsule'])
    const steps = [{ id: '1', title: 'Collect', status: 'active' }]
    expect(await after({ type: 'plan.delta', runId: 'r1', steps })).toEqual(['plan'])
  })
})
