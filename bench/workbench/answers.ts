import type { AgentOutput } from '@vitrine/server'
import { word } from '../events.ts'

const words = (count: number, from = 0): string => Array.from({ length: count }, (_, at) => word(from + at)).join(' ')
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')
const blocks = (count: number, block: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => block(at)).join('\n\n')

/** A megabyte of what people get: paragraphs with marks, headings, tables, code. */
const megabyte = (): string =>
  blocks(1_250, at => {
    const prose = `Paragraph ${at}: **bold**, \`code\`, a [link](https://example.org/${at}) and ${words(90, at)}.`
    if (at % 10 === 0) return `## Chapter ${at / 10}\n\n${prose}\n\n| a | b |\n|---|---|\n| ${at} | x |`
    if (at % 10 === 5)
      return `${prose}\n\n\`\`\`ts\n${lines(12, line => `const value${line} = step(${at}, "${line}")`)}\n\`\`\``
    return at % 10 === 7 ? `${prose}\n\n$$\\sum_{i=0}^{${at}} \\frac{x_i^2}{\\sqrt{1 + y_i}}$$` : prose
  })

/** The name of the answer that is written as a fast model writes it, token by token. */
export const ORDINARY = 'an ordinary long answer'

/** What people ask for: prose with marks, lists, tables, formulas, and code in several languages. */
const ordinary = (): string =>
  blocks(40, at => {
    const prose = `Step ${at}: **bold**, \`code\`, a [link](https://example.org/${at}), $x_{${at}}^2 + \\sqrt{y}$ and ${words(40, at)}.`
    const kinds = [
      `## Chapter ${at}\n\n${prose}`,
      `${prose}\n\n${lines(6, line => `- item ${line} with \`code\` and *stress*\n  1. ${words(8, line)}`)}`,
      `\`\`\`ts\n${lines(14, line => `export const value${line}: string = step(${at}, "${line}") // ${word(line)}`)}\n\`\`\``,
      `$$\\sum_{i=0}^{${at}} \\frac{x_i^2}{\\sqrt{1 + y_i}} = \\int_0^{${at}} f(x)\\,dx$$\n\n${prose}`,
      `| name | figure | note |\n|---|---|---|\n${lines(8, line => `| **${word(line)}** | ${line * at} | $a_{${line}}$ |`)}`,
      `\`\`\`python\n${lines(12, line => `def f${line}(x): return [g(y, "${line}") for y in x if y > ${at}]`)}\n\`\`\``,
      `> ${prose}\n\n\`\`\`json\n${lines(10, line => `{ "key${line}": [${at}, true, null, "${word(line)}"] }`)}\n\`\`\``,
    ]
    return kinds[at % kinds.length]!
  })

const nested = (depth: number, before: string, inside: string, behind: string): string =>
  before.repeat(depth) + inside + behind.repeat(depth)

/** What an answer may be, by name: what people get, and what somebody writes to make the page stand. */
export const answers: Record<string, () => string | Iterable<AgentOutput>> = {
  [ORDINARY]: ordinary,
  'a message of 1 MB': megabyte,
  '1,000 tool calls': function* () {
    for (let at = 0; at < 1_000; at++) {
      const call = { toolCallId: `c${at}` }
      yield { type: 'tool.started', partId: `t${at}`, ...call, name: 'search', title: `Search ${at}` }
      yield { type: 'tool.args', ...call, delta: `{"query":"${words(12, at)}"}` }
      yield { type: 'tool.result', ...call, preview: `result ${at}: ${words(20, at)}` }
    }
    yield { type: 'text.delta', partId: 'end', delta: 'All of it is done.' }
  },
  'a word without an end': () => 'a'.repeat(200_000),
  'a word without an end, marked': () =>
    `**${'b'.repeat(60_000)}** \`${'c'.repeat(60_000)}\` [${'d'.repeat(60_000)}](https://example.org)`,
  'pictures as data': () => blocks(300, at => `![picture ${at}](data:image/png;base64,${'iVBORw0KGgo'.repeat(200)})`),
  'pictures from elsewhere': () => lines(2_000, at => `![picture ${at}](https://example.org/${at}.png)`),
  'small code blocks': () => blocks(3_000, at => `\`\`\`ts\nconst a = ${at}\n\`\`\``),
  'code of 10,000 lines': () => `\`\`\`ts\n${lines(10_000, at => `const line${at} = step(${at}, "text")`)}\n\`\`\``,
  'code in one line': () => `\`\`\`ts\n${'const a = [1, "two", three()]; '.repeat(6_000)}\n\`\`\``,
  'a wide table': () => {
    const row = (cell: (at: number) => string) => `|${Array.from({ length: 400 }, (_, at) => cell(at)).join('|')}|`
    return [
      row(at => `column ${at}`),
      row(() => '---'),
      ...Array.from({ length: 45 }, (_, at) => row(to => `${at}.${to}`)),
    ].join('\n')
  },
  'a long table': () =>
    `| a | b | c | d |\n|---|---|---|---|\n${lines(4_000, at => `| ${at} | **b** | \`c\` | ${words(4, at)} |`)}`,
  'deep formulas': () => blocks(60, () => `$$${nested(60, '\\frac{1}{1+\\sqrt{', 'x', '}}')}$$`),
  'many formulas': () =>
    blocks(800, at => `So $x_{${at}} = \\frac{a}{b}$ and $\\sqrt{${at}}$ and $\\int_0^{${at}} f(x)\\,dx$ follow.`),
  'a large formula': () =>
    `$$\\begin{matrix}${lines(60, at => `${Array.from({ length: 15 }, (_, to) => `a_{${at}${to}}`).join(' & ')} \\\\`)}\\end{matrix}$$`,
  'deep lists': () => lines(3_000, at => `${'  '.repeat(at % 30)}- item ${at}`),
  'deep quotes': () => lines(2_000, at => `${'> '.repeat(1 + (at % 30))}line ${at}`),
  'a long list': () => lines(6_000, at => `- item ${at}`),
  'many tasks': () => lines(3_000, at => `- [ ] task ${at}`),
  'short paragraphs': () => blocks(20_000, () => 'a'),
  'rules and headings': () => blocks(6_000, at => (at % 2 ? '---' : '# a')),
  'many marks': () => blocks(40, () => '*a* `b` ~~c~~ **d** '.repeat(250)),
  'many links': () =>
    blocks(60, at => Array.from({ length: 100 }, (_, to) => `[w${to}](https://e.org/${at}/${to})`).join(' ')),
  'a paragraph of 300 KB': () => words(50_000),
  'lines in a paragraph': () => lines(30_000, at => `line ${at}  `),
  '5,000 footnotes': () =>
    `${blocks(500, at => lines(10, to => `Text ${at}.${to}[^${at * 10 + to}].`))}\n\n${lines(5_000, at => `[^${at}]: note ${at}`)}`,
  'footnotes in one line': () =>
    `${Array.from({ length: 5_000 }, (_, at) => `a[^${at}]`).join(' ')}\n\n${lines(5_000, at => `[^${at}]: note ${at}`)}`,
  'hidden characters': () => blocks(100, () => '`a\u202eb\u2066c` [\u202ex](https://example.org) '.repeat(100)),
  'HTML that is text': () => blocks(3_000, at => `<div class="a${at}"><b>x</b></div>`),
  definitions: () =>
    `${lines(3_000, at => `[d${at}]: https://example.org/${at}`)}\n\n${blocks(300, at => `See [d${at}].`)}`,
}
