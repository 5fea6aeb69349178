import { apply, createState, type SessionEvent } from '@vitrine/protocol'

const event: SessionEvent = { type: 'session.updated', seq: 1, sessionId: 's', at: 1, title: 'A title' }
apply(createState('s'), event)

// Without the declarations everything would be `any`. Then these
// lines would have no error, and the compiler would complain.
// @ts-expect-error an unknown class of event
export const unknownClass: SessionEvent['type'] = 'no.such.event'
// @ts-expect-error a sequence number is a number
export const wrongType: SessionEvent['seq'] = 'one'
