import { describe, expect, it } from 'vitest'
import { BoundedLexer } from './bounded-lexer.ts'
import { draw, html, source } from './markdown.fixture.tsx'
import { MarkdownStream } from './markdown-stream.ts'

const times = (piece: string) => (length: number) => piece.repeat(length / piece.length)
const lines = (line: (at: number) => string) => (length: number) => {
  let text = ''
  for (let at = 0; text.length < length; at++) text += line(at)
  return text
}
const table = (columns: number, rows: number, row: string) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${`${row}|\n`.repeat(rows)}`

/** Text of about a length on which a lexer without limits takes more than its share of time, or runs out of stack. */
const hostile: Record<string, (length: number) => string> = {
  underscores: length => `${'_'.repeat(length)}a`,
  stars: length => `${'*'.repeat(length)}a`,
  tildes: length => `a${'~'.repeat(length)}a`,
  'runs of backticks': lines(at => `${'`'.repeat(at % 60)}a`),
  exclamations: times('!'),
  'open emphasis': times('*a **a '),
  'emphasis within words': times('*a'),
  'emphasis and points': times('*.'),
  'two delimiters by turns': length => `${times('*_')(length)}a`,
  'nested emphasis': length => `${times('*_')(length / 2)}a${times('_*')(length / 2)}`,
  'nested bold': length => times('**a ')(length / 2) + times(' b**')(length / 2),
  'nested strikes': length => times('~~a ')(length / 2) + times('a~~ ')(length / 2),
  'open brackets': times('['),
  'open brackets with words': times('[a'),
  'open links': times('[a](b'),
  'open links with an end': length => `${times('[a](b ')(length)})`,
  'nested links': length => `${'['.repeat(length / 5)}a${'](b)'.repeat(length / 5)}`,
  'open pictures': times('![]('),
  'open tags': times('<a '),
  'open comments': times('a<!--'),
  'open processing': times('a<?'),
  ampersands: times('&a'),
  'an address with brackets': length => `http://a${')'.repeat(length)}`,
  'an address with marks': length => `http://a${times('?!')(length)}`,
  'an address with references': length => `http://a${times('&a;')(length)}`,
  'mail addresses': times('a@a-'),
  'words before a mail address': length => `${times('*a')(length)}@`,
  'a long heading': length => `# ${times('a #')(length)}`,
  pipes: times('| '),
  'a wide table': length => table(length / 8, 4, '|a'.repeat(length / 8)),
  'a table with short rows': length => table(length / 8, length / 4, ''),
  'many small tables with short rows': length => `${table(60, 60, '')}\n`.repeat(length / 500),
  definitions: lines(at => `[${at}]: b\n\n[${at}]\n\n`),
  'open definitions': times('[a]: b "\n'),
  'quotes in quotes': length => `${times('> ')(length)}x`,
  'quotes without their mark': times('> a\nb\n'),
  'lists in quotes without their mark': times('> - a\nb\n'),
  'quotes of all depths': lines(at => `${'>'.repeat((at % 40) + 1)}a\n`),
  'lists on one line': length => `${times('- ')(length)}a`,
  'numbered lists on one line': length => `${times('1. ')(length)}a`,
  'lists in lists': length =>
    Array.from({ length: Math.sqrt(length) }, (_, at) => `${' '.repeat(2 * at)}- a\n`).join(''),
  'long lists in lists': length =>
    Array.from({ length: Math.sqrt(length) }, (_, at) => `${' '.repeat(2 * at)}- item ${at}\n`).join(''),
  'lists of all depths': lines(at => `${' '.repeat(2 * (at % 40))}- a\n`),
  'an item of many lines': length => `- a\n${times('b\n')(length)}`,
  'an item of many indented lines': length => `- a\n${times('  b\n')(length)}`,
  'tasks by the thousand': times('- [ ] a\n'),
  'paragraphs by the thousand': times('a\n\n'),
  'open formulas': times('$a '),
  'formulas by the thousand': times('$a$ '),
  dollars: times('$'),
  'open blocks of formulas': times('\\[a\n'),
  'blocks of formulas by the thousand': times('$$a\n'),
  'formulas in brackets': times('\\(a'),
  'open details': times('<details>\n'),
  'details in details': length => times('<details>\n')(length / 2) + times('</details>\n')(length / 2),
  footnotes: lines(at => `[^${at}]: b\n\n[^${at}]\n\n`),
  'footnotes that nothing explains': times('[^a]'),
  'callouts by the thousand': times('> [!NOTE]\n> a\n\n'),
}

