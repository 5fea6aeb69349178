import { z } from 'zod'
import { actionEvents } from './events/action.schema.ts'
import { artifactEvents } from './events/artifact.schema.ts'
import { evidenceEvents } from './events/evidence.schema.ts'
import { messageEvents } from './events/message.schema.ts'
import { queueEvents } from './events/queue.schema.ts'
import { runEvents } from './events/run.schema.ts'
import { sessionEvents } from './events/session.schema.ts'
import { stateEvents } from './events/state.schema.ts'
import { taskEvents } from './events/task.schema.ts'
import { toolEvents } from './events/tool.schema.ts'

export { eventNotes, MAX_PREVIEW_CHARS, reason } from './events/base.schema.ts'
export { MAX_EVENT_BYTES } from './limits.ts'

/** Every event class, declared once. Types, JSON Schema and validation all come from this table. */
export const eventSchemas = {
  ...sessionEvents,
  ...runEvents,
  ...messageEvents,
  ...toolEvents,
  ...actionEvents,
  ...queueEvents,
  ...taskEvents,
  ...artifactEvents,
  ...evidenceEvents,
  ...stateEvents,
} as const

const schemas = Object.values(eventSchemas)
/** The shape of any event of the log. Its `type` says which class has to fit. */
export const sessionEvent = z.discriminatedUnion('type', schemas as unknown as [(typeof schemas)[number]])
