import { describe, expect, it } from 'vitest'
import { contextOf, keepReference, referencesIn } from './composer-references.ts'
import { triggerAt } from './composer-trigger.ts'

const at = (text: string, caret = text.length) => triggerAt(text, caret)

describe('what can be completed', () => {
  it('P-9301 a slash completes only at the very beginning of a message', () => {
    expect(at('/')).toEqual({ sign: '/', from: 0, word: '' })
    expect(at('/slow-w')).toEqual({ sign: '/', from: 0, word: 'slow-w' })
    expect(at('/slow', 3)).toEqual({ sign: '/', from: 0, word: 'sl' })
    expect(at('/tour tools')).toBeNull()
    expect(at('either/or')).toBeNull()
    expect(at('\n/tour')).toBeNull()
    expect(at('/usr/bin')).toBeNull()
  })

  it('P-9301 an @ completes at the beginning of a word, and not inside of an address', () => {
    expect(at('see @tax')).toEqual({ sign: '@', from: 4, word: 'tax' })
    expect(at('@')).toEqual({ sign: '@', from: 0, word: '' })
    expect(at('(@a')).toEqual({ sign: '@', from: 1, word: 'a' })
    expect(at('看看@会')).toEqual({ sign: '@', from: 2, word: '会' })
    expect(at('mail me@example')).toBeNull()
    expect(at('see @tax and')).toBeNull()
    expect(at('@@')).toBeNull()
  })

  it('P-9306 a turn carries what still stands in its text, once, and forgets what was taken out', () => {
    const reference = (ref: string, title: string) => ({ kind: 'session' as const, ref, title })
    keepReference('s1', reference('ses_1', 'Taxes 2025'), '')
    keepReference('s1', reference('ses_2', 'Cork'), 'see @Taxes 2025 and ')
    expect(referencesIn('s1', 'see @Taxes 2025 and @Cork').map(({ ref }) => ref)).toEqual(['ses_1', 'ses_2'])
    expect(contextOf('s1', 'see @Cork')).toEqual({ context: [reference('ses_2', 'Cork')] })
    expect(contextOf('s1', 'see nothing')).toEqual({})
    expect(contextOf('s2', '@Cork')).toEqual({})
    keepReference('s1', reference('ses_3', 'Wine'), 'see @Cork')
    expect(contextOf('s1', '@Taxes 2025 @Wine')).toEqual({ context: [reference('ses_3', 'Wine')] })
  })
})
