import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from './harness.ts'

/** Views of a session whose events the test writes. A counter around each view counts its drawings. */
const entry = `
import { createElement as h, Profiler, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { VitrineProvider } from './context.tsx'
import { fakeSession, started } from './fixtures/session.ts'
import { MarkdownText } from './markdown/markdown.tsx'
import { Message, Part } from './views/message.tsx'
import { PlanView } from './views/plan.tsx'
import { QueueView } from './views/queue.tsx'
import { RowList } from './views/row-list.tsx'
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
const mounted = element => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  flushSync(() => root.render(h(VitrineProvider, { client, openSession() {} }, element)))
  return { place, close: () => { root.unmount(); place.remove() } }
}
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
/** Draws a text, and gives how many elements each commit added, and what is there in the end. */
globalThis.drawText = async text => {
  const { place, close } = mounted(h(MarkdownText, { text }))
  const counts = [place.querySelectorAll('*').length]
  const observer = new MutationObserver(() => counts.push(place.querySelectorAll('*').length))
  observer.observe(place, { childList: true, subtree: true })
  for (let quiet = 0, seen = 0; quiet < 4; await pause(60)) {
    quiet = seen === counts.length ? quiet + 1 : 0
    seen = counts.length
  }
  const words = place.textContent
  close()
  return { added: counts.map((count, at) => count - (counts[at - 1] ?? 0)), words }
}
/** Draws a list of 1,000 rows of 40 pixels in a view of 400, and gives how many rows there are at once and later. */
globalThis.drawRows = async () => {
  const rows = Array.from({ length: 1000 }, (_, at) => ({ key: 'row' + at, kind: 'run', id: 'r' + at, messageId: null, gap: 'none' }))
  const { place, close } = mounted(h(RowList, {
    rows, label: 'Rows', guess: () => 40, start: null, stop: null, drawMessage: (_, inside) => inside, onView() {}, control: null,
    drawRow: row => h('div', { style: { height: 40 } }, row.key),
  }))
  const count = () => place.querySelectorAll('[data-row]').length
  const atOnce = count()
  await pause(200)
  const later = count()
  close()
  return { atOnce, later }
}
/** Draws rows that get very short after they were drawn, as text with many links does, and gives how much of the view has rows. */
globalThis.shrinkRows = async () => {
  const rows = Array.from({ length: 3 }, (_, at) => ({ key: 'row' + at, kind: 'run', id: 'r' + at, messageId: null, gap: 'none' }))
  const Shrinking = () => {
    const [height, setHeight] = useState(5000)
    useEffect(() => void setTimeout(() => setHeight(300), 100), [])
    return h('div', { style: { height } })
  }
  const { place, close } = mounted(h(RowList, {
    rows, label: 'Rows', guess: () => 40, start: null, stop: null, drawMessage: (_, inside) => inside, onView() {}, control: null,
    drawRow: () => h(Shrinking),
  }))
  await pause(400)
  const view = place.querySelector('.v-scroller').getBoundingClientRect()
  const last = [...place.querySelectorAll('[data-row]')].at(-1).getBoundingClientRect()
  close()
  return (last.bottom - view.top) / view.height
}
/** What is above gets shorter for a moment, as where a diagram is drawn, and the last row grows; gives how far the view is from the end. */
globalThis.growRows = async () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ key: 'row' + at, kind: 'run', id: 'r' + at, messageId: null, gap: 'none' }))
  let setHeight
  const Growing = () => {
    const [height, set] = useState(40)
    setHeight = set
    return h('div', { style: { height } })
  }
  const { place, close } = mounted(h(RowList, {
    rows, label: 'Rows', guess: () => 40, start: null, stop: null, drawMessage: (_, inside) => inside, onView() {}, control: null,
    drawRow: row => row.key === 'row99' ? h(Growing) : h('div', { style: { height: 40 } }),
  }))
  await pause(200)
  const scroller = place.querySelector('.v-scroller')
  const above = scroller.firstElementChild
  const { blockSize } = above.style
  above.style.blockSize = '0'
  await pause(100)
  above.style.blockSize = blockSize
  setHeight(500)
  await pause(100)
  const { scrollHeight, scrollTop, clientHeight } = scroller
  close()
  return scrollHeight - scrollTop - clientHeight
}
/** Applies these events in one flush and gives the views that were drawn again. */
globalThis.after = events => {
  for (const id of Object.keys(counts)) counts[id] = 0
  session.add(...events)
  flushSync(() => session.flush())
  return Object.keys(counts).filter(id => counts[id] > 0)
}
`

