import { describe, expect, it } from 'vitest'
import { iconName } from './icon-names.ts'
import { knownIcons } from './icons.tsx'

/** The names of the public basic catalog. */
const PUBLIC =
  'accountCircle add arrowBack arrowForward attachFile calendarToday call camera check close delete download edit event error fastForward favorite favoriteOff folder help home info locationOn lock lockOpen mail menu moreVert moreHoriz notificationsOff notifications pause payment person phone photo play print refresh rewind search send settings share shoppingCart skipNext skipPrevious star starHalf starOff stop upload visibility visibilityOff volumeDown volumeMute volumeOff volumeUp warning'.split(
    ' ',
  )

describe('A2-140 icons', () => {
  it('every name of the public catalog has a drawing', () => {
    expect(PUBLIC.filter(name => !knownIcons.has(iconName(name)))).toEqual([])
  })

  it('lucide names and other spellings of a name are understood', () => {
    for (const name of ['shopping-cart', 'shopping_cart', 'Shopping Cart', 'shoppingCart'])
      expect(iconName(name)).toBe('shopping-cart')
    expect(iconName('constructor')).toBe('constructor')
    expect(knownIcons.has('constructor')).toBe(false)
  })
})
