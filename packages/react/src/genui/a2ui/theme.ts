import type { Json } from '@vitrine/protocol'

type Rgb = readonly [number, number, number]

/** The text contrast that WCAG 2.2 AA asks for. */
export const CONTRAST = 4.5

/** The page's colours an accent meets as text or behind text: the ones nearest to it in brightness decide, which are chosen rows. */
export const backgrounds = { light: '#e0e0dd', dark: '#33363c' } as const

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

export function parseHex(color: unknown): Rgb | undefined {
  const match = typeof color === 'string' ? /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color.trim()) : null
  if (!match) return undefined
  const digits = match[1]!.length === 3 ? match[1]!.replace(/./g, '$&$&') : match[1]!
  return [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb
}

const hex = (color: Rgb): string => `#${color.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, i) => Math.round(part + (to[i]! - part) * share)) as unknown as Rgb

function luminance(color: Rgb): number {
  const [r, g, b] = color.map(part => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** The colour itself when it can be read on the background, otherwise as little closer to `pole` as it takes. */
function readable(color: Rgb, background: Rgb, pole: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(color, pole, share)
    if (contrast(candidate, background) >= CONTRAST) return candidate
  }
  return pole
}

export interface Accent {
  accent: string
  hover: string
  on: string
  soft: string
}

function accentOn(color: Rgb, background: Rgb, pole: Rgb): Accent {
  const accent = readable(color, background, pole)
  // The soft colour lies behind accent text, so their contrast must be high enough.
  let soft = background
  for (let share = 0.14; share > 0.01; share -= 0.02) {
    soft = mix(pole === black ? white : black, accent, share)
    if (contrast(accent, soft) >= CONTRAST) break
    soft = background
  }
  const hover = mix(accent, pole, 0.18)
  const on = contrast(white, accent) >= contrast(black, accent) ? white : black
  return { accent: hex(accent), hover: hex(hover), on: hex(on), soft: hex(soft) }
}

/** A surface's `primaryColor` as accent colours that can be read in the light and in the dark theme. */
export function accents(primaryColor: Json | undefined): { light: Accent; dark: Accent } | undefined {
  const color = parseHex(primaryColor)
  if (!color) return undefined
  return {
    light: accentOn(color, parseHex(backgrounds.light)!, black),
    dark: accentOn(color, parseHex(backgrounds.dark)!, white),
  }
}

/** Custom properties for the surface's root; the style sheet uses them where the person did not ask for more contrast. */
export function themeStyle(theme: Readonly<Record<string, Json>>): Record<string, string> | undefined {
  const found = accents(theme.primaryColor)
  if (!found) return undefined
  const pair = (key: keyof Accent) => `light-dark(${found.light[key]}, ${found.dark[key]})`
  return {
    '--v-a2-accent': pair('accent'),
    '--v-a2-accent-hover': pair('hover'),
    '--v-a2-on-accent': pair('on'),
    '--v-a2-accent-soft': pair('soft'),
  }
}
