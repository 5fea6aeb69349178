import { SurfaceModel, Surfaces } from '@vitrine/genui/a2ui'
import type { SurfaceOp } from '@vitrine/protocol'
import { expect, type Row, takeTurns } from '../row.ts'

/**
 * The engine against @a2ui/web_core: messages in, a resolved and live tree out. One side does what its users need to do:
 * ours checks and applies envelopes, folds the operations and reads what was touched; theirs processes the message and
 * keeps its node tree.
 */

type Message = Record<string, unknown>
type Side = {
  send(message: Message): void
  /** Text of a bound component, resolved. */
  read(id: string): unknown
  /** Subscriptions (ours) or signals (theirs) that are still held. */
  kept(): number
  /** Makes the tree live. */
  draw(): void
}
type Make = () => Side

const CATALOG = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json'
const create: Message = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: CATALOG } }
const components = (list: unknown[]): Message => ({
  version: 'v0.9',
  updateComponents: { surfaceId: 's', components: list },
})
const data = (path: string, value: unknown): Message => ({
  version: 'v0.9',
  updateDataModel: { surfaceId: 's', path, value },
})
const range = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const root = (count: number) => ({ id: 'root', component: 'Column', children: range(count, i => `t${i}`) })
const bound = (i: number) => ({ id: `t${i}`, component: 'Text', text: { path: `/items/${i}/v` } })
const items = (count: number) => range(count, i => ({ v: `v${i}` }))

function ours(): Side {
  const surfaces = new Surfaces()
  const model = new SurfaceModel({ surfaceId: 's' })
  return {
    send(message) {
      const result = surfaces.apply([message]).results[0]!
      expect(result.ok, 'our envelope was refused')
      model.apply((result as { ops: SurfaceOp[] }).ops)
    },
    read: id => model.getNode(id)?.props.text,
    kept: () => model.live.subscriptions,
    draw: () => void model.getNode('root'),
  }
}

/** The peer, when it is installed. */
async function theirs(): Promise<Make | undefined> {
  try {
    // biome-ignore lint/suspicious/noExplicitAny: the peer is optional, its types need not be there
    const core: any = await import('@a2ui/web_core/v0_9' as string)
    const catalog = new core.Catalog(CATALOG, core.BASIC_COMPONENTS, core.createBasicCatalogFunctions())
    return () => {
      const processor = new core.MessageProcessor([catalog])
      // biome-ignore lint/suspicious/noExplicitAny: as above
      let surface: any
      // biome-ignore lint/suspicious/noExplicitAny: as above
      let resolver: any
      return {
        send(message) {
          processor.processMessages([message])
          surface ??= processor.model.getSurface('s')
        },
        // Its tree is made when it is first looked at: with everything already there it is fastest.
        draw() {
          resolver ??= new core.NodeResolver(surface, catalog)
        },
        read(id) {
          this.draw()
          const tree = core.peekValue(resolver.rootNode)
          const children = core.peekValue(tree.props).children as { componentId: string; props: unknown }[]
          const node = children[Number(id.slice(1))]!
          const { text } = core.peekValue(node.props)
          return text?.value ?? text
        },
        kept: () => (surface.dataModel.signals as Map<string, unknown>).size,
      }
    }
  } catch {
    return undefined
  }
}

const BOUND = 2000
const LEAVES = 20_000
/** The peer takes a minute for as many: it gets fewer, and the figure is per second. */
const PEER_LEAVES = 2_000

export async function run(): Promise<Row[]> {
  const peer = await theirs()
  return [...(await leaves(peer)), await tree(peer), ...(await rootFirst(peer)), kept(peer)]
}

function live(make: Make, count: number): Side {
  const side = make()
  side.send(create)
  side.send(data('/items', items(count)))
  side.send(components([root(count), ...range(count, bound)]))
  for (let i = 0; i < count; i++) side.read(`t${i}`)
  return side
}

function update(side: Side, count: number, times: number): Side {
  for (let k = 0; k < times; k++) {
    side.send(data(`/items/${k % count}/v`, `w${k}`))
    side.read(`t${k % count}`)
  }
  const last = times - 1
  expect(side.read(`t${last % count}`) === `w${last}`, 'the text of the last leaf')
  return side
}

