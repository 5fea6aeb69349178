import type { ToolSource } from '@vitrine/server'
import { sourceOf } from '../source.ts'
import { evaluate } from './evaluate.ts'
import { written } from './number.ts'

/** A calculator. Sums, products, quotients and powers of numbers are exact. */
export function createCalculator(): ToolSource {
  return sourceOf('calculator', 'Calculator', [
    {
      toolId: 'calculator:calculate',
      name: 'calculate',
      title: 'Calculate',
      description:
        'Computes an expression, such as (1249.90 * 1.19 - 200) / 12 or round(sqrt(2), 5). Exact for + - * / ^ % (remainder, or percent at the end of a number), ! and brackets. Functions: abs, sign, floor, ceil, trunc, round(x, places), sqrt, cbrt, pow, factorial, gcd, lcm, min, max, sum, mean, median, sin, cos, tan, asin, acos, atan (in radians), exp, ln, log2, log10, log(x, base). Constants: pi, e, tau.',
      inputSchema: {
        type: 'object',
        properties: { expression: { type: 'string', minLength: 1, maxLength: 2_000 } },
        required: ['expression'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { result: { type: 'string' }, exact: { type: 'boolean' }, fraction: { type: 'string' } },
        required: ['result', 'exact'],
      },
      effects: 'none',
      repeatable: true,
      timeoutMs: 5_000,
      async execute({ expression }) {
        const { text, exact, fraction } = written(evaluate(expression as string))
        const words = exact ? text : fraction ? `${text} (exactly ${fraction})` : `about ${text}`
        return { text: words, structured: { result: text, exact, ...(fraction && { fraction }) } }
      },
    },
  ])
}
