import { basicCatalog } from '@vitrine/genui/a2ui'
import { expect, it } from 'vitest'
import { basicRenderers } from './catalog.ts'

it('A2-120 every component of the basic catalog has a renderer, and every renderer a component', () => {
  // A type may be another one with certain properties, as a Heading is a Text: that one is drawn.
  const drawn = [...basicCatalog.components].map(([type, { traits }]) => traits?.as?.type ?? type)
  expect(Object.keys(basicRenderers).sort()).toEqual([...new Set(drawn)].sort())
})
