import { own } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import type { UiStatus } from './nodes.ts'

/** The words of the interface itself. A host adds a locale by passing a larger table. */
export interface UiWords {
  readonly status: Readonly<Record<UiStatus, string>>
  readonly yes: string
  readonly no: string
  readonly submit: string
  readonly confirm: string
  /** {count} is replaced. */
  readonly more: string
  readonly notShown: string
  readonly tooLarge: string
  readonly required: string
  readonly invalid: string
  /** {limit} is replaced. */
  readonly tooShort: string
  readonly tooLong: string
  readonly tooLow: string
  readonly tooHigh: string
  /** {step} and {from} are replaced. */
  readonly offStep: string
  readonly wholeNumber: string
  readonly email: string
  readonly url: string
  /** Why a button is disabled, by the code of its problem. */
  readonly reason: Readonly<Record<string, string>>
}

/** The words by language tag. */
export type UiLocales = Readonly<Record<string, UiWords>>

const en: UiWords = {
  status: { info: 'Info', success: 'Success', warning: 'Warning', error: 'Error', pending: 'Pending' },
  yes: 'Yes',
  no: 'No',
  submit: 'Submit',
  confirm: 'Are you sure?',
  more: '{count} more',
  notShown: 'Could not be shown',
  tooLarge: 'Not all of this is shown: it is too large',
  required: 'Required',
  invalid: 'This value is not valid',
  tooShort: 'At least {limit} characters',
  tooLong: 'At most {limit} characters',
  tooLow: 'At least {limit}',
  tooHigh: 'At most {limit}',
  offStep: 'In steps of {step}, counted from {from}',
  wholeNumber: 'Enter a whole number',
  email: 'Enter an e-mail address',
  url: 'Enter a web address',
  reason: {
    action_missing: 'This button has no usable action',
    params_scalar: 'The link has a parameter that is not a plain value',
    path_param: 'The link is incomplete: a part of the path is a placeholder',
    path: 'The link does not lead to a page of this application',
    unreadable: 'A part of this button could not be read',
    url: 'This address may not be opened',
  },
}

const zhCN: UiWords = {
  status: { info: '信息', success: '成功', warning: '警告', error: '错误', pending: '进行中' },
  yes: '是',
  no: '否',
  submit: '提交',
  confirm: '确定要继续吗？',
  more: '还有 {count} 项',
  notShown: '无法显示',
  tooLarge: '内容过大，未能全部显示',
  required: '此项为必填项',
  invalid: '此值无效',
  tooShort: '至少 {limit} 个字符',
  tooLong: '最多 {limit} 个字符',
  tooLow: '不能小于 {limit}',
  tooHigh: '不能大于 {limit}',
  offStep: '请从 {from} 起以 {step} 为步长取值',
  wholeNumber: '请输入整数',
  email: '请输入有效的邮箱地址',
  url: '请输入有效的网址',
  reason: {
    action_missing: '此按钮没有可用的操作',
    params_scalar: '链接参数包含非简单值',
    path_param: '链接不完整：路径中含有占位符',
    path: '链接不指向本应用的页面',
    unreadable: '此按钮的部分内容无法读取',
    url: '不允许打开此地址',
  },
}

/** The words in the languages that come with the package. */
export const builtinUiLocales: UiLocales = { en, 'zh-CN': zhCN }

/** The nearest table: the exact tag, then one of the same language, then English. */
export function uiWordsFor(locale: string, locales: UiLocales = builtinUiLocales): UiWords {
  const tag = locale.toLowerCase()
  const language = tag.split('-')[0]
  const keys = Object.keys(locales)
  const key =
    keys.find(key => key.toLowerCase() === tag) ?? keys.find(key => key.toLowerCase().split('-')[0] === language)
  return (key !== undefined ? locales[key] : undefined) ?? locales.en ?? en
}

/**
 * A label for people. `ui.status.*` and the legacy INFO, SUCCESS, … in any case become words of the locale, and
 * `ui.reason.*` a sentence; every other label stays as it is.
 */
export function localizeLabel(label: string, locale: string, locales?: UiLocales): string {
  const token = /^ui\.(status|reason)\.([a-z_-]+)$/.exec(label)
  const words = uiWordsFor(locale, locales)
  if (token?.[1] === 'reason') {
    const { reason } = words
    // Documents of earlier versions are stored with hyphens in their codes.
    const code = token[2]!.replaceAll('-', '_')
    return own(reason, code) ?? own(reason, code.split('_')[0]!) ?? label
  }
  return own(words.status, token?.[2] ?? label.toLowerCase()) ?? label
}

/** A free value as people read it. Numbers stay as they are: a year or an id has no thousands. */
export function plainValue(value: unknown, words: UiWords): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value !== 'object') return String(value)
  const scalars = Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null)
  return scalars ? value.map(item => plainValue(item, words)).join(', ') : JSON.stringify(value)
}

/** The label of a status, for a renderer to put into words. */
export const statusToken = (status: UiStatus): string => `ui.status.${status}`

/** The reason why something is disabled, for a renderer to put into words. */
export const reasonToken = (code: UiCode): string => `ui.reason.${code}`

/** A sentence with its `{places}` filled in. */
export const fillWords = (message: string, values: Readonly<Record<string, string | number>>): string =>
  message.replace(/\{(\w+)\}/g, (whole, key: string) => (Object.hasOwn(values, key) ? String(values[key]) : whole))
