import { describe, expect, it } from 'vitest'
import { builtinUiLocales, localizeLabel, uiWordsFor } from './index.ts'

describe('labels', () => {
  it('US-15 ui.status.* is localised in English and Chinese', () => {
    const statuses = ['info', 'success', 'warning', 'error', 'pending'] as const
    expect(statuses.map(s => localizeLabel(`ui.status.${s}`, 'en'))).toEqual([
      'Info',
      'Success',
      'Warning',
      'Error',
      'Pending',
    ])
    expect(statuses.map(s => localizeLabel(`ui.status.${s}`, 'zh-CN'))).toEqual([
      '信息',
      '成功',
      '警告',
      '错误',
      '进行中',
    ])
  })

  it('US-15 the nearest locale is used, and a table can be extended', () => {
    expect(localizeLabel('ui.status.error', 'zh-TW')).toBe('错误')
    expect(localizeLabel('ui.status.error', 'en-GB')).toBe('Error')
    expect(localizeLabel('ui.status.error', 'xx')).toBe('Error')
    const de = {
      ...uiWordsFor('en'),
      status: { info: 'Hinweis', success: 'Erfolg', warning: 'Warnung', error: 'Fehler', pending: 'Läuft' },
    }
    expect(localizeLabel('ui.status.error', 'de-AT', { ...builtinUiLocales, de })).toBe('Fehler')
  })

  it('US-16 legacy labels in any case are understood', () => {
    for (const label of ['SUCCESS', 'Success', 'success']) expect(localizeLabel(label, 'zh-CN')).toBe('成功')
  })

  it('US-17 unknown labels and tokens stay as they are', () => {
    for (const label of [
      'ui.status.done',
      'Shipped',
      'ui.reason.other-thing',
      'constructor',
      'ui.status.__proto__',
      '',
    ])
      expect(localizeLabel(label, 'zh-CN')).toBe(label)
  })
})
