import { DRAWN_ICONS, lucideName, lucideNameOfMaterial } from '@vitrine/genui'
import { describe, expect, it } from 'vitest'
import { findIcon, type IconVocabulary } from './agent-icons.ts'
import { a2uiNames, uiSchemaNames } from './icon-names.test.data.ts'
import * as set from './icon-set.ts'

const without = (names: readonly string[], vocabulary: IconVocabulary) =>
  names.filter(name => !findIcon(name, vocabulary))

describe('A2-140 names of icons', () => {
  it('every name that A2UI documents use has a drawing, those of the public catalog included', () => {
    expect(a2uiNames.length).toBeGreaterThan(200)
    expect(without(a2uiNames, 'material')).toEqual([])
  })

  it('US-62 every name that UI Schema documents use has a drawing', () => {
    expect(uiSchemaNames.length).toBeGreaterThan(250)
    expect(without(uiSchemaNames, 'lucide')).toEqual([])
  })

  it('A2-354 the names that the engine calls drawn are those that the page draws', () => {
    expect(without(DRAWN_ICONS, 'lucide')).toEqual([])
    expect(DRAWN_ICONS.length).toBe(Object.keys(set).length)
  })

  it('other spellings of a name are understood', () => {
    for (const name of ['shopping-cart', 'shopping_cart', 'Shopping Cart', 'shoppingCart', ' ShoppingCart '])
      expect([lucideName(name), lucideNameOfMaterial(name)]).toEqual(['shopping-cart', 'shopping-cart'])
  })

  it('a Material name means what it means there, and a name of lucide what it means in lucide', () => {
    expect([lucideNameOfMaterial('hotel'), lucideName('hotel')]).toEqual(['bed', 'hotel'])
    expect([lucideNameOfMaterial('edit'), lucideName('edit')]).toEqual(['pencil', 'square-pen'])
  })

  it('C04 names of Object.prototype are ordinary names without a drawing', () => {
    const names = ['constructor', '__proto__', 'toString']
    expect(without(names, 'material')).toEqual(names)
    expect(without(names, 'lucide')).toEqual(names)
  })
})
