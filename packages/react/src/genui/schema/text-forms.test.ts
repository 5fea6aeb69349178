import { readSchema, schemaToMarkdown } from '@vitrine/genui/schema'
import { Marked } from 'marked'
import { describe, expect, it } from 'vitest'

const markdownOf = (...children: unknown[]) =>
  schemaToMarkdown(readSchema({ locale: 'en', root: { type: 'stack', children } }).schema!)
const parser = new Marked({ gfm: true })
const html = (written: string) => String(parser.parse(written))
const row = (...children: unknown[]) => ({ type: 'stack', direction: 'horizontal', children })
const text = (content: string, more: object = {}) => ({ type: 'text', content, ...more })
const press = { type: 'tool', toolId: 't' }

const bare = (words: string) => words.replace(/\s+/g, ' ').trim()

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const decoded = (escaped: string) =>
  escaped.replace(/&(?:#(\d+)|(lt|gt|amp|quot));/g, (_, code?: string, name?: string) =>
    code === undefined ? named[name!]! : String.fromCodePoint(Number(code)),
  )
const wordsOf = (markup: string) => bare(decoded(markup.replaceAll('<br>', ' ').replace(/<[^<>]*>/g, '')))

/** The words of every element of these kinds, as a person reads them. */
const find = (written: string, kinds: string): string[] =>
  [...html(written).matchAll(new RegExp(`<(${kinds})(?: [^<>]*)?>([^]*?)</\\1>`, 'g'))].map(([, , inner]) =>
    wordsOf(inner!),
  )

const addresses = (page: string): string[] =>
  [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href]) => decoded(href!))

const hrefs = (written: string): string[] => addresses(html(written))

/** Elements that a parser makes of Markdown, with nothing but the attributes that it gives them. */
const HARMLESS =
  /^<(?:\/?(?:p|h[1-6]|blockquote|ul|li|code|pre|em|strong|del|table|thead|tbody|tr|th|td|ol|a)|[hb]r|ol start="\d+"|t[hd] align="\w+"|code class="[^"<>]*"|input (?:checked="" )?disabled="" type="checkbox"|a href="[^"<>]*"(?: title="[^"<>]*")?|img src="[^"<>]*" alt="[^"<>]*"(?: title="[^"<>]*")?)>/

