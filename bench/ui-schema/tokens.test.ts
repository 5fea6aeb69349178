import { estimateTokens } from '@vitrine/genui/hints'
import { expect, it } from 'vitest'
import * as contents from './contents.ts'
import * as openui from './openui-lang.ts'
import * as hints from './ui-hints.ts'

// The bench counts with the real tokenizer; the estimate is within a tenth of it (UH-30) and needs no vocabulary.
it.each([
  ['card', JSON.stringify(hints.card(contents.card)), openui.card(contents.card), 1.0],
  ['table', JSON.stringify(hints.table(contents.table)), openui.table(contents.table), 0.7],
  ['form', JSON.stringify(hints.form(contents.form)), openui.form(contents.form), 0.75],
])('UH-31 a %s costs at most its share of the tokens of OpenUI Lang', (_name, ours, theirs, most) => {
  expect(estimateTokens(ours) / estimateTokens(theirs)).toBeLessThanOrEqual(most)
})
