import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { en } from './en.ts'
import { createI18n } from './i18n.tsx'
import { reasonWords, runtimeSentences } from './runtime-words.ts'
import { zhCN } from './zh-cn.ts'

const runtime = new URL('../../../server/src/runtime/', import.meta.url)

describe('reasons that the runtime gives', () => {
  it('P-279 are said in the language of the page; other words stay as they are', () => {
    const { t } = createI18n('zh-CN', zhCN)
    expect(reasonWords(t, 'Interrupted by a person.')).toBe('已由人中断。')
    expect(reasonWords(t, 'Disk full.')).toBe('Disk full.')
    expect(reasonWords(t, 'constructor')).toBe('constructor')
    expect(reasonWords(createI18n('en', en).t, 'The run before was failed.')).toBe('The run before failed.')
  })

  it('P-279 are those that the runtime writes', () => {
    const source = readdirSync(runtime)
      .filter(name => name.endsWith('.ts') && !name.includes('.test.'))
      .map(name => readFileSync(new URL(name, runtime), 'utf8'))
      .join('\n')
    const written = (sentence: string) =>
      source.includes(`'${sentence}'`) ||
      (sentence.startsWith('The run before was ') && source.includes('`The run before was $'))
    expect(Object.keys(runtimeSentences).filter(sentence => !written(sentence))).toEqual([])
  })
})
