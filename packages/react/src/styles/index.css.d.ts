// TypeScript 7 wants the types of everything that is imported, also of a style sheet.
export {}
