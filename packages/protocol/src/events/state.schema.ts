import { z } from 'zod'
import { MAX_CATALOG_ID, MAX_POINTER } from '../limits.ts'
import { event, id, json, jsonObject, line, name, surfaceId, usage } from './base.schema.ts'

const path = z.string().describe('A JSON pointer (RFC 6901).')
const op = 'What is done.'

export const patchOperation = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['add', 'replace', 'test']).describe(op), path, value: json.describe('The value.') }),
  z.object({ op: z.literal('remove'), path }),
  z.object({
    op: z.enum(['move', 'copy']).describe(op),
    from: z.string().describe('A JSON pointer to what is moved or copied.'),
    path,
  }),
])

const component = id.describe('The component.')

export const surfaceOp = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('create'),
    root: id.describe('The component at the top.'),
    catalogId: z.string().max(MAX_CATALOG_ID).optional().describe('The catalog that the components are from.'),
    theme: jsonObject.optional().describe('Colours and other marks of the agent.'),
    sendDataModel: z.boolean().optional().describe('Whether interactions carry all data of the surface.'),
  }),
  z.object({ op: z.literal('upsert'), id: component, component: jsonObject.describe('The component as it is now.') }),
  z.object({ op: z.literal('delete'), id: component }),
  z.object({
    op: z.literal('set'),
    id: component.optional().describe('The component that is written into. Without it the data are.'),
    path: z.string().max(MAX_POINTER).describe('A JSON pointer to the place.'),
    value: json.optional().describe('The value. Without it the place is removed.'),
  }),
  z.object({ op: z.literal('remove') }),
])

export const stateEvents = {
  'state.snapshot': event(
    'state.snapshot',
    {
      when: 'It comes when an agent or an application shares its state for the first time, or all of it anew.',
      why: 'Interfaces, widgets and the state inspector read this state. It belongs to the session and not to a message.',
      order: 'It comes before the first `state.delta`.',
    },
    { state: json.describe('The whole state.') },
  ),
  'state.delta': event(
    'state.delta',
    {
      when: 'It comes when a part of the shared state changes.',
      why: 'A change costs what it touches, however large the state is.',
      order: 'It comes after a `state.snapshot`. All operations apply, or none does.',
    },
    { patch: z.array(patchOperation).min(1).max(500).describe('What changes, as a JSON Patch (RFC 6902).') },
  ),
  'surface.changed': event(
    'surface.changed',
    {
      when: 'It comes when an agent draws an interface, changes it or removes it, and when a person has entered something.',
      why: 'The interface is a fact of the session: every reader draws the same one, also after a reload.',
      order: 'The first one of a surface begins with `create`. After `remove` it can be created again.',
    },
    {
      surfaceId,
      ops: z.array(surfaceOp).min(1).max(10_000).describe('What is done to the surface, in order.'),
    },
  ),
  'metric.changed': event(
    'metric.changed',
    {
      when: 'It comes when it is known what a message, a run or the session has used or how long it took.',
      why: 'Tokens, cost and times are shown from facts. What is not known is not shown as zero.',
      order: 'It may come at any time. Values are merged into those that are there; `usage` replaces the one before.',
    },
    {
      scope: z
        .enum(['message', 'run', 'session'])
        .describe('What it is about: the message or the run that the event names, or the whole session.'),
      values: z
        .record(z.string().max(100), json)
        .optional()
        .describe('Other measures by name, such as `model` and `timing`.'),
      usage: usage.optional(),
    },
  ),
  'diagnostic.changed': event(
    'diagnostic.changed',
    {
      when: 'It comes when something is odd but ends nothing, and when it is no longer so.',
      why: 'Nothing is repaired or left out in silence.',
      order: 'It may come at any time. The same id opens, counts and clears one diagnostic.',
    },
    {
      diagnosticId: id.describe('The diagnostic.'),
      state: z.enum(['open', 'cleared']).describe('Whether it is still so.'),
      level: z.enum(['info', 'warning', 'error']).optional().describe('How serious it is.'),
      code: name.optional().describe('What it is. Codes of an agent are its own.'),
      message: line.optional().describe('What it is, in words.'),
    },
  ),
} as const
