import { apply, createState, type SessionEvent } from '@vitrine/protocol'

const event: SessionEvent = { type: 'session.updated', seq: 1, sessionId: 's', at: 1, title: 'A title' }
apply(createState('s'), event)

// If the declarations did not reach the consumer, all of this would be `any` and these lines would have no error.
// @ts-expect-error an unknown class of event
export const unknownClass: SessionEvent['type'] = 'no.such.event'
// @ts-expect-error a sequence number is a number
export const wrongType: SessionEvent['seq'] = 'one'
