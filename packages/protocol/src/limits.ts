/** Bytes of an event as JSON. What is larger goes to the blob store, and the event has a reference. */
export const MAX_EVENT_BYTES = 64 * 1024
/** Characters of an id. */
export const MAX_ID = 200
/** Characters of a JSON pointer. */
export const MAX_POINTER = 2_000
/** JSON bytes of the value that one surface operation carries: with its ids and pointer it always fits into an event. */
export const MAX_OP_VALUE = 40 * 1024
