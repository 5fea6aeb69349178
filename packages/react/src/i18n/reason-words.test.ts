import { CODES } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { en } from './en.ts'
import { createI18n, locales } from './i18n.tsx'
import { problemWords, reasonWords } from './reason-words.ts'
import { zhCN } from './zh-cn.ts'

describe('reasons, failures and refusals', () => {
  it.each(Object.keys(locales))(
    'P-279 L8 every code has words in %s, and no words are left without a code',
    async locale => {
      const messages = await locales[locale]!.load()
      const worded = Object.keys(messages).flatMap(key => (key.startsWith('code.') ? [key.slice(5)] : []))
      expect(worded.sort()).toEqual([...CODES].sort())
    },
  )

  it('P-279 are said in the language of the page by their code, never by their English sentence', () => {
    const chinese = createI18n('zh-CN', zhCN).t
    expect(reasonWords(chinese, { code: 'run_over', message: 'Whatever was written.' })).toBe('运行已经结束。')
    expect(reasonWords(chinese, { code: 'waiting_for_slot', params: { ahead: 3 }, message: '' })).toBe('前面还有 3 个')
    expect(reasonWords(chinese, { code: 'disk_full', message: 'Disk full.', next: 'Free some.' })).toBe(
      'Disk full. Free some.',
    )
    expect(reasonWords(chinese, { code: 'constructor', message: 'The run is over.' })).toBe('The run is over.')
    const failed = { code: 'storage_failed', message: 'x' }
    const why = (name: string) => reasonWords(chinese, { ...failed, params: { why: name } })
    expect(new Set([reasonWords(chinese, failed), ...['disk_full', 'read_only', 'io_error'].map(why)]).size).toBe(4)
    expect(why('disk_full')).toMatch(/^服务器的磁盘已满。无法保存/)
    expect(why('constructor')).toBe(reasonWords(chinese, failed))
    const late = { code: 'steer_rejected', message: 'The run is over.', params: { why: 'run_over' } }
    expect(reasonWords(chinese, late)).toBe('运行没有接受引导。运行已经结束。')
    const problem = { type: '', title: 'Gone', status: 404, code: 'session_not_found', detail: 'x', next: 'y' }
    expect(problemWords(createI18n('en', en).t, problem)).toContain('There is no such session.')
  })
})
