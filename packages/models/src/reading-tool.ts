import { type Attachments, READ_ATTACHED } from './attachments.ts'
import { type CheckedTool, checkedTools } from './tools.ts'

/** Bytes that the model is given at once: a larger result would be cut. */
const AT_ONCE = 7_000

/** The tool by which a model reads a text file that is too large to be quoted. */
export function readingTool(attachments: Attachments): CheckedTool {
  const made = checkedTools([
    {
      name: READ_ATTACHED,
      title: 'Read an attached file',
      description: `Reads a part of a large text file that the person attached, at most ${AT_ONCE} bytes at once.`,
      inputSchema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: { type: 'string', description: 'The id of the file, as it stands behind its beginning' },
          start: { type: 'integer', minimum: 0, description: 'The first byte; 0 when nothing is given' },
          bytes: { type: 'integer', minimum: 1, maximum: AT_ONCE, description: 'How many bytes' },
        },
      },
      effects: 'none',
      repeatable: true,
      execute: ({ file, start = 0, bytes = AT_ONCE }: { file: string; start?: number; bytes?: number }) =>
        attachments.read(file, start, bytes),
    },
  ])
  return made.get(READ_ATTACHED)!
}
