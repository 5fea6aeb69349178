import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { visible } from './visible.tsx'

const html = (text: string) => renderToStaticMarkup(<>{visible(text)}</>)

describe('text of tools', () => {
  it('C08 terminal escapes and bidi controls are shown as marks', () => {
    expect(html('\u001b[31mred')).toBe('<span class="v-mark">ESC</span>[31mred')
    expect(html('user\u202Egnp.exe')).toBe('user<span class="v-mark">U+202E</span>gnp.exe')
    for (const code of [0x00, 0x07, 0x08, 0x7f, 0x9b, 0x200b, 0x200f, 0x2066, 0x2069, 0xfeff]) {
      expect(html(`a${String.fromCodePoint(code)}b`)).toContain('v-mark')
    }
  })

  it('C08 ordinary text, tabs, line breaks and other scripts stay as they are', () => {
    const text = 'a\tb\nc\r\n中文 العربية 👩‍🚀'
    expect(visible(text)).toBe(text)
  })
})
