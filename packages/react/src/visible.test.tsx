import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { visible, visibleText } from './visible.tsx'

const html = (text: string) => renderToStaticMarkup(<>{visible(text)}</>)

describe('text of tools', () => {
  it('C08 terminal escapes and bidi controls are shown as marks', () => {
    expect(html('\u001b[31mred')).toBe('<span class="v-mark">ESC</span>[31mred')
    expect(html('user\u202Egnp.exe')).toBe('user<span class="v-mark">U+202E</span>gnp.exe')
    const codes = [
      0x00, 0x07, 0x08, 0x0d, 0x7f, 0x9b, 0xad, 0x61c, 0x115f, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x202a,
    ]
    for (const code of [...codes, 0x2060, 0x2066, 0x2069, 0x206a, 0x206f, 0x3164, 0xfeff, 0xfffa, 0xe0001, 0xe0061]) {
      const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
      const text = `a${String.fromCodePoint(code)}b`
      expect([html(text), visibleText(text)]).toEqual([`a<span class="v-mark">${name}</span>b`, `a[${name}]b`])
    }
  })

  it('C08 ordinary text, tabs, line breaks and other scripts stay as they are', () => {
    // Joiners of Persian and of emoji, variants, and the tags in the flag of a region belong to what is written.
    const text =
      'a\tb\nc\r\n中文 العربية می‌خواهم עברית 👩‍🚀 ❤️ \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'
    expect([visible(text), visibleText(text)]).toEqual([text, text])
  })
})
