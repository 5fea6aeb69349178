import { own } from '@vitrine/protocol'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { visibleText } from '../visible.tsx'
import { en } from './en.ts'

/** The name of a message of the interface. */
export type MessageKey = keyof typeof en
/** A message, or its plural forms by the count's category. */
export type Message = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>)
/** All messages of the interface in one language. */
export type LocaleMessages = Readonly<Record<MessageKey, Message>>
export type Vars = Readonly<Record<string, string | number>>

/**
 * The languages that the package has, each in a file of its own. English is always there; the others are fetched when
 * they are chosen.
 */
export const locales: Readonly<Record<string, { name: string; load: () => Promise<LocaleMessages> }>> = {
  en: { name: 'English', load: async () => en },
  'zh-CN': { name: '简体中文', load: async () => (await import('./zh-cn.ts')).zhCN },
}

/** The words, numbers and times of one language. */
export interface I18n {
  locale: string
  t(key: MessageKey, vars?: Vars): string
  number(value: number): string
  /** A number in few characters, such as 41.3K. */
  compact(value: number): string
  /** A share of 1, such as 62%. */
  percent(share: number): string
  time(at: number): string
  dateTime(at: number): string
  /** "now", "5 min", "Tue", "3 Mar": short enough for a list. */
  ago(at: number, now: number): string
  duration(ms: number): string
  bytes(size: number): string
  /** Several things in one sentence, such as "a, b and c". */
  list(things: readonly string[]): string
  cost(amount: number, currency?: string): string
}

/** Whether a date can hold it. */
export const isMoment = (at: number): boolean => !Number.isNaN(new Date(at).getTime())

/**
 * Makes what views need of a language: the words of `locale`, and times, numbers and units as they are written in
 * `region`.
 */
export function createI18n(locale: string, messages: LocaleMessages, region = locale): I18n {
  const plural = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(region)
  const short = new Intl.NumberFormat(region, { notation: 'compact', maximumFractionDigits: 1 })
  const shares = new Intl.NumberFormat(region, { style: 'percent', maximumFractionDigits: 0 })
  const clock = new Intl.DateTimeFormat(region, { timeStyle: 'short' })
  const full = new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'short' })
  const weekday = new Intl.DateTimeFormat(region, { weekday: 'short' })
  const day = new Intl.DateTimeFormat(region, { day: 'numeric', month: 'short' })
  const unit = (name: string, digits = 0) =>
    new Intl.NumberFormat(region, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: digits,
    })
  // The shortest form of a unit has no space before it in most languages. With one, the number is easier to read.
  const spaced = (format: Intl.NumberFormat) => ({
    format: (value: number) =>
      format
        .formatToParts(value)
        .map(({ type, value: part }) =>
          type === 'unit' ? `\u00a0${part.trimStart()}` : type === 'literal' && part.trim() === '' ? '' : part,
        )
        .join(''),
  })
  const units = {
    ms: spaced(unit('millisecond')),
    s: spaced(unit('second')),
    s1: spaced(unit('second', 1)),
    m: spaced(unit('minute')),
    h: spaced(unit('hour')),
  }
  const lists = new Intl.ListFormat(region, { type: 'conjunction' })
  const sizes = [unit('byte'), unit('kilobyte', 1), unit('megabyte', 1), unit('gigabyte', 1)].map(spaced)

  // Names and titles that others chose come into sentences, attributes and notices here.
  const t = (key: MessageKey, vars: Vars = {}) => {
    const message: Message = own(messages, key) ?? own(en, key) ?? nameOf(key)
    const text =
      typeof message === 'string' ? message : (message[plural.select(Number(vars.count ?? 0))] ?? message.other)
    if (!text.includes('{')) return text
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = own(vars, name)
      return value === undefined ? whole : typeof value === 'number' ? numbers.format(value) : visibleText(value)
    })
  }
  // Times come from strangers, and a formatter throws at what no date can hold.
  const moment = (format: Intl.DateTimeFormat, at: number) => (isMoment(at) ? format.format(at) : t('fallback.unknown'))
  return {
    locale,
    t,
    number: value => numbers.format(value),
    compact: value => short.format(value),
    percent: share => shares.format(share),
    time: at => moment(clock, at),
    dateTime: at => moment(full, at),
    ago: (at, now) => {
      const minutes = Math.floor((now - at) / 60_000)
      if (minutes < 1) return t('time.now')
      if (minutes < 60) return units.m.format(minutes)
      if (minutes < 24 * 60) return units.h.format(Math.floor(minutes / 60))
      return moment(minutes < 7 * 24 * 60 ? weekday : day, at)
    },
    duration: ms => {
      if (ms < 100) return units.ms.format(Math.max(0, Math.round(ms)))
      if (ms < 10_000) return units.s1.format(ms / 1000)
      const seconds = Math.round(ms / 1000)
      if (seconds < 60) return units.s.format(seconds)
      const minutes = Math.floor(seconds / 60)
      if (minutes < 60) return `${units.m.format(minutes)} ${units.s.format(seconds % 60)}`
      return `${units.h.format(Math.floor(minutes / 60))} ${units.m.format(minutes % 60)}`
    },
    bytes: size => {
      let step = 0
      let value = size
      while (value >= 1000 && step < sizes.length - 1) {
        value /= 1000
        step++
      }
      return sizes[step]!.format(value)
    },
    list: things => lists.format(things),
    cost: (amount, currency = 'USD') =>
      new Intl.NumberFormat(region, {
        style: 'currency',
        currency,
        // Prices of models are in US dollars nearly always; of other dollars the name says which.
        currencyDisplay: currency === 'USD' ? 'narrowSymbol' : 'symbol',
        maximumFractionDigits: amount < 1 ? 4 : 2,
      }).format(amount),
  }
}

