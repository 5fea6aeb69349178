import { ToolFailed } from '../failure.ts'
import {
  about,
  add,
  divide,
  exactRoot,
  floor,
  gcd,
  isLess,
  multiply,
  negate,
  numberOf,
  power,
  sign,
  type Value,
  whole,
} from './number.ts'

/** How many numbers a function takes, and what it makes of them. */
interface Known {
  readonly least: number
  readonly most: number
  of(...values: Value[]): Value
}

const MOST_FACTORIAL = 2_000
const one = (of: (value: Value) => Value): Known => ({ least: 1, most: 1, of })
const real = (of: (value: number) => number): Known => one(value => about(of(numberOf(value))))
const many = (of: (values: Value[]) => Value): Known => ({ least: 1, most: 1_000, of: (...values) => of(values) })

const wholeOf = (value: Value, what: string): bigint => {
  if ('top' in value && value.bottom === 1n) return value.top
  throw new ToolFailed(`${what} takes whole numbers.`)
}

const sum = (values: Value[]): Value => values.reduce(add)
const sorted = (values: Value[]): Value[] => values.toSorted((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0))
const middle = (values: Value[]): Value => {
  const ordered = sorted(values)
  const [low, high] = [ordered[(ordered.length - 1) >> 1]!, ordered[ordered.length >> 1]!]
  return divide(add(low, high), whole(2))
}

export function factorial(value: Value): Value {
  const n = wholeOf(value, 'A factorial')
  if (n < 0n || n > BigInt(MOST_FACTORIAL))
    throw new ToolFailed(`A factorial takes a number from 0 to ${MOST_FACTORIAL}.`)
  let product = 1n
  for (let k = 2n; k <= n; k++) product *= k
  return whole(product)
}

function root(value: Value, degree: bigint, of: (value: number) => number): Value {
  if (sign(value) < 0 && degree % 2n === 0n) throw new ToolFailed('A negative number has no real square root.')
  const exact = exactRoot(sign(value) < 0 ? negate(value) : value, degree)
  return exact ? (sign(value) < 0 ? negate(exact) : exact) : about(of(numberOf(value)))
}

/** To so many decimal places, with halves away from zero. */
function rounded(value: Value, places: Value = whole(0)): Value {
  const n = wholeOf(places, 'round')
  if (n > 1_000n || n < -1_000n) throw new ToolFailed('round takes at most 1000 decimal places.')
  const scale = power(whole(10), whole(n))
  const size = sign(value) < 0 ? negate(value) : value
  const steps = floor(add(multiply(size, scale), divide(whole(1), whole(2))))
  return divide(sign(value) < 0 ? negate(steps) : steps, scale)
}

export const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, π: Math.PI, e: Math.E, tau: 2 * Math.PI }

export const FUNCTIONS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['abs', one(value => (sign(value) < 0 ? negate(value) : value))],
  ['sign', one(value => whole(sign(value)))],
  ['floor', one(floor)],
  ['ceil', one(value => negate(floor(negate(value))))],
  ['trunc', one(value => (sign(value) < 0 ? negate(floor(negate(value))) : floor(value)))],
  ['round', { least: 1, most: 2, of: rounded }],
  ['sqrt', one(value => root(value, 2n, Math.sqrt))],
  ['cbrt', one(value => root(value, 3n, Math.cbrt))],
  ['pow', { least: 2, most: 2, of: power }],
  ['factorial', one(factorial)],
  ['gcd', { least: 2, most: 2, of: (a, b) => whole(gcd(wholeOf(a, 'gcd'), wholeOf(b, 'gcd'))) }],
  [
    'lcm',
    {
      least: 2,
      most: 2,
      of: (a, b) => {
        const [x, y] = [wholeOf(a, 'lcm'), wholeOf(b, 'lcm')]
        const product = (x / gcd(x, y)) * y
        return whole(product < 0n ? -product : product)
      },
    },
  ],
  ['min', many(values => values.reduce((a, b) => (isLess(b, a) ? b : a)))],
  ['max', many(values => values.reduce((a, b) => (isLess(a, b) ? b : a)))],
  ['sum', many(sum)],
  ['mean', many(values => divide(sum(values), whole(values.length)))],
  ['median', many(middle)],
  ['sin', real(Math.sin)],
  ['cos', real(Math.cos)],
  ['tan', real(Math.tan)],
  ['asin', real(Math.asin)],
  ['acos', real(Math.acos)],
  ['atan', real(Math.atan)],
  ['exp', real(Math.exp)],
  ['ln', real(Math.log)],
  ['log2', real(Math.log2)],
  ['log10', real(Math.log10)],
  ['log', { least: 2, most: 2, of: (value, base) => about(Math.log(numberOf(value)) / Math.log(numberOf(base))) }],
])
