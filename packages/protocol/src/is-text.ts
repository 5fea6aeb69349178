/** Texts that people and programs send are well-formed Unicode, and have no NUL in them. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
export const NOT_TEXT = { message: 'must be well-formed Unicode without NUL' }
