import { extname } from 'node:path'
import type { ToolSource } from '@vitrine/server'
import { FITS } from '../fit.ts'
import { sourceOf } from '../source.ts'
import { runThread } from '../thread.ts'
import { takingTurns } from '../turns.ts'
import type { CodeRequest, CodeResult } from './run.ts'

/** How much a program may use. */
export interface CodeToolsOptions {
  /** Milliseconds that a program may take; 5,000 when nothing is given. */
  ms?: number
  /** Bytes of memory that a program may take; 64 MB when nothing is given. */
  memoryBytes?: number
  /** Programs that run at the same time; the others wait. 2 when nothing is given. */
  atOnce?: number
}

/** Time for what no program can be interrupted in. Then its thread is ended. */
const GRACE_MS = 2_000
const MOST_INPUT = 1_000_000

const codeThread = new URL(`./code-thread${extname(import.meta.url)}`, import.meta.url)

/**
 * Runs JavaScript in QuickJS, in a thread of its own. A program has no network, no files, no timers and nothing of the
 * server: only `console`, and `input`. Nothing of it is left for the next one.
 */
export function createCodeTools({
  ms = 5_000,
  memoryBytes = 64 * 1024 * 1024,
  atOnce = 2,
}: CodeToolsOptions = {}): ToolSource {
  const inTurn = takingTurns(atOnce)
  return sourceOf('code', 'Code', [
    {
      toolId: 'code:javascript',
      name: 'run_javascript',
      title: 'Run JavaScript',
      description: `Runs a JavaScript program (ES2023) and gives what it prints with console.log and the value of its last statement. It has no network, no files, no modules and no timers, and keeps nothing for the next call. Data can be given as input, which the program finds in the variable input. It may take ${ms / 1_000} s.`,
      inputSchema: {
        type: 'object',
        properties: {
          code: { type: 'string', minLength: 1, maxLength: 200_000, description: 'The program.' },
          input: { description: 'Data for the program, as JSON.' },
        },
        required: ['code'],
        additionalProperties: false,
      },
      effects: 'none',
      repeatable: true,
      // Programs that wait their turn wait no longer than this.
      timeoutMs: 60_000,
      async execute({ code, input }, call) {
        const given = input === undefined ? undefined : JSON.stringify(input)
        if (given !== undefined && given.length > MOST_INPUT) {
          return { failed: true, text: `The input has more than ${MOST_INPUT} characters.` }
        }
        const request: CodeRequest = { code: code as string, input: given, ms, memoryBytes, most: FITS / 2 - 200 }
        const late = `It did not end within ${ms / 1_000} s, and was stopped.`
        const limits = { ms: ms + GRACE_MS, memoryMb: 256, signal: call.signal, late }
        const { printed, isPrintedCut, result, problem } = await inTurn(call.signal, () =>
          runThread<CodeResult>(codeThread, request, limits),
        )
        const cut = isPrintedCut ? '\n[It printed more, which is left out.]' : ''
        const said = printed === '' ? '' : `It printed:\n${printed.trimEnd()}${cut}`
        if (problem !== undefined) return { failed: true, text: [problem, said].filter(Boolean).join('\n\n') }
        return { text: [said, `Result: ${result}`].filter(Boolean).join('\n\n') }
      },
    },
  ])
}
