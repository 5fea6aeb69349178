import type { Json, JsonObject } from '@vitrine/protocol'
import type { Outputs, Say } from '../say.ts'
import type { Scenario } from '../scenario.ts'
import { CATALOG, create, data, node } from './surface.ts'
import { type SurfaceUse, surfaceUse } from './surface-use.ts'

const ROUNDS = 8

/** The figures of one moment. They are made up, and they are the same each time. */
function figures(round: number): { [key: string]: Json } {
  const wave = (base: number, swing: number, speed: number) => Math.round(base + swing * Math.sin(round / speed))
  const orders = 120 + round * 7
  return {
    orders,
    revenue: orders * 67.5,
    latency: wave(82, 24, 1.3),
    load: Math.min(100, wave(55, 30, 2)),
    updated: `update ${round}`,
    regions: [
      { region: 'North', orders: Math.round(orders * 0.45), errors: wave(2, 2, 1.1) },
      { region: 'South', orders: Math.round(orders * 0.35), errors: wave(1, 1, 0.9) },
      { region: 'West', orders: Math.round(orders * 0.2), errors: 0 },
    ],
  }
}

const card = (id: string, label: string, value: JsonObject, badge: JsonObject): JsonObject =>
  node(`${id}-card`, 'Card', {}, [
    node(`${id}-column`, 'Column', {}, [
      node(`${id}-label`, 'Text', { text: label }),
      node(`${id}-value`, 'Heading', { text: value, level: 2 }),
      node(`${id}-badge`, 'Badge', badge),
    ]),
  ])

function surface(surfaceId: string): JsonObject {
  return create({
    surfaceId,
    catalogId: CATALOG,
    sendDataModel: true,
    root: node('root', 'Column', {}, [
      node('top', 'Row', { justify: 'spaceBetween', align: 'center' }, [
        node('title', 'Heading', { text: 'Shop, right now', level: 3 }),
        node('updated', 'Badge', { text: { path: '/updated' } }),
      ]),
      node('cards', 'Row', {}, [
        card('orders', 'Orders today', { path: '/orders' }, { text: 'growing', tone: 'success' }),
        card(
          'revenue',
          'Revenue',
          { call: 'formatCurrency', args: { value: { path: '/revenue' }, currency: 'EUR' } },
          { text: 'simulated', tone: 'default' },
        ),
        card('latency', 'Latency', { concat: [{ path: '/latency' }, ' ms'] }, { text: 'p95', tone: 'default' }),
      ]),
      node('load', 'ProgressBar', { label: 'Load', value: { path: '/load' }, max: 100 }),
      node('regions', 'Table', {
        columns: [
          { key: 'region', label: 'Region' },
          { key: 'orders', label: 'Orders' },
          { key: 'errors', label: 'Errors' },
        ],
        rows: { path: '/regions' },
      }),
      node('note', 'TextField', { label: 'Note to yourself', value: { path: '/note' } }),
      node('buttons', 'Row', {}, [
        node('refresh', 'Button', { text: 'Refresh' }),
        node('stop', 'Button', { text: 'Stop updates' }),
      ]),
    ]),
    dataModel: { ...figures(0), note: '' },
  })
}

/**
 * Each figure is an envelope of its own, so that only that figure is drawn again and a field in use keeps its focus.
 */
const update = (surfaceId: string, round: number): JsonObject[] =>
  Object.entries(figures(round)).map(([name, value]) => data(surfaceId, `/${name}`, value))

export const dashboard: Scenario = {
  id: 'dashboard',
  title: 'Dashboard that keeps changing',
  shows: 'a dashboard of figures that keeps changing while you look',
  example: 'show a KPI dashboard that updates',
  triggers: ['dashboard', 'kpi dashboard', 'kpi dashboard that updates', 'live figures', '仪表盘', '看板', '实时指标'],
  async *play(_input, context, say) {
    const surfaceId = say.own('dashboard')
    if (!(yield* say.surface('Draw a dashboard', [surface(surfaceId)]))) {
      return yield* say.text('The dashboard could not be drawn completely. The tool row above says why.')
    }
    const args = { surfaceId, updates: ROUNDS }
    const toolCallId = yield* say.call({ name: 'figures.watch', title: 'Watch the figures', args })
    let round = 0
    let stopped = false
    while (round < ROUNDS && !stopped) {
      await Promise.race([say.pause(900), context.steers.wait()])
      context.signal.throwIfAborted()
      for (const { text, interaction } of await context.steers.take()) {
        const used = surfaceUse(interaction)
        if (used?.surfaceId === surfaceId && used.componentId === 'stop') stopped = true
        else if (!used && /\b(stop|enough|pause)\b|停/i.test(text)) stopped = true
        else yield* say.turnTo({ text, interaction })
      }
      if (stopped) break
      round++
      await context.surfaces.apply(update(surfaceId, round), toolCallId)
      yield say.progress(toolCallId, `update ${round} of ${ROUNDS}`, round, ROUNDS)
    }
    if (stopped) await context.surfaces.apply([data(surfaceId, '/updated', 'stopped')], toolCallId)
    yield say.result(toolCallId, { preview: `${round} updates`, value: { updates: round } })
    yield* say.text(
      stopped
        ? `Stopped after ${round} ${round === 1 ? 'update' : 'updates'}, as you asked. Press **Refresh** for one more.`
        : `Those were ${ROUNDS} updates of a living dashboard. Press **Refresh** for one more, or write into the note: it keeps its text and focus while the figures change. *(Scripted: the shop does not exist.)*`,
    )
  },
}

export async function* onDashboard({ surfaceId, componentId, value, values }: SurfaceUse, say: Say): Outputs {
  if (componentId === 'note') return await say.quietly([data(surfaceId, '/note', value ?? values.note ?? '')])
  if (componentId === 'stop') {
    yield* say.surface('Stop the updates', [data(surfaceId, '/updated', 'stopped')])
    return yield* say.text('There is nothing running any more; the figures stay as they are.')
  }
  const orders = typeof values.orders === 'number' ? values.orders : 120
  const round = Math.max(0, Math.round((orders - 120) / 7)) + 1
  yield* say.surface('Refresh the figures', update(surfaceId, round))
  yield* say.text(`Refreshed: **${figures(round).orders} orders** by now.`)
}
