import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { over, readTokens } from '../../tokens.fixture.ts'
import { accents, backgrounds, CONTRAST, contrast, parseHex, themeStyle } from './theme.ts'

const rgb = (color: string) => parseHex(color)!
const byte = fc.integer({ min: 0, max: 255 })
const color = fc
  .tuple(byte, byte, byte)
  .map(parts => `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`)

describe('A2-132 primaryColor within contrast limits', () => {
  it('any colour becomes an accent that can be read on the page, under its text and on its soft shade', () => {
    fc.assert(
      fc.property(color, primary => {
        const found = accents(primary)!
        for (const mode of ['light', 'dark'] as const) {
          const { accent, hover, on, soft } = found[mode]
          expect(contrast(rgb(accent), rgb(backgrounds[mode]))).toBeGreaterThanOrEqual(CONTRAST)
          expect(contrast(rgb(on), rgb(accent))).toBeGreaterThanOrEqual(CONTRAST)
          expect(contrast(rgb(accent), rgb(soft))).toBeGreaterThanOrEqual(CONTRAST)
          expect(contrast(rgb(hover), rgb(backgrounds[mode]))).toBeGreaterThanOrEqual(CONTRAST)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('the backgrounds it is measured on are the least favourable of the page', () => {
    const colours = readTokens()
    const black = rgb('#000000')
    for (const layer of ['canvas', 'surface', 'plate', 'raised', 'sunken'].map(colours)) {
      // Hovered and chosen rows have a tint over the layer they lie on.
      for (const tint of ['hover', 'selected'].map(colours)) {
        const light = over(tint[0], layer[0]).rgb
        const dark = over(tint[1], layer[1]).rgb
        expect(contrast(light, black)).toBeGreaterThanOrEqual(contrast(rgb(backgrounds.light), black))
        expect(contrast(dark, black)).toBeLessThanOrEqual(contrast(rgb(backgrounds.dark), black))
      }
    }
  })

  it('a colour that is readable stays as it is, and what is no colour changes nothing', () => {
    expect(accents('#0f5f58')!.light.accent).toBe('#0f5f58')
    expect(themeStyle({ primaryColor: 'red; background: url(//x)' })).toBeUndefined()
    expect(themeStyle({})).toBeUndefined()
  })
})
