import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast } from './genui/a2ui/theme.ts'
import { over, readTokens } from './tokens.fixture.ts'

// It does not stand beside the style sheet, because that folder is published as it is.

it('P-297 more contrast has the same colours, whether the browser or the settings ask for it', () => {
  const sheet = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8')
  const [, chosen, asked] = sheet.split(/(?=\.vitrine\[data-contrast="more"\],|@media \(prefers-contrast: more\))/)
  const valuesOf = (block: string) => block.match(/--v-[\w-]+: [^;]+;/g)
  expect(valuesOf(asked!.split('@media (prefers-reduced-motion')[0]!)).toEqual(valuesOf(chosen!))
  expect(valuesOf(chosen!)!.length).toBeGreaterThan(15)
})

const layers = ['canvas', 'surface', 'plate', 'raised', 'sunken']
const all = (names: string[], grounds: string[], least: number) =>
  names.flatMap(name => grounds.map(ground => [name, ground, least] as const))

/** What stands on what, and the contrast that it needs: 4.5 for text, 3 for what only has to be seen. */
const pairs = [
  ...all(['text', 'text-2', 'text-3', 'accent', 'lamp', 'danger', 'success'], layers, 4.5),
  ...all(['text', 'text-2', 'text-3', 'accent'], ['canvas+selected', 'surface+selected'], 4.5),
  ...all(['on-ink'], ['ink', 'ink-hover'], 4.5),
  ...all(['on-accent'], ['accent'], 4.5),
  ...['accent', 'lamp', 'danger', 'success'].flatMap(tone => all([tone, 'text', 'text-2'], [`${tone}-soft`], 4.5)),
  ...all(['text', 'text-3'], ['add', 'del'], 4.5),
  ...all(['text'], ['add-strong', 'del-strong'], 4.5),
  ...all(['code-keyword', 'code-string', 'code-number', 'code-name'], ['sunken', 'add'], 4.5),
  ...all(['border-control', 'focus'], layers, 3),
  ...all(['data-1', 'data-2', 'data-3', 'data-4', 'data-5', 'data-6'], ['surface', 'plate'], 3),
  ...all(['ink', 'accent-edge', 'danger-edge'], ['plate'], 3),
]

describe('P-8201 text and controls can be read', () => {
  it.each([
    ['light', 0, false],
    ['dark', 1, false],
    ['light with more contrast', 0, true],
    ['dark with more contrast', 1, true],
  ] as const)('in %s', (_, mode, more) => {
    const colours = readTokens(more)
    const tooFaint = pairs.flatMap(([name, ground, least]) => {
      const [layer, tint] = ground.split('+').map(token => colours(token)[mode])
      const below = tint ? over(tint, layer!) : layer!
      const ratio = contrast(over(colours(name)[mode], below).rgb, below.rgb)
      // Rounding a colour to bytes moves the ratio a little.
      return ratio < least - 0.02 ? [`${name} on ${ground}: ${ratio.toFixed(2)}`] : []
    })
    expect(tooFaint).toEqual([])
  })
})

it('P-9362 the chosen segment is lighter than its track', () => {
  const colours = readTokens()
  const light = ({ rgb }: { rgb: readonly number[] }) => rgb.reduce((sum, part) => sum + part, 0)
  for (const mode of [0, 1] as const) {
    for (const layer of ['surface', 'plate', 'raised']) {
      const track = over(colours('selected')[mode], colours(layer)[mode])
      const chosen = over(colours('segment')[mode], track)
      expect(light(chosen), `${layer} ${mode}`).toBeGreaterThan(light(track))
      expect(contrast(over(colours('text')[mode], chosen).rgb, chosen.rgb)).toBeGreaterThan(4.5)
    }
  }
})

it('P-8202 every rule for elements stands below the class vitrine, and every file is in the layer', () => {
  const folder = new URL('./styles/', import.meta.url)
  const index = readFileSync(new URL('index.css', folder), 'utf8')
  const imports = index.split('\n').filter(line => line.startsWith('@import'))
  expect(imports.filter(line => !line.endsWith(' layer(vitrine);'))).toEqual([])
  for (const [, file] of index.matchAll(/@import "\.\/([\w-]+\.css)"/g)) {
    const sheet = readFileSync(new URL(file!, folder), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    const heads = [...sheet.matchAll(/(?:^|[{}])\s*([^{}@]+?)\s*(?=\{)/g)].map(([, head]) => head!)
    const selectors = heads.flatMap(head => head.split(/,(?![^(]*\))/).map(selector => selector.trim()))
    const outside = selectors.filter(
      selector => !/\.(vitrine|v-)/.test(selector) && !/^(from|to|[\d.]+%)$/.test(selector) && selector !== '',
    )
    expect(outside, file).toEqual([])
  }
})