interface Drawing {
  after(events: object[]): string[]
  drawText(text: string): Promise<{ added: number[]; words: string }>
  drawRows(): Promise<{ atOnce: number; later: number }>
  shrinkRows(): Promise<number>
  growRows(): Promise<number>
}

describe('drawing', () => {
  let browser: Browser
  let page: Page
  const after = (...events: object[]) => page.evaluate(given => (globalThis as unknown as Drawing).after(given), events)

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
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 800, height: 400 } })
    await page.addStyleTag({ content: '.v-scroller { height: 400px; overflow: auto }' })
    await page.addScriptTag({ content: outputFiles[0]!.text, type: 'module' })
    await page.waitForFunction('globalThis.after')
  })
  afterAll(() => browser?.close())

  it('P-204 a delta draws its own part again and nothing else', async () => {
    const delta = { type: 'text.delta', runId: 'r1', messageId: 'm1', partId: 'p1', delta: ' more' }
    expect(await after(delta, delta, delta)).toEqual(['text'])
    expect(await page.textContent('body')).toContain('one more more more')
  })

  it('P-9485 rows that get much shorter while one looks at the end leave at most half of the view free', async () => {
    const share = await page.evaluate(() => (globalThis as unknown as Drawing).shrinkRows())
    expect(share).toBeGreaterThan(0.45)
  })

  it('P-9486 a list that gets shorter for a moment, as where a diagram is drawn, still follows its end', async () => {
    expect(await page.evaluate(() => (globalThis as unknown as Drawing).growRows())).toBeLessThan(2)
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

  it('P-8921 much of anything in a text is drawn in portions, and in the end all of it is there', async () => {
    const many = (count: number, one: (at: number) => string, between: string) =>
      Array.from({ length: count }, (_, at) => one(at)).join(between)
    const texts = {
      links: many(200, at => `[w${at}](https://example.org/${at})`, ' '),
      items: many(900, at => `- w${at}`, '\n'),
      cells: `|a|b|c|d|\n|-|-|-|-|\n${many(190, at => `|w${at}|b|c|d|`, '\n')}`,
      notes: `${many(400, at => `w${at}[^${at}]`, '\n')}\n\n${many(400, at => `[^${at}]: note ${at}`, '\n')}`,
      blocks: many(800, at => `w${at}`, '\n\n'),
    }
    for (const [name, text] of Object.entries(texts)) {
      const { added, words } = await page.evaluate(given => (globalThis as unknown as Drawing).drawText(given), text)
      // Without portions all elements of each text come with its first commit.
      const all = added.reduce((sum, count) => sum + count, 0)
      expect(Math.max(...added), name).toBeLessThan(0.6 * all)
      const drawn = new Set(words.match(/w\d+/g))
      expect(drawn.size, name).toBe(new Set(text.match(/w\d+/g)).size)
    }
  })

  it('P-8923 rows in view are drawn first, and those beyond it in another task', async () => {
    const { atOnce, later } = await page.evaluate(() => (globalThis as unknown as Drawing).drawRows())
    expect(atOnce).toBeGreaterThanOrEqual(10)
    expect(atOnce).toBeLessThan(14)
    expect(later).toBeGreaterThan(atOnce + 10)
  })
})
