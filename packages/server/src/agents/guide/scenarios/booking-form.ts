import type { Json, JsonObject } from '@vitrine/protocol'
import { valueTable, words } from '../markdown.ts'
import type { Outputs, Say } from '../say.ts'
import type { Scenario } from '../scenario.ts'
import { CATALOG, components, create, data, node, when } from './surface.ts'
import type { SurfaceUse } from './surface-use.ts'

const ROOMS = [
  { value: 'single', label: 'Single room' },
  { value: 'double', label: 'Double room' },
  { value: 'suite', label: 'Suite with a view' },
]
const FIELDS = { guest: 'Name', room: 'Room', date: 'Arrival', breakfast: 'Breakfast', notes: 'Wishes' } as const
type Field = keyof typeof FIELDS
const isField = (name: string): name is Field => Object.hasOwn(FIELDS, name)

/** What has to be filled in. The page checks it, so that an empty form is no turn. */
const NEEDED = ['guest', 'date'] as const satisfies readonly Field[]
const MISSING = { guest: 'Please enter your name.', date: 'Please choose the day of your arrival.' }
const needed = (field: (typeof NEEDED)[number]): JsonObject => ({
  condition: { call: 'required', args: { value: { path: `/${field}` } } },
  message: MISSING[field],
})

const bookButton = (text: string): JsonObject =>
  node('book', 'Button', { text, variant: 'primary', checks: NEEDED.map(needed) })

function surface(surfaceId: string): JsonObject {
  const form = node('form', 'Column', {}, [
    node('top', 'Row', { justify: 'spaceBetween', align: 'center' }, [
      node('title', 'Heading', { text: 'Book a room', level: 3 }),
      node('badge', 'Badge', {
        text: when({ eq: [{ path: '/status' }, 'booked'] }, 'Booked', 'Not booked yet'),
        tone: when({ eq: [{ path: '/status' }, 'booked'] }, 'success', 'default'),
      }),
    ]),
    node('guest', 'TextField', {
      label: 'Name',
      placeholder: 'Ada Lovelace',
      value: { path: '/guest' },
      checks: [needed('guest')],
    }),
    node('room', 'Select', { label: 'Room', options: ROOMS, value: { path: '/room' } }),
    node('date', 'DateTimeInput', {
      label: 'Arrival',
      enableDate: true,
      value: { path: '/date' },
      checks: [needed('date')],
    }),
    node('breakfast', 'Checkbox', { label: 'With breakfast', value: { path: '/breakfast' } }),
    node('notes', 'TextArea', {
      label: 'Wishes',
      placeholder: 'A quiet room, please',
      rows: 2,
      value: { path: '/notes' },
    }),
    node('message', 'Text', { text: { path: '/message' } }),
    bookButton('Book'),
  ])
  return create({
    surfaceId,
    catalogId: CATALOG,
    theme: { primaryColor: '#0f766e' },
    root: node('root', 'Card', {}, [form]),
    dataModel: {
      guest: '',
      room: 'double',
      date: '',
      breakfast: true,
      notes: '',
      status: 'open',
      message: 'Name and arrival are needed.',
    },
  })
}

export const bookingForm: Scenario = {
  id: 'booking-form',
  title: 'Booking form in the conversation',
  shows: 'a booking form drawn in the conversation, and what you enter coming back to me',
  example: 'show a booking form',
  triggers: ['booking form', 'show a booking form', 'booking', 'book a room', '预订', '预订表单', '订房'],
  async *play(_input, _context, say) {
    const drawn = yield* say.surface('Draw a booking form', [surface(say.own('booking'))])
    yield* say.text(
      drawn
        ? 'Fill it in and press **Book**. The form is real: it stays after a reload, keeps what you typed, and tells me what you do with it.'
        : 'The form could not be drawn completely. The tool row above says which part was refused, and why.',
    )
  },
}

/** Played when a person used the form: the values become facts of the surface, and the answer text repeats them. */
export async function* onBooking({ surfaceId, componentId, eventType, value, values }: SurfaceUse, say: Say): Outputs {
  const entered: [Field, Json][] = Object.keys(FIELDS)
    .filter(isField)
    .flatMap(name => (values[name] === undefined ? [] : [[name, values[name]] as [Field, Json]]))
  const kept = entered.map(([name, given]) => data(surfaceId, `/${name}`, given))
  const booking = eventType !== 'change' && componentId === 'book'

  if (!booking) {
    const field = isField(componentId) ? FIELDS[componentId] : componentId
    const own = isField(componentId) && value !== undefined ? [data(surfaceId, `/${componentId}`, value)] : []
    const note = `${field} noted.`
    return await say.quietly([...kept, ...own, data(surfaceId, '/message', note)])
  }

  // The page does not send an empty form, but another client may.
  const missing = NEEDED.filter(name => words(values[name]).trim() === '')
  if (missing.length > 0) {
    const message = `Please fill in: ${missing.map(name => FIELDS[name].toLowerCase()).join(' and ')}.`
    yield* say.surface('Ask for what is missing', [...kept, data(surfaceId, '/message', message)])
    return yield* say.text(`Almost. ${message} Everything else you entered is kept.`)
  }
  yield* say.surface('Confirm the booking', [
    ...kept,
    data(surfaceId, '/status', 'booked'),
    data(surfaceId, '/message', 'Booked. You can change the details and book again.'),
    components(surfaceId, [bookButton('Update booking')]),
  ])
  yield* say.text(`Booked! These are the values that reached me:

${valueTable(entered.map(([name, given]) => [FIELDS[name], given] as const))}

*(Scripted: no hotel knows about this.)*`)
}