const prose = times('Some **bold** words, and `code`, with a [link](https://example.org). And so on, and on.\n\n')

/** The time that the processor needed, which does not count how long others kept it. */
function spent(text: string): number {
  const before = process.cpuUsage()
  new BoundedLexer().lex(text)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

describe('Markdown beyond the limits', () => {
  it.each(Object.entries(hostile))('P-285 %s takes time that grows with its length', (_name, build) => {
    const [short, long, ordinary] = [build(2_000), build(32_000), prose(2_000)]
    let [brief, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // The length is 16 times as much, its square 256 times. The best of several tries counts: the machine is shared.
    for (let tries = 0; tries < 6 && (tries < 2 || whole > 64 * brief); tries++) {
      brief = Math.min(brief, Math.max(spent(short), spent(ordinary)))
      whole = Math.min(whole, spent(long))
    }
    expect(whole / brief).toBeLessThan(64)
  })

  it.each(Object.entries(hostile))('P-285 L9 %s looks the same however it arrived', (_name, build) => {
    const text = build(1_500)
    const stream = new MarkdownStream()
    for (let end = 0; end < text.length; end += 97) stream.update(source(text.slice(0, end)))
    expect(draw(stream.update(source(text), true))).toBe(html(text))
  })

  const signs = (text: string, sign: string) => text.split(sign).length - 1

  it('P-285 nothing is left out, and nothing of it is HTML', () => {
    expect(signs(html(`${'_'.repeat(30_000)}a`), '_')).toBe(30_000)
    const quotes = html(`${'> '.repeat(20_000)}<x>`)
    expect(signs(quotes, '<blockquote>') + signs(quotes, '&gt;')).toBe(20_001)
    expect(quotes).toContain('&lt;x&gt;</pre>')
    const lists = html(Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- level ${at}.`).join('\n'))
    for (let at = 0; at < 300; at++) expect(lists).toContain(`level ${at}.`)
    expect(signs(html(table(5_000, 20, '|cell'.repeat(5_000))), 'cell')).toBe(100_000)
    expect(signs(html('> quoted\nlazy\n'.repeat(200)), 'lazy')).toBe(200)
    expect(signs(html('- [ ] task\n'.repeat(500)), 'task<')).toBe(500)
  })

  it('P-285 what follows is drawn as before', () => {
    const after = '\n\n# Heading\n\nSome **bold** words.\n\n- [x] done\n'
    for (const build of [
      hostile.underscores!,
      hostile['a table with short rows']!,
      hostile['tasks by the thousand']!,
    ]) {
      const drawn = html(build(8_000) + after)
      expect(drawn).toMatch(/<h3 class="v-h1">Heading<\/h3><p>Some <strong>bold<\/strong> words.<\/p><ul>.*done/)
    }
  })

  it('P-285 what people write is within the limits', () => {
    const nested = Array.from({ length: 12 }, (_, at) => `${'  '.repeat(at)}- **level**`).join('\n')
    const long = 'A long paragraph with **bold** words, `code` and a [link](https://example.org) in it. '.repeat(60)
    const wide = `${table(40, 200, '| **cell** '.repeat(40))}`
    const tasks = '- [x] task\n'.repeat(150)
    const quote = '> quoted **words**\nthat go on\n'.repeat(10)
    for (const text of [nested, long, wide, tasks, quote]) expect(html(text)).not.toMatch(/v-beyond|v-prewrap/)
  })

  it('P-285 L9 definitions that arrive by the thousand do not parse everything each time, and all of them count', () => {
    const stream = new MarkdownStream()
    let text = `${lines(at => `[${at}] `)(8_000)}\n\n`
    for (let at = 0; at < 1_000; at++) {
      text += `[${at}]: https://example.org/${at}\n\n`
      stream.update(source(text))
    }
    expect(stream.parsed).toBeLessThan(100 * text.length)
    expect(draw(stream.update(source(text), true))).toBe(html(text))
  })

  it('P-286 a link may be called like what the language has under that name', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'valueof']) {
      expect(html(`[${name}] and [x][${name}]`)).not.toContain('v-link-refused')
      const stream = new MarkdownStream()
      stream.update(source(`See [${name}].\n\n`))
      const drawn = stream.update(source(`See [${name}].\n\n[${name}]: https://example.org\n`), true)
      expect(draw(drawn)).toContain('href="https://example.org/"')
    }
  })
})
