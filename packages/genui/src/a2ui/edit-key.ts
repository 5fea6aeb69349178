// What a person typed is named by the JSON pointer that it was written to. A field that is bound to nothing has no pointer:
// its edit is named by the id of the field behind a `#`, with which no pointer begins.

/** The key of the edit of a field that is bound to nothing. */
export const fieldEditKey = (id: string): string => `#${id}`

/** The field that the key of an edit names; undefined when the key is a pointer. */
export const editedField = (key: string): string | undefined => (key[0] === '#' ? key.slice(1) : undefined)