/** The language of the package that fits a list of wishes best, such as `navigator.languages`. */
export function matchLocale(wishes: readonly string[]): string {
  for (const wish of wishes) {
    const exact = Object.keys(locales).find(locale => locale.toLowerCase() === wish.toLowerCase())
    const language = wish.split('-')[0]!.toLowerCase()
    const near = exact ?? Object.keys(locales).find(locale => locale.split('-')[0]!.toLowerCase() === language)
    if (near) return near
  }
  return 'en'
}

/** How the person's region writes the language that was chosen: 20:42 for en-GB, 8:42 PM for en-US. */
export function regionOf(locale: string, wishes: readonly string[]): string {
  const spoken = (tag: string) => {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  }
  return wishes.find(wish => spoken(wish) === spoken(locale)) ?? locale
}

/** The words of a name that no language has, such as "disk full" for `why.disk_full`: better than nothing, and it shows. */
const nameOf = (key: string): string => key.slice(key.indexOf('.') + 1).replaceAll(/[._-]+/g, ' ')

const english = createI18n('en', en)
const Context = createContext<I18n>(english)

/** The words, numbers and times of the language that the component is drawn in. */
export const useI18n = (): I18n => useContext(Context)

interface ProviderProps {
  locale: string
  /** Whether this is the language of the page, or of a part of it. */
  page?: boolean
  children: ReactNode
}

const ENGLISH = { locale: 'en', messages: en }

/** Sets the language of the page, or of a part of it. Nothing of a page is drawn before its words are there. */
export function I18nProvider({ locale, page = true, children }: ProviderProps) {
  const [loaded, setLoaded] = useState<{ locale: string; messages: LocaleMessages } | null>(() =>
    page && locale !== 'en' && own(locales, locale) ? null : ENGLISH,
  )
  useEffect(() => {
    let current = true
    const messages = own(locales, locale)?.load() ?? Promise.resolve(en)
    messages
      .then(found => current && setLoaded({ locale, messages: found }))
      // A locale that cannot be fetched leaves the page in the one it has.
      .catch(() => current && setLoaded(before => before ?? ENGLISH))
    return () => {
      current = false
    }
  }, [locale])
  useEffect(() => {
    if (page && loaded) document.documentElement.lang = loaded.locale
  }, [loaded, page])
  const i18n = useMemo(
    () => loaded && createI18n(loaded.locale, loaded.messages, regionOf(loaded.locale, navigator.languages)),
    [loaded],
  )
  return i18n && <Context value={i18n}>{children}</Context>
}
