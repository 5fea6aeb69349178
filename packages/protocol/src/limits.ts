/** Bytes of an event as JSON. What is larger goes to the blob store, and the event has a reference. */
export const MAX_EVENT_BYTES = 64 * 1024
/** Files that one turn or one steer may have. */
export const MAX_FILES = 20
/** Characters of the name of a file. */
export const MAX_FILE_NAME = 255
/** Bytes of a file that a person attaches, unless the server says otherwise. */
export const MAX_FILE_BYTES = 32_000_000
/** Characters of an id. */
export const MAX_ID = 200
/** Characters of the id of a catalog, which is an address as a rule. */
export const MAX_CATALOG_ID = 2_000
/** An id that stands in addresses: of dots only it would be read as a way up, and nobody could reach what it names. */
export const ADDRESSABLE = /[^.]/
/** Characters of what a person searches for. */
export const MAX_SEARCH = 200
/** Characters of a JSON pointer. */
export const MAX_POINTER = 2_000
/** JSON bytes of the value that one surface operation carries: with its ids and pointer it always fits into an event. */
export const MAX_OP_VALUE = 40 * 1024
/** Files whose changes one request shows. Nobody looks through more of them before they allow something. */
export const MAX_CHANGES = 100
