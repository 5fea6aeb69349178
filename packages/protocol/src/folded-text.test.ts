import { expect, it } from 'vitest'
import { foldedText } from './folded-text.ts'

it('P-9257 case, accents and width make no difference, and marks that change a word stay', () => {
  expect(foldedText('Über CRÈME ＡＢＣ')).toBe('uber creme abc')
  expect(foldedText('Plain 42')).toBe('plain 42')
  expect(foldedText('हिन्दी')).toBe('हिन्दी'.normalize('NFC'))
})
