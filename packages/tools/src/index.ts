// Tools that agents can be given.

export { createFileTools, type FileToolsOptions } from './files/file-tools.ts'