/** The first thing in the page that is not only text, or a link that may not be opened. */
function alive(written: string): string | undefined {
  const page = html(written)
  for (const { index } of page.matchAll(/</g)) if (!HARMLESS.test(page.slice(index))) return page.slice(index)
  return addresses(page).find(href => !/^(https?:\/\/|mailto:|tel:|\/(?!\/)|#|$)/i.test(href))
}

describe('markdown of documents, as a parser reads it', () => {
  const swallowing = [
    'https://a.b<img src=x onerror=alert(1)//>',
    'www.a.b<img src=x onerror=alert(1)//>',
    'https://a.b\\<img src=x onerror=alert(1)//>',
    'https://a.b`<img src=x onerror=alert(1)//>`',
    'http://e.x<javascript:1>',
    '[see https://a.b](javascript:alert(1))',
    '](https://a.b)`<img src=x onerror=alert(1)//>`',
  ]
  it.each(swallowing)('US-240 C01 a bare address takes no mark into itself that keeps its text inert: %j', source => {
    const nodes = [
      text(source),
      ...['title', 'subtitle', 'caption'].map(role => text(source, { role })),
      ...['title', 'body', 'caption'].map(role => text(source, { role, format: 'markdown' })),
      { type: 'kv', items: [{ key: source, value: source }] },
      { type: 'button', label: source, action: press },
      { type: 'button', label: source, action: { type: 'url', url: 'https://ok.example/' } },
      { type: 'table', columns: [source], rows: [[source]] },
    ]
    for (const node of nodes) expect(alive(markdownOf(node)), JSON.stringify(node)).toBeUndefined()
  })

  it('US-240 an address in a plain text is read as it was written, and one in markdown stays a link', () => {
    const address = 'https://a.b/snake_case_x?a=1&b=2'
    for (const words of [address, 'www.a.b/snake_case_x', 'mail snake_case_x@a.example now']) {
      expect(find(markdownOf(text(words)), 'p')).toEqual([words])
      expect(hrefs(markdownOf(text(words)))).toEqual([])
    }
    const linked = markdownOf(text(`see ${address}, or [${address}](${address})`, { format: 'markdown' }))
    expect(hrefs(linked)).toEqual([address, address])
    expect(find(linked, 'p')).toEqual([`see ${address}, or ${address}`])
    expect(hrefs(markdownOf(text('http://a@b.example', { format: 'markdown' })))).toEqual(['mailto:a@b.example'])
  })

  it('US-241 nothing of one part of a document is read as a part of another', () => {
    const badge = { type: 'badge', label: 'B', status: 'info' }
    const button = { type: 'button', label: 'Go', action: press }
    const table = { type: 'table', columns: ['c'], rows: [['v']] }
    const seen = (node: unknown, kinds: string) => find(markdownOf(node), kinds)
    expect(seen(row(text('A\n\n> s\n', { format: 'markdown' }), badge, button), 'blockquote')).toEqual(['s'])
    expect(seen(row(text('s', { role: 'caption' }), badge, text('x')), 'blockquote')).toEqual(['s'])
    expect(seen(row(text('T', { role: 'title' }), text('x')), 'h2')).toEqual(['T'])
    expect(seen(row(table, text('x')), 'td')).toEqual(['v'])
    expect(seen(row(text('x'), table), 'td')).toEqual(['v'])
    expect(seen(row(text('a\nb'), { type: 'divider' }), 'h1|h2')).toEqual([])
    expect(html(markdownOf(row(text('a'), { type: 'divider' })))).toContain('<hr>')
    expect(seen(row(text('a'), { type: 'kv', items: [{ key: 'k', value: 1 }] }), 'li')).toEqual(['k: 1'])
    expect(seen(text('a\n\n \t*x*'), 'pre')).toEqual([])
    expect(seen(text('a\n:-'), 'table')).toEqual([])
    const kv = { type: 'kv', items: [{ key: 'k', value: 1 }] }
    for (const format of ['plain', 'markdown'])
      expect(seen({ type: 'stack', children: [kv, text('  x', { format })] }, 'li')).toEqual(['k: 1'])
    expect(seen(row(badge, button), 'p')).toEqual(['B [Go]'])
  })

  const list = (content: string) => text(content, { format: 'markdown' })
  const kv = (key: string) => ({ type: 'kv', items: [{ key, value: 1 }] })
  const field = (name: string) => ({ type: 'field', name, label: name })
  const neighbours: [string, unknown[], number][] = [
    ['lists of values', [kv('a'), kv('b'), kv('c')], 3],
    ['values and the list of a text', [kv('a'), list('- one\n- two'), kv('b')], 3],
    ['lists of two texts', [list('- one\n\n  more\nof it'), list('- two')], 2],
    ['numbered lists of two texts', [list('1. one'), list('1. two')], 2],
    [
      'lists in other layouts',
      [
        { type: 'stack', children: [kv('a')] },
        { type: 'grid', columns: 1, children: [kv('b')] },
      ],
      2,
    ],
    ['lists of a row', [row(kv('a'), kv('b'))], 2],
    ['values and fields', [kv('a'), field('b'), field('c')], 2],
    ['fields of a form', [field('a'), field('b')], 1],
  ]
  it.each(neighbours)('US-259 %s that follow each other are as many lists for a reader', (_, children, count) => {
    const written = markdownOf(...children)
    expect(find(written, 'ul|ol')).toHaveLength(count)
    // What ends a list is not seen, and it is no HTML.
    expect(wordsOf(html(written))).not.toContain('//')
    expect(alive(written)).toBeUndefined()
  })

  it('US-259 a list that follows no other has nothing before it', () => {
    expect(markdownOf(kv('a'), text('x'), kv('b'))).not.toContain('//')
  })

  const pieces = [
    'https://a.b',
    'http://e.x/a_b*c',
    'www.a.b',
    'HTTPS://A.B',
    'ftp://f.g',
    'WWW.x.y',
    'javascript:1',
    'mailto:a@b.c',
    'me_x@a.example',
    '<',
    '>',
    '<img src=x onerror=alert(1)//>',
    '<javascript:1>',
    '<https://ok.example>',
    '<script>',
    '</b>',
    '<!--',
    '-->',
    '\\',
    '\\\\',
    '`',
    '``',
    '```',
    '~~~',
    '[',
    ']',
    '](',
    ')',
    '(',
    '![',
    ']:',
    '[a](javascript:1)',
    '[r]: javascript:1',
    '*',
    '**',
    '_',
    '__',
    '~~',
    '|',
    '&',
    '&lt;',
    '&#60;',
    '$',
    '#',
    '- ',
    '1. ',
    '=',
    '---',
    ':-',
    '> ',
    ' ',
    ' ',
    '    ',
    '\t',
    '\n',
    '\n\n',
    'word',
    'x',
    '.',
    ',',
    '"',
    "'",
    '@',
    ':',
    '//',
    '!',
    '?',
    ';',
    'é',
    '字',
  ]
  /** Room at the edges of a label is nothing that a person sees. */
  const edges = (words: string) => bare(words).replaceAll('[ ', '[').replaceAll(' ]', ']').replaceAll(' :', ':')

  /** The same texts in each run. */
  const randomTexts = (count: number): string[] => {
    let state = 20_261
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    return Array.from({ length: count }, () =>
      Array.from({ length: 1 + next(9) }, () => pieces[next(pieces.length)]!).join(''),
    )
  }

  it('US-242 C01 of thousands of hostile texts none comes alive in any place, and plain texts are read as they were', () => {
    const wrong: object[] = []
    for (const source of randomTexts(3000)) {
      if (source.trim() === '') continue
      const words = bare(source)
      const plain: [unknown, string, string][] = [
        [text(source), 'p', words],
        [text(source, { role: 'title' }), 'h2', words],
        [text(source, { role: 'caption' }), 'blockquote', words],
        [{ type: 'kv', items: [{ key: source, value: source }] }, 'li', `${words}: ${words}`],
        [{ type: 'table', columns: ['c'], rows: [[source]] }, 'td', words],
        [{ type: 'button', label: source, action: { type: 'url', url: 'https://ok.example/' } }, 'a', words],
        [
          row({ type: 'badge', label: 'b', status: 'info' }, { type: 'button', label: source, action: press }),
          'p',
          `b [${words}]`,
        ],
      ]
      for (const [node, selector, seen] of plain) {
        const written = markdownOf(node)
        const read = edges(find(written, selector).join(' '))
        if (alive(written) !== undefined || read !== edges(seen)) wrong.push({ source, written, read })
      }
      for (const role of ['title', 'body', 'caption']) {
        const written = markdownOf(text(source, { role, format: 'markdown' }))
        if (alive(written) !== undefined) wrong.push({ source, written, alive: alive(written) })
      }
    }
    expect(wrong.slice(0, 12)).toEqual([])
  })
})
