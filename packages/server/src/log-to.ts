import { visibleControls } from '@vitrine/genui'
import type { ServerLog } from './server.ts'

/**
 * A log that writes the time, the line and the error to a stream, such as `process.stderr`. Agents bring the words of
 * their errors, so control characters are written as visible marks: a terminal must not obey them.
 */
export const logTo =
  (stream: { write(text: string): unknown }): ServerLog =>
  (line, error) => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
    stream.write(visibleControls(`${new Date().toISOString()} ${line}\n${detail}\n`))
  }
