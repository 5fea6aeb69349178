import { join, resolve } from 'node:path'
import type { ToolSource } from '@vitrine/server'
import { createCalculator, createCodeTools, createDataTools, createFileTools, createWebTools } from '@vitrine/tools'

/**
 * The tools that agents have. Those that only compute and read run by themselves; fetching a page and changing a file are
 * asked about, unless a person has decided otherwise in a session.
 */
export function toolsOf({ dataFolder, folder }: { dataFolder: string; folder: string | undefined }): ToolSource[] {
  const files = (given: string): ToolSource =>
    createFileTools({ folder: resolve(given), except: [dataFolder], undoFolder: join(dataFolder, '.undo') })
  return [
    ...(folder === undefined ? [] : [files(folder)]),
    createWebTools(),
    createDataTools(),
    createCodeTools(),
    createCalculator(),
  ]
}
