import { text } from 'node:stream/consumers'
import { getHeapSnapshot } from 'node:v8'
import { expect, it } from 'vitest'
import { SurfaceModel } from './surface-model.ts'
import { Surfaces } from './surfaces.ts'

const MARK = ['shrinking', 'row'].join('-')

/** How many strings of the rows a heap snapshot finds: it collects garbage first. */
async function rowsInHeap(): Promise<number> {
  const { strings } = JSON.parse(await text(getHeapSnapshot())) as { strings: string[] }
  // No pattern: the engine remembers the last text that one matched.
  return strings.filter(string => string.startsWith(`${MARK} `)).length
}

it('A2-117 a heap snapshot finds nothing of 1,000 rows after their list has shrunk to none', async () => {
  const server = new Surfaces()
  const model = new SurfaceModel({ surfaceId: 's' })
  const send = (envelope: object): void => {
    for (const result of server.apply([{ version: 'v0.9', ...envelope }]).results) {
      expect(result.ok, JSON.stringify(result)).toBe(true)
      if (result.ok) model.apply(result.ops)
    }
  }
  send({ createSurface: { surfaceId: 's', catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json' } })
  const list = { id: 'root', component: 'List', children: { componentId: 'row', path: '/rows' } }
  send({
    updateComponents: { surfaceId: 's', components: [list, { id: 'row', component: 'Text', text: { path: 'name' } }] },
  })
  const rows = Array.from({ length: 1000 }, (_, i) => ({ name: `${MARK} ${i}` }))
  send({ updateDataModel: { surfaceId: 's', path: '/rows', value: rows } })
  const { root } = model.getSurface()
  expect(model.getNode(root!)?.children).toHaveLength(1000)
  expect(await rowsInHeap()).toBe(1000)
  rows.length = 0
  send({ updateDataModel: { surfaceId: 's', path: '/rows', value: [] } })
  expect(model.getNode(root!)?.children).toHaveLength(0)
  expect(await rowsInHeap()).toBe(0)
}, 60_000)
