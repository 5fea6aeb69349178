import type { JsonObject } from '@vitrine/protocol'
import { valueTable } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { fields, said, unanswered } from './responses.ts'

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['name', 'guests', 'date'],
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 1, maxLength: 80 },
    email: { type: 'string', title: 'Email', format: 'email' },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 12, default: 2 },
    date: { type: 'string', title: 'Date', format: 'date' },
    seating: { type: 'string', title: 'Seating', enum: ['inside', 'terrace'], default: 'terrace' },
    vegetarian: { type: 'boolean', title: 'Vegetarian menu' },
  },
}

export const form: Scenario = {
  id: 'form',
  title: 'Form to fill in',
  shows: 'asking with a form that is described by a JSON Schema',
  example: 'ask me with a form',
  triggers: ['form', 'ask me with a form', 'json schema', 'fill in', '表单', '填写'],
  async *play(_input, _context, say) {
    yield* say.text('I need a few details to reserve a table.')
    const response = await say.ask({
      kind: 'form',
      title: 'Reserve a table',
      detail: 'The fields come from a JSON Schema; what you send is checked against it.',
      schema: SCHEMA,
    })
    if (!said(response)) return yield* say.text(`${unanswered(response)} No table was reserved.`)
    const values = fields(response)
    await say.pause(400)
    yield* say.text(`Thank you! This is what I received:

${valueTable(values)}

A form *pauses* the run until you answer. For one that stays in the conversation and reacts while you type, say **show a booking form**.`)
  },
}
