import { describe, expect, it } from 'vitest'
import { html } from './markdown.fixture.tsx'
import { type MathNode, toMathml } from './mathml.ts'
import { findMaths } from './maths-source.ts'

const formulas = (text: string) => findMaths(text).map(({ tex }) => tex)
const words = (node: MathNode): string =>
  typeof node === 'string'
    ? node
    : node
        .slice(2)
        .map(child => words(child as MathNode))
        .join('')
const names = (node: MathNode): string[] =>
  typeof node === 'string' ? [] : [node[0], ...node.slice(2).flatMap(child => names(child as MathNode))]

describe('maths in a text', () => {
  it('C05 a formula that is nested beyond all sense is not drawn', () => {
    const nested = (times: number) => `${'\\frac{1}{'.repeat(times)}1${'}'.repeat(times)}`
    expect(words(toMathml(nested(10), true))).toBe('1'.repeat(11))
    expect(() => toMathml(nested(300), true)).toThrow()
  })

  it.each([
    ['$x$', ['x']],
    ['let $a_1 = b_2$, then $$c$$', ['a_1 = b_2', 'c']],
    ['\\(a * b * c\\) and \\[ d = 1 \\]', ['a * b * c', 'd = 1']],
    ['设$x$为\\(y\\)的函数', ['x', 'y']],
    ['\\(x\\), \\( n \\) and \\( 5 \\)', ['x', 'n', '5']],
    ['$\\text{speed of light}$', ['\\text{speed of light}']],
    ['$5$ of $n$', ['5', 'n']],
    ['`$x$` is code, $y$ is not', ['y']],
    ['\\$x$ and $y$', ['y']],
  ])('P-8904 %j has the formulas %j', (text, found) => {
    expect(formulas(text)).toEqual(found)
  })

  it.each([
    '$5 and $10',
    'between $5 and 10$ a month',
    '$5 (or 10$) each',
    'US$5 or US$6',
    '$HOME and $PATH',
    '$ 5 $',
    'a $ b $ c',
    '\\( and so on \\)',
    'f\\(x',
    '\\[not a link\\](x)',
    '\\[press\\]\\(javascript:alert\\(1\\)\\)',
    '!\\[seen\\]\\(https://evil.test/p.png\\)',
    'the file\\(s\\) and \\(1\\)',
    '\\[x\\] done',
    '\\(speed/time\\)',
  ])('P-8904 %j is ordinary text', text => {
    expect(formulas(text)).toEqual([])
    expect(html(text)).not.toContain('v-maths')
  })

  it('P-8904 an escaped bracket is a bracket', () => {
    expect(html('f\\(x, and 1\\. and \\[a')).toBe('<p>f(x, and 1. and [a</p>')
  })

  it('P-8904 stars and lines in a formula are no emphasis', () => {
    expect(html('$a*b$ and $c*d$, $a_1$ and $b_2$')).not.toContain('<em>')
  })

  it('P-8904 a formula may be a block, also right below a line of text', () => {
    expect(html('We have\n$$\nx\n$$\nand so on')).toMatch(/^<p>We have<\/p><code.*<\/code><p>and so on<\/p>$/)
    expect(html('- item\n\n  $$\n  x\n  $$')).toContain('v-maths-source')
  })

  it('P-8904 formulas become MathML', () => {
    const drawn = toMathml('\\frac{64}{180\\,\\mathrm{s}^{-1}} \\approx 356', true)
    expect(names(drawn)).toEqual(expect.arrayContaining(['math', 'mfrac', 'msup', 'mn']))
    expect(words(drawn)).toContain('356')
    expect(names(toMathml('\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}', true))).toContain('mtable')
  })

  it.each([
    '\\frac{1',
    '\\nonsense',
    '\\href{javascript:alert(1)}{x}',
    '\\includegraphics{https://evil.example/x.png}',
    '\\def\\a{\\a\\a}\\a',
  ])('P-8904 C01 %s is shown as it was written', tex => {
    expect(() => toMathml(tex, false)).toThrow()
  })

  it('P-8904 C01 no colour, address or script of a formula reaches the page', () => {
    const drawn = JSON.stringify(toMathml('\\color{red}{x} + \\text{<script>}', false))
    expect(drawn).not.toMatch(/color|href|url\(/)
    expect(drawn).toContain('<script>')
  })
})
