import { MAX_ID } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import type { Unreadable } from './normalise.ts'

/** Refuses an envelope: a stable code, where in the envelope, and what the agent should do about it. */
export class EnvelopeRefusal extends Error {
  readonly code: UiCode
  readonly path: string
  constructor(code: UiCode, path: string, message: string) {
    super(message)
    this.code = code
    this.path = path
  }
}

const UNREADABLE: Readonly<Record<Unreadable, readonly [UiCode, string]>> = {
  too_deep: ['too_deep', 'Global recursion limit exceeded: the logical depth is too large. Flatten the tree.'],
  no_object: ['validation_failed', 'A component is an object with an id and a type.'],
  no_type: [
    'validation_failed',
    "A component needs 'type' (nested form) or 'component' (public form) with the name of its type.",
  ],
  no_id: ['validation_failed', "'id' is a required property: a text that is unique on the surface."],
  long_id: ['id_too_long', `The id is longer than ${MAX_ID} characters. Choose a shorter one.`],
  broken_id: ['validation_failed', 'The id holds half of a character. Choose an id of whole characters.'],
  long_type: [
    'id_too_long',
    `The name of the type is longer than ${MAX_ID} characters, or broken. Choose one of the catalog.`,
  ],
  forbidden_key: ['forbidden_key', "The name '__proto__' is not allowed."],
}

/** The refusal of a component, or of an id, that cannot be read. */
export const unreadable = (why: Unreadable, path: string): EnvelopeRefusal =>
  new EnvelopeRefusal(UNREADABLE[why][0], path, UNREADABLE[why][1])
