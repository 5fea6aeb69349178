import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// It does not stand beside the style sheet, because that folder is published as it is.

it('P-297 more contrast has the same colours, whether the browser or the settings ask for it', () => {
  const sheet = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8')
  const [, chosen, asked] = sheet.split(/(?=:root\[data-contrast="more"\],|@media \(prefers-contrast: more\))/)
  const valuesOf = (block: string) => block.match(/--v-[\w-]+: [^;]+;/g)
  expect(valuesOf(asked!.split('@media (prefers-reduced-motion')[0]!)).toEqual(valuesOf(chosen!))
  expect(valuesOf(chosen!)!.length).toBeGreaterThan(15)
})
