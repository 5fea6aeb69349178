import { readSchema, schemaToMarkdown } from '@vitrine/genui/schema'
import { Marked } from 'marked'
import { describe, expect, it } from 'vitest'

const markdown = (...children: unknown[]) =>
  schemaToMarkdown(readSchema({ locale: 'en', root: { type: 'stack', children } }).schema!)

/** The text alternative of a document, read by a parser that the package which writes it does not have. */
describe('markdown of documents', () => {
  it.each([
    '```html\n<script>x</script> [a](javascript:alert(1))\n\n```` four\n```',
    '- item\n\n  ```\n  <script>in a list</script>\n  ```',
    '    <script>indented</script>',
    '\\<script>alert(1)</script>',
    '\\\\<script>alert(1)</script>',
    '- a\n  ```\n  x\n```\n<script>alert(1)</script>\n```\n<script>alert(2)</script>',
    '> ```\n<script>alert(1)</script>\n```\n<script>alert(2)</script>',
    '| `<script> | x` |\n|---|---|\n| `<script> | x` |',
    '`<script>\n\n</script>`',
    '```\n<script>never closed',
    '[a](java&#115;cript:alert(1)) [b](<javascript:alert(1)>) [c](\njavascript:alert(1)) [d][r]\n\n[r]:\n  javascript:alert(1)',
    '![x](javascript:alert(1)) [y]( javascript:alert(1) "t") [z](javascript:a(1\\)))',
    '<https://ok.example/> <javascript:alert(1)> <a href=x onclick=y>',
    'text\n~~~~ x\n<script>\n~~~\n<script>',
  ])('US-205 C01 the markdown of an author stays inert for a parser, in every role and beside a status: %j', source => {
    for (const role of ['title', 'subtitle', 'body', 'caption'])
      for (const status of [undefined, 'error']) {
        const written = markdown({ type: 'text', content: source, format: 'markdown', role, ...(status && { status }) })
        const html = String(new Marked().parse(written))
        expect(html, written).not.toMatch(/<(img|a)\s[^>]*(javascript|onclick)|<script/i)
      }
  })

  it('US-205 a plain text makes no heading, no code block and loses no number signs', () => {
    const html = (...nodes: unknown[]) => String(new Marked().parse(markdown(...nodes)))
    expect(html({ type: 'text', content: 'a\n===\nb' })).not.toContain('<h1')
    expect(html({ type: 'text', content: '    four\n\tand a tab' })).not.toContain('<pre')
    expect(html({ type: 'text', content: 'C #', role: 'title' })).toContain('C #')
  })
})
