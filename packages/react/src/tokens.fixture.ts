import { readFileSync } from 'node:fs'

export type Rgb = readonly [number, number, number]

/** A colour of the style sheet, and how much of what is below it it covers. */
export interface Colour {
  rgb: Rgb
  alpha: number
}

/** The colour of a token in the light and in the dark theme. */
export type Pair = readonly [light: Colour, dark: Colour]

/** Reads the colours of tokens.css. With `more` they are those of more contrast. */
export function readTokens(more = false): (name: string) => Pair {
  const sheet = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8')
  const [usual, contrast] = sheet.split(/(?=\n\.vitrine\[data-contrast="more"\],|\n@media \(prefers-contrast: more\))/)
  const values = new Map(
    [...usual!.matchAll(/--v-([\w-]+): ([^;]+);/g), ...(more ? contrast!.matchAll(/--v-([\w-]+): ([^;]+);/g) : [])].map(
      ([, name, value]) => [name!, value!],
    ),
  )
  const pairOf = (name: string): Pair => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`There is no token --v-${name}.`)
    const other = /^var\(--v-([\w-]+)\)$/.exec(value)
    if (other) return pairOf(other[1]!)
    const [light, dark] = value.match(/#\w+|oklch\([^)]+\)/g)!
    return [parse(light!), parse(dark!)]
  }
  return pairOf
}

/** What is seen where the first colour lies on the second. */
export const over = (above: Colour, below: Colour): Colour => ({
  rgb: above.rgb.map((part, i) => Math.round(part * above.alpha + below.rgb[i]! * (1 - above.alpha))) as unknown as Rgb,
  alpha: 1,
})

function parse(text: string): Colour {
  if (!text.startsWith('#')) return oklch(text)
  const digits = text.length === 4 ? text.slice(1).replace(/./g, '$&$&') : text.slice(1)
  return { rgb: [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb, alpha: 1 }
}

/** By the matrices of CSS Color 4. */
function oklch(text: string): Colour {
  const [lightness, chroma, hue = 0, alpha = 100] = text.match(/[\d.]+/g)!.map(Number) as [number, number, number]
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const encode = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)
  const rgb = linear.map(part => Math.round(255 * encode(Math.min(1, Math.max(0, part)))))
  return { rgb: rgb as unknown as Rgb, alpha: alpha / 100 }
}
