import { imageUrlProblem, judgeUrl, type UrlUse, urlProblem } from '@vitrine/genui'
import fc from 'fast-check'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { MarkdownText, topBlocks } from './markdown.tsx'
import { MarkdownStream, type Source } from './markdown-stream.ts'

const USES: readonly UrlUse[] = ['link', 'text_link', 'text_image', 'action', 'image', 'video', 'audio']

const source = (text: string): Source => ({ length: text.length, from: start => text.slice(start) })
const html = (text: string) => renderToStaticMarkup(<MarkdownText text={text} />)
const streamed = (pieces: readonly string[]) => {
  const stream = new MarkdownStream<ReactElement>(topBlocks())
  let text = ''
  for (const piece of pieces) {
    text += piece
    stream.update(source(text))
  }
  return renderToStaticMarkup(<div className="v-markdown">{stream.update(source(text), true)}</div>)
}

const sample = `# Title

A paragraph with **bold**, *em*, \`code\` and a [link](https://example.org).

- one
- two

  continued
- three

1. first
2. second

> quoted
lazily

| a | b |
| - | :-: |
| 1 | 2 |

\`\`\`ts
const x = 1

- not a list
\`\`\`

Setext
---

- [x] done
- [ ] open

See [ref][r] and ![picture](https://example.org/p.png).

[r]: https://example.org/ref
`

describe('streaming markdown', () => {
  it('P-201 blocks before the last one keep their element while text arrives', () => {
    const stream = new MarkdownStream<ReactElement>(topBlocks())
    let text = '# Title\n\nfirst paragraph\n\n'
    const before = stream.update(source(text))
    const kept: ReactElement[] = []
    for (const piece of ['- a', '\n- b', '\n\n', 'last ', 'words', ' go on']) {
      text += piece
      const now = stream.update(source(text))
      kept.push(now[0]!)
      expect(now[0]).toBe(before[0])
    }
    const now = stream.update(source(`${text} and on`))
    expect(now.slice(0, 3)).toEqual(stream.update(source(`${text} and on`)).slice(0, 3))
    expect(now).toHaveLength(4)
    expect(new Set(kept).size).toBe(1)
  })

  it('P-201 an update parses from the start of the last block only', () => {
    const stream = new MarkdownStream<ReactElement>(topBlocks())
    let text = 'paragraph of some length\n\n'.repeat(1000)
    stream.update(source(text))
    const before = stream.parsed
    for (let i = 0; i < 100; i++) {
      text += 'x'
      stream.update(source(text))
    }
    expect((stream.parsed - before) / 100).toBeLessThan(200)
  })

  it('P-202 the same text looks the same however it was cut up', () => {
    const whole = html(sample)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }), sizes => {
        const pieces: string[] = []
        let at = 0
        for (const size of sizes) {
          pieces.push(sample.slice(at, at + size))
          at += size
        }
        expect(streamed([...pieces, sample.slice(at)])).toBe(whole)
      }),
    )
  })

  it('P-202 Windows line ends change nothing', () => {
    const windows = sample.replaceAll('\n', '\r\n')
    expect(streamed(windows.match(/[\s\S]{1,7}/g)!)).toBe(html(sample))
  })

  it('L5 AU-81 a final text that replaced the streamed one is shown, not appended', () => {
    const stream = new MarkdownStream<ReactElement>(topBlocks())
    stream.update(source('one\n\ntwo\n\nthree'))
    const text = renderToStaticMarkup(<>{stream.update(source('One.\n\nTwo.\n\nThree.'), true)}</>)
    expect(text).toBe('<p>One.</p><p>Two.</p><p>Three.</p>')
  })

  it('P-203 headings begin below the conversation and skip no level', () => {
    expect(html('## a\n\n#### b\n\n# c')).toMatch(/<h3.*<h4.*<h3/)
  })
})

describe('hostile markdown', () => {
  it('C01 HTML is text', () => {
    const out = html('<img src=x onerror=alert(1)>\n\n<script>alert(1)</script> a <b onclick="x">b</b>')
    expect(out).not.toMatch(/<(img|script|b )/)
    expect(out).toContain('&lt;script&gt;')
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.org/x',
    'ftp://example.org',
    '//example.org',
    '/relative',
    'https://',
    'https:example.org',
    'https://bank.example@evil.example',
    'https://example.org\\@evil.example',
    'https://a\u202eb.example/',
  ])('C01 C02 %j is no address in a text, on a surface or in a document', href => {
    for (const use of USES) expect(judgeUrl(href, use), use).toMatchObject({ ok: false })
    expect(urlProblem(href)).toBeDefined()
    expect(imageUrlProblem(href)).toBeDefined()
    const written = href.replace('\n', '').replaceAll('\\', '\\\\')
    expect(html(`[text](<${written}>)`)).not.toContain('<a ')
    expect(html(`![text](<${written}>)`)).toBe(html('![text](</relative>)'))
  })

  it('C01 C02 a page in a data: address is no link in a text', () => {
    expect(html('[text](<data:text/html,x>)')).not.toContain('<a ')
    expect(judgeUrl('data:text/html,x', 'text_link')).toMatchObject({ ok: false, code: 'url_scheme' })
  })

  it('C01 C02 https is an address in a text, on a surface and in a document', () => {
    const href = 'https://example.org/x'
    for (const use of USES) expect(judgeUrl(href, use), use).toMatchObject({ ok: true, url: href })
    expect(urlProblem(href)).toBeUndefined()
    expect(imageUrlProblem(href)).toBeUndefined()
    expect(html(`[text](${href})`)).toContain('<a ')
    expect(html(`![text](${href})`)).toContain('<button ')
  })

  it('C01 links that may be followed open apart and tell nobody where from', () => {
    expect(html('[a](https://example.org/x?y=1)')).toContain(
      '<a href="https://example.org/x?y=1" target="_blank" rel="noopener noreferrer">a</a>',
    )
    expect(html('[a](mailto:a@example.org)')).toContain('<a href="mailto:a@example.org"')
  })

  it('C01 a remote picture is fetched only when asked for, an SVG in the text never drawn', () => {
    expect(html('![secret](https://evil.example/?q=secret)')).not.toContain('<img')
    expect(html('![x](data:image/svg+xml;base64,PHN2Zz4=)')).not.toContain('<img')
    expect(html('![dot](data:image/png;base64,iVBORw0KGgo=)')).toContain('<img')
  })
})
