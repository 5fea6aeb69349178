import { describe, expect, it } from 'vitest'
import { en } from './en.ts'
import {
  createI18n,
  type LocaleMessages,
  locales,
  type Message,
  type MessageKey,
  matchLocale,
  regionOf,
} from './i18n.tsx'

const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const names = (text: string) => new Set(text.match(/\{\w+\}/g))

describe.each(Object.keys(locales))('locale %s', locale => {
  it('P-230 has exactly the keys of English', async () => {
    const messages = await locales[locale]!.load()
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort())
  })

  it('P-230 leaves no message empty and names the same values', async () => {
    const messages = await locales[locale]!.load()
    for (const key of Object.keys(en) as MessageKey[]) {
      const wanted = names(forms(en[key] as Message).at(-1)!)
      for (const text of forms(messages[key])) {
        expect(text.trim(), key).not.toBe('')
        expect(
          [...names(text)].filter(name => !wanted.has(name)),
          `${key}: ${text}`,
        ).toEqual([])
      }
    }
  })

  it('P-230 translates: a message is the English one only where it is a name', async () => {
    if (locale === 'en') return
    const messages = await locales[locale]!.load()
    const same = (Object.keys(en) as MessageKey[]).filter(key => messages[key] === en[key])
    expect(same.filter(key => /[a-z]{4,} [a-z]{3,}/i.test(String(en[key])))).toEqual([])
  })

  it('P-231 numbers, durations, sizes and plurals follow the locale', async () => {
    const { t, duration, bytes, number } = createI18n(locale, await locales[locale]!.load())
    expect(number(1234567)).toBe(new Intl.NumberFormat(locale).format(1234567))
    expect(duration(40)).toMatch(/^40/)
    expect(duration(840)).toMatch(/^0\.8/)
    expect(duration(3240)).toMatch(/^3\.2/)
    expect(duration(125_000)).toMatch(/^2.* 5/)
    expect(bytes(214_000)).toMatch(/^214/)
    expect(t('diagnostics.times', { count: 2 })).toMatch(/2/)
  })
})

describe('choosing a locale', () => {
  it('P-286 a time that no date can hold is unknown, and nothing throws', () => {
    const i18n = createI18n('en', en)
    for (const at of [Number.MAX_SAFE_INTEGER, -8.64e15 - 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(i18n.time(at)).toBe('Unknown')
      expect(i18n.dateTime(at)).toBe('Unknown')
      expect(i18n.ago(at, 0)).toMatch(/now|Unknown/)
      expect(i18n.duration(at)).not.toBe('')
    }
  })

  it('P-232 the first wish that can be met counts, by language when not by region', () => {
    expect(matchLocale(['fr-FR', 'zh-TW', 'en'])).toBe('zh-CN')
    expect(matchLocale(['EN-gb'])).toBe('en')
    expect(matchLocale(['fr'])).toBe('en')
    expect(matchLocale([])).toBe('en')
  })

  it('P-233 P-9266 the region writes times and numbers, the chosen language the words', () => {
    const evening = new Date(2026, 0, 1, 20, 42).getTime()
    const british = createI18n('en', en, regionOf('en', ['de-DE', 'en-GB', 'en-US']))
    const american = createI18n('en', en, regionOf('en', ['en-US']))
    expect(british.time(evening)).toBe('20:42')
    expect(american.time(evening)).toMatch(/^8:42\sPM$/)
    expect(british.t('diagnostics.times', { count: 1200 })).toBe('1,200 times')
  })

  it('P-233 a region of another language or script is left alone', () => {
    expect(regionOf('en', ['de-DE'])).toBe('en')
    expect(regionOf('zh-CN', ['zh-TW', 'zh-SG'])).toBe('zh-SG')
    expect(regionOf('zh-CN', [])).toBe('zh-CN')
  })

  it('P-9310 a message that a language lacks is in English, and one that nobody has shows its name', () => {
    const { 'sessions.new': _, 'diagnostics.times': __, ...rest } = en
    const half = createI18n('zh-CN', rest as LocaleMessages)
    expect(half.t('sessions.new')).toBe('New session')
    expect(half.t('diagnostics.times', { count: 3 })).toBe('3 times')
    expect(half.t('code.disk_on_fire' as MessageKey)).toBe('disk on fire')
    expect(half.t('toString' as MessageKey)).toBe('toString')
    expect(half.t('history.againFailed')).toBe('Not tried again. {reason}')
  })

  it('P-231 a plural in English', () => {
    const { t } = createI18n('en', en)
    expect(t('diagnostics.times', { count: 1 })).toBe('1 time')
    expect(t('diagnostics.times', { count: 1200 })).toBe('1,200 times')
  })
})