async function leaves(peer: Make | undefined): Promise<Row[]> {
  const small = live(ours, 500)
  const large = live(ours, BOUND)
  const other = peer && live(peer, BOUND)
  const ms: Record<string, number> = await takeTurns(
    {
      small: () => update(small, 500, LEAVES),
      ours: () => update(large, BOUND, LEAVES),
      ...(other ? { peer: () => update(other, BOUND, PEER_LEAVES) } : {}),
    },
    7,
    3,
  )
  const perSecond = (LEAVES / ms.ours!) * 1000
  const peerPerSecond = ms.peer ? (PEER_LEAVES / ms.peer) * 1000 : undefined
  const growth = ms.ours! / ms.small!
  return [
    {
      name: `leaf update, ${BOUND} bound components`,
      ours: perSecond,
      unit: 'messages/s',
      target: '≥ 200,000',
      ok: perSecond >= 200_000,
      ...(peerPerSecond ? { peer: peerPerSecond, ratio: perSecond / peerPerSecond } : {}),
    },
    {
      name: `leaf update, cost at ${BOUND} against 500`,
      ours: growth,
      unit: '×',
      target: '≤ 1.5: independent of the number of bindings',
      ok: growth <= 1.5,
    },
  ]
}

async function tree(peer: Make | undefined): Promise<Row> {
  const count = 1000
  const build = (make: Make) => () => live(make, count)
  const ms: Record<string, number> = await takeTurns(
    { ours: build(ours), ...(peer ? { peer: build(peer) } : {}) },
    25,
    // Both sides are compiled by then: fewer turns measure the compiler.
    40,
  )
  return {
    name: `create and ${count} components, resolved tree`,
    ours: ms.ours!,
    unit: 'ms',
    target: '≤ 10',
    ok: ms.ours! <= 10,
    ...(ms.peer ? { peer: ms.peer, ratio: ms.peer / ms.ours! } : {}),
  }
}

async function rootFirst(peer: Make | undefined): Promise<Row[]> {
  const grow = (make: Make, count: number) => () => {
    const side = make()
    side.send(create)
    side.send(components([root(count)]))
    for (let i = 0; i < count; i++) {
      side.send(components([{ id: `t${i}`, component: 'Text', text: `text ${i}` }]))
      side.read(`t${i}`)
    }
    return side
  }
  const rows: Row[] = []
  let before: number | undefined
  for (const [count, limit] of [
    [1000, 50],
    [2000, 100],
  ] as const) {
    const ms = await takeTurns({ ours: grow(ours, count) }, 7, 2)
    const other = peer && (await takeTurns({ peer: grow(peer, count) }, 1, 0)).peer
    rows.push({
      name: `root first, one component a message, ${count}`,
      ours: ms.ours,
      unit: 'ms',
      target: `≤ ${limit}${before === undefined ? '' : ', linear'}`,
      ok: ms.ours <= limit && (before === undefined || ms.ours / before < 3),
      ...(other ? { peer: other, ratio: other / ms.ours } : {}),
    })
    before = ms.ours
  }
  return rows
}

/** 1,000 rows of a template that shrink to none. The list itself stays bound. */
function kept(peer: Make | undefined): Row {
  const shrink = (make: Make): number => {
    const side = make()
    side.send(create)
    const cells = ['a', 'b', 'c']
    side.send(
      components([
        { id: 'root', component: 'Column', children: { componentId: 'row', path: '/rows' } },
        { id: 'row', component: 'Row', children: cells },
        ...cells.map(id => ({ id, component: 'Text', text: { path: id } })),
      ]),
    )
    side.draw()
    const before = side.kept()
    side.send(
      data(
        '/rows',
        range(1000, i => ({ id: i, a: 'a', b: 'b', c: 'c' })),
      ),
    )
    side.send(data('/rows', []))
    return side.kept() - before
  }
  const mine = shrink(ours)
  const peers = peer && shrink(peer)
  return {
    name: 'kept after 1,000 rows shrink to 0',
    ours: mine,
    unit: 'subscriptions',
    target: '0',
    ok: mine === 0,
    ...(peers === undefined ? {} : { peer: peers }),
  }
}
