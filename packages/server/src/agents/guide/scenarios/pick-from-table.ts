import type { JsonObject } from '@vitrine/protocol'
import { inline, words } from '../markdown.ts'
import type { Outputs, Say } from '../say.ts'
import type { Scenario } from '../scenario.ts'
import { components, create, data } from './surface.ts'
import type { SurfaceUse } from './surface-use.ts'

const PUBLIC_CATALOG = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json'

const TRAINS = [
  { id: 'ic-204', name: 'IC 204', departs: '08:12', takes: '3 h 05', price: '€ 49' },
  { id: 'ice-71', name: 'ICE 71', departs: '09:40', takes: '2 h 20', price: '€ 89' },
  { id: 're-5', name: 'RE 5', departs: '10:03', takes: '4 h 48', price: '€ 24' },
  { id: 'nj-40', name: 'NJ 40', departs: '22:55', takes: '8 h 10', price: '€ 69' },
]
const COLUMNS = ['name', 'departs', 'takes', 'price'] as const

const text = (id: string, value: JsonObject | string, variant?: string): JsonObject => ({
  id,
  component: 'Text',
  text: value,
  ...(variant && { variant }),
})

/**
 * A surface in the public form of A2UI: a flat list of components,
 * a template for the rows, and an action with its context.
 */
function envelopes(surfaceId: string): JsonObject[] {
  const heads = { name: 'Train', departs: 'Departs', takes: 'Takes', price: 'Price' }
  return [
    create({ surfaceId, catalogId: PUBLIC_CATALOG, sendDataModel: true }),
    components(surfaceId, [
      { id: 'root', component: 'Card', child: 'column' },
      { id: 'column', component: 'Column', children: ['title', 'head', 'line', 'rows', 'picked'], align: 'stretch' },
      text('title', 'Trains on Friday', 'h3'),
      { id: 'head', component: 'Row', children: [...COLUMNS.map(name => `head-${name}`), 'head-pick'] },
      ...COLUMNS.map(name => ({ ...text(`head-${name}`, heads[name], 'caption'), weight: 1 })),
      { ...text('head-pick', ' ', 'caption'), weight: 1 },
      { id: 'line', component: 'Divider' },
      { id: 'rows', component: 'List', children: { componentId: 'row', path: '/trains' } },
      { id: 'row', component: 'Row', children: [...COLUMNS, 'pick'], align: 'center' },
      ...COLUMNS.map(name => ({ ...text(name, { path: name }), weight: 1 })),
      {
        id: 'pick',
        component: 'Button',
        child: 'pick-label',
        weight: 1,
        action: { event: { name: 'pick', context: { id: { path: 'id' } } } },
      },
      text('pick-label', 'Pick'),
      text('picked', { path: '/picked' }),
    ]),
    data(surfaceId, '', { trains: TRAINS, picked: 'Nothing picked yet.' }),
  ]
}

export const pickFromTable: Scenario = {
  id: 'pick-from-table',
  title: 'Table to pick from',
  shows: 'a table to pick from, written in the public A2UI dialect',
  example: 'let me pick from a table',
  triggers: ['pick', 'pick from a table', 'table', 'trains', '表格', '从表格', '挑选', '列车'],
  async *play(_input, _context, say) {
    const drawn = yield* say.surface('Draw a table', envelopes(say.own('trains')))
    yield* say.text(
      drawn
        ? 'Pick a train. Each row is made from one template and the data behind it; the button tells me **which row** you meant.'
        : 'The table could not be drawn completely. The tool row above says why.',
    )
  },
}

export async function* onTable({ surfaceId, context, value }: SurfaceUse, say: Say): Outputs {
  const id = words(context.id ?? value)
  const train = TRAINS.find(one => one.id === id)
  if (!train) return yield* say.text(`I do not know the row ${inline(id, 60)}, so I changed nothing.`)
  const picked = `Picked: ${train.name}, departs ${train.departs}, ${train.price}.`
  yield* say.surface('Show the choice', [data(surfaceId, '/picked', picked)])
  yield* say.text(
    `**${train.name}** it is: departs at ${train.departs}, takes ${train.takes}, costs ${train.price}. *(Scripted: no ticket was bought.)*`,
  )
}
