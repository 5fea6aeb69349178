// Tools that agents can be given.

export { createCalculator } from './calculator/calculator.ts'
export { type CodeToolsOptions, createCodeTools } from './code/code-tools.ts'
export { createFileTools, type FileToolsOptions } from './files/file-tools.ts'
export { createDataTools, type DataToolsOptions } from './queries/data-tools.ts'
export { createWebTools, type WebToolsOptions } from './web/web-tools.ts'
