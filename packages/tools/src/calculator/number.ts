import { ToolFailed } from '../failure.ts'

/** A number: a fraction of whole numbers, which is exact, or what the machine computes with. */
export type Value = { readonly top: bigint; readonly bottom: bigint } | { readonly about: number }

/** Bits of the largest whole number of an exact result: about 10,000 digits. */
const MOST_BITS = 33_000

export const whole = (value: bigint | number): Value => ({ top: BigInt(value), bottom: 1n })

const bitsOf = (value: bigint): number => (value < 0n ? -value : value).toString(16).length * 4

/** A fraction in lowest terms. */
function fraction(top: bigint, bottom: bigint): Value {
  if (bottom === 0n) throw new ToolFailed('It divides by zero.')
  const common = gcd(top, bottom) * (bottom < 0n ? -1n : 1n)
  const value = { top: top / common, bottom: bottom / common }
  if (bitsOf(value.top) > MOST_BITS || bitsOf(value.bottom) > MOST_BITS) throw tooLarge()
  return value
}

export function about(value: number): Value {
  if (Number.isNaN(value)) throw new ToolFailed('It has no real number as its result.')
  if (!Number.isFinite(value)) throw tooLarge()
  return { about: value }
}

const tooLarge = (): ToolFailed => new ToolFailed('A number of it is too large to be computed.')

export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x === 0n ? 1n : x
}

/** The number as the machine has it. Large fractions are divided before they are converted. */
export function numberOf(value: Value): number {
  if ('about' in value) return value.about
  const { top, bottom } = value
  const [large, small] = [Number(top), Number(bottom)]
  if (Number.isFinite(large) && Number.isFinite(small)) return large / small
  const shift = BigInt(Math.max(bitsOf(top), bitsOf(bottom)) - 1_000)
  return Number(top >> shift) / Number(bottom >> shift)
}

type Exact = Extract<Value, { top: bigint }>
const exact = (a: Value, b: Value): [Exact, Exact] | undefined => ('top' in a && 'top' in b ? [a, b] : undefined)

export function add(a: Value, b: Value): Value {
  const both = exact(a, b)
  if (!both) return about(numberOf(a) + numberOf(b))
  const [x, y] = both
  return fraction(x.top * y.bottom + y.top * x.bottom, x.bottom * y.bottom)
}

export const negate = (a: Value): Value => ('top' in a ? { ...a, top: -a.top } : { about: -a.about })

export function multiply(a: Value, b: Value): Value {
  const both = exact(a, b)
  return both ? fraction(both[0].top * both[1].top, both[0].bottom * both[1].bottom) : about(numberOf(a) * numberOf(b))
}

export function divide(a: Value, b: Value): Value {
  if (sign(b) === 0) throw new ToolFailed('It divides by zero.')
  const both = exact(a, b)
  return both ? fraction(both[0].top * both[1].bottom, both[0].bottom * both[1].top) : about(numberOf(a) / numberOf(b))
}

/** What is left when `a` is divided by `b`, with the sign of `b`, as people expect of clocks and calendars. */
export const modulo = (a: Value, b: Value): Value => add(a, negate(multiply(b, floor(divide(a, b)))))

export function floor(a: Value): Value {
  if ('about' in a) return whole(BigInt(Math.floor(a.about)))
  const { top, bottom } = a
  return whole(top / bottom - (top < 0n && top % bottom !== 0n ? 1n : 0n))
}

export const sign = (a: Value): number => ('about' in a ? Math.sign(a.about) : a.top === 0n ? 0 : a.top < 0n ? -1 : 1)

export const isLess = (a: Value, b: Value): boolean => sign(add(a, negate(b))) < 0

export function power(a: Value, b: Value): Value {
  if ('top' in b && b.bottom !== 1n && 'top' in a && sign(a) >= 0) {
    const root = exactRoot(a, b.bottom)
    if (root) return power(root, whole(b.top))
  }
  if (!('top' in a) || !('top' in b) || b.bottom !== 1n) return about(numberOf(a) ** numberOf(b))
  const times = b.top < 0n ? -b.top : b.top
  if (times === 0n) return whole(1)
  if (sign(a) === 0 && b.top < 0n) throw new ToolFailed('It divides by zero.')
  if ((a.top === 1n || a.top === -1n) && a.bottom === 1n) return whole(times % 2n === 0n ? 1n : a.top)
  // The size is known before anything is computed.
  if (a.top !== 0n && times * BigInt(Math.max(bitsOf(a.top), bitsOf(a.bottom)) - 3) > BigInt(MOST_BITS))
    throw tooLarge()
  const [top, bottom] = [a.top ** times, a.bottom ** times]
  return b.top < 0n ? fraction(bottom, top) : fraction(top, bottom)
}

/** A root that is a fraction itself, such as that of 9/4. */
export function exactRoot(a: Value, degree: bigint): Value | undefined {
  if ('about' in a || a.top < 0n || degree < 2n || degree > 64n) return undefined
  const [top, bottom] = [wholeRoot(a.top, degree), wholeRoot(a.bottom, degree)]
  return top !== undefined && bottom !== undefined ? fraction(top, bottom) : undefined
}

function wholeRoot(value: bigint, degree: bigint): bigint | undefined {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(bitsOf(value) / Number(degree)) + 1)
  for (;;) {
    const next = ((degree - 1n) * root + value / root ** (degree - 1n)) / degree
    if (next >= root) break
    root = next
  }
  return root ** degree === value ? root : undefined
}

const MOST_DIGITS = 3_000
const GIVEN_DIGITS = 30

/** A number as people write it, and whether it is exact. */
export function written(value: Value): { text: string; exact: boolean; fraction?: string } {
  if ('about' in value) return { text: String(Number(value.about.toPrecision(15))), exact: false }
  const { top, bottom } = value
  if (bottom === 1n) {
    const text = top.toString()
    if (text.length <= MOST_DIGITS) return { text, exact: true }
    return { text: `${text.slice(0, 20)}… (${text.replace('-', '').length} digits)`, exact: false }
  }
  const places = decimalPlaces(bottom)
  if (places !== undefined && places <= 1_000) return { text: decimal(top, bottom, places), exact: true }
  const cut = decimal(top, bottom, GIVEN_DIGITS)
  const ratio = `${top}/${bottom}`
  return { text: `${cut}…`, exact: false, ...(ratio.length <= 200 && { fraction: ratio }) }
}

/** How many decimal places a fraction has, when it ends. */
function decimalPlaces(bottom: bigint): number | undefined {
  let [rest, twos, fives] = [bottom, 0, 0]
  for (; rest % 2n === 0n; twos++) rest /= 2n
  for (; rest % 5n === 0n; fives++) rest /= 5n
  return rest === 1n ? Math.max(twos, fives) : undefined
}

function decimal(top: bigint, bottom: bigint, places: number): string {
  const digits = (((top < 0n ? -top : top) * 10n ** BigInt(places)) / bottom).toString().padStart(places + 1, '0')
  const rest = digits.slice(digits.length - places)
  return `${top < 0n ? '-' : ''}${digits.slice(0, digits.length - places)}.${rest}`
}
