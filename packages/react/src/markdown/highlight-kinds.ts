/** What a piece of code is. The number is that of its place here; 0 is code that is nothing in particular. */
export const KINDS = ['', 'keyword', 'string', 'number', 'name', 'comment', 'added', 'removed'] as const

/** The colours of a line: the length of a piece and its kind, by turns. */
export type Marks = readonly number[]
