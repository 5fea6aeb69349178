import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draw, html, source } from './markdown.fixture.tsx'
import { MarkdownStream } from './markdown-stream.ts'
import { finishInline } from './unfinished.ts'

const documents: Record<string, string> = {
  emphasis:
    'Some **bold words**, *more*, ***both*** and ~~gone~~, with `code and *stars*` in it.\n\n## A **heading**\n\nNext **one**.\n',
  links:
    'See [the docs](https://example.org/a_b "Title"), ![a picture](https://example.org/p.png), <https://example.org/x> and a[0] of [all].\n\nhttps://example.org/y is one, too.\n',
  table:
    'Numbers:\n\n| Name | **Now** |\n| --- | ---: |\n| Median | 141 ms |\n| `p95` | **2** |\n\nAnd\n\na | b\n--|--\n1 | 2\n\nAfter.\n',
  code: 'Run\n\n```ts src/a.ts\nconst a = `x`\n\nlet b = a ** 2\n```\n\nand\n\n~~~\nx\n~~~\n\nthen go on.\n',
  maths:
    'It is $x_1 + y^2$ and \\(a*b*c\\), not $5 or $10, and not $HOME either.\n\n$$\n\\frac{1}{2}\n$$\n\n\\[ a = b \\]\n\n- an item with $\\alpha$\n\nEnd.\n',
  callout: '> [!NOTE]\n> Take **care** of it.\n\n> Only a *quote*.\n\nAfter.\n',
  details:
    '<details>\n<summary>More **about** it</summary>\n\nInside `code`.\n\n- one\n\n```html\n</details>\n```\n\n</details>\n\nAfter.\n',
  footnotes:
    'One[^a] and two[^long-label].\n\n[^a]: The **first**.\n[^long-label]: The second\n    goes on.\n\nAfter.\n',
  lists: 'Do:\n\n- [x] done **now**\n- [ ] open\n  1. inner\n  2. more\n- last\n\n1. first\n2. second\n\n---\n\nEnd\n',
  chinese: '设$x_1$为**粗体**文字，见[文档](https://example.org)与un**believ**able。\n\n价格~5元。\n',
  setext: 'Title\n=====\n\nOther\n---\n\nText\n- item\n',
}

/** What a person reads: without elements, and without formulas, which have no thread here that could draw them. */
const read = (drawn: string): string =>
  drawn
    .replace(/<code class="v-maths-source"[^>]*>.*?<\/code>/gs, '')
    .replace(/<pre[^>]*>.*?<\/pre>|<code>.*?<\/code>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')

/** Signs that none of these documents has as words. */
const RAW =
  /\*\*|\*\w|~~|\]\(|\$\$|\$[\\x]|``|<\/?(?:details|summary|http)|\[\^|\[!|\|\s*:?-|\\[[(frac]|\[the|!\[|^\s*[-=]+$/m

const withEveryPrefix = (text: string, look: (drawn: string, stream: MarkdownStream, end: number) => void) => {
  const stream = new MarkdownStream()
  for (let end = 1; end <= text.length; end++) look(draw(stream.update(source(text.slice(0, end)))), stream, end)
  return draw(stream.update(source(text), true))
}

describe('text that is still arriving', () => {
  it.each(Object.entries(documents))(
    'P-8908 %s: no sign of markup is ever seen, and the end is the whole',
    (_name, text) => {
      const end = withEveryPrefix(text, (drawn, _stream, length) => {
        expect(read(drawn), JSON.stringify(text.slice(0, length))).not.toMatch(RAW)
      })
      expect(end).toBe(html(text))
    },
  )

  it.each(Object.entries(documents))('P-8908 %s: a block that is finished stays as it is', (_name, text) => {
    const whole = new MarkdownStream().update(source(text), true)
    const stream = new MarkdownStream()
    for (let end = 1; end <= text.length; end++) {
      const blocks = stream.update(source(text.slice(0, end))).filter(({ key }) => key !== 'notes')
      for (const block of blocks.slice(0, -1)) {
        const final = whole.find(({ key }) => key === block.key)!
        expect(draw([block]), JSON.stringify(text.slice(0, end))).toBe(draw([final]))
      }
    }
  })

  it('P-8908 nothing throws and the end is the whole, however documents are cut up and put together', () => {
    const pieces = fc.array(
      fc.oneof(
        fc
          .constantFrom(...Object.values(documents))
          .chain(text =>
            fc.tuple(fc.nat(text.length), fc.nat(60)).map(([start, length]) => text.slice(start, start + length)),
          ),
        fc.constantFrom(
          '**',
          '`',
          '$',
          '$$',
          '[',
          '](',
          '| a |',
          '\n',
          '\n\n',
          '<details>',
          '[^a]',
          '~',
          '\\(',
          '> ',
          '- ',
        ),
      ),
      { minLength: 1, maxLength: 14 },
    )
    fc.assert(
      fc.property(pieces, all => {
        const stream = new MarkdownStream()
        let text = ''
        for (const piece of all) {
          text += piece
          draw(stream.update(source(text)))
        }
        expect(draw(stream.update(source(text), true))).toBe(html(text))
      }),
      { numRuns: 400 },
    )
  })

  it('P-8908 a formula below a paragraph joins it when its line goes on', () => {
    const stream = new MarkdownStream()
    for (const text of ['a\n$$S$$', 'a\n$$S$$ b']) draw(stream.update(source(text)))
    expect(draw(stream.update(source('a\n$$S$$ b'), true))).toBe(html('a\n$$S$$ b'))
  })

  it.each([
    ['a **b', 'a **b**'],
    ['a **b*', 'a **b**'],
    ['a **', 'a'],
    ['a ***b', 'a ***b***'],
    ['a `b', 'a `b`'],
    ['a `', 'a'],
    ['5 * 3', '5 * 3'],
    ['snake_case', 'snake_case'],
    ['a [link](https://exa', 'a [link](arriving:)'],
    ['a [link', 'a'],
    ['**a [link', '**a**'],
    ['a ![pic](ht', 'a'],
    ['costs $5 and', 'costs $5 and'],
    ['so $x', 'so'],
    ['**`x', '**`x`**'],
  ])('P-8908 %j is drawn as %j', (text, finished) => {
    expect(finishInline(text)).toBe(finished)
  })

  it('P-8908 when the text ends, everything is drawn as it stands', () => {
    expect(html('a **b and [c](d')).toBe('<p>a **b and [c](d</p>')
    expect(html('| a | b |')).toBe('<p>| a | b |</p>')
    expect(html('-')).toContain('<ul>')
    expect(html('See [^1].')).toBe('<p>See [^1].</p>')
  })
})
