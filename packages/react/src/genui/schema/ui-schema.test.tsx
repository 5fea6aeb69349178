import { readFileSync } from 'node:fs'
import { hintsToSchema } from '@vitrine/genui/hints'
import { readSchema, type UiNode } from '@vitrine/genui/schema'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { Icon } from '../../kit/icon.tsx'
import { CalendarCheck } from '../../kit/icon-set.ts'
import { Shapes } from '../../kit/icons.ts'
import { loadIcons } from '../../kit/named-icon.tsx'
import { CardState } from './card-state.ts'
import { statusTones } from './status.ts'
import { UiSchema, type UiSchemaProps } from './ui-schema.tsx'

const examples: { id: string; document: unknown }[] = JSON.parse(
  readFileSync(new URL('../../../../../apps/workbench/src/pages/playground-examples.json', import.meta.url), 'utf8'),
)
const example = (id: string): unknown => examples.find(one => one.id === id)?.document

const draw = (schema: unknown, props: Partial<UiSchemaProps> = {}): string =>
  renderToStaticMarkup(<UiSchema schema={schema} {...props} />)

const page = (...children: unknown[]) => ({
  version: '2.0',
  locale: 'en',
  status: 'info',
  theme: 'default',
  root: { type: 'stack', children },
})
const drawNodes = (...children: (UiNode | Record<string, unknown>)[]): string => draw(page(...children), { onAction })
const onAction = async () => ({ ok: true, value: null }) as const

/** Tags and attributes without the content between them. */
const elements = (html: string): string[] => html.match(/<[a-z][^>]*>/gi) ?? []
const count = (html: string, part: string): number => html.split(part).length - 1

beforeAll(loadIcons)

describe("the document's examples", () => {
  it('US-36 US-61 draws Example 1: a title and a body', () => {
    const html = draw(example('simple-text'))
    expect(html).toContain('<h3 class="v-ui-text v-ui-title" dir="auto">操作成功</h3>')
    expect(html).toContain('<p class="v-ui-text v-ui-body" dir="auto">您的事项已创建完成</p>')
    expect(html).toContain('lang="zh-CN"')
  })

  it('US-37 US-61 draws Example 2: a card with pairs in two columns and two buttons', () => {
    const html = draw(example('card-with-actions'), { onAction })
    expect(html).toContain('data-appearance="card"')
    expect(html).toMatch(/<dt[^>]*>主题<\/dt><dd[^>]*><span[^>]*>Q1 规划会议<\/span><\/dd>/)
    expect(html).toContain('--v-ui-columns:2')
    expect(html).toMatch(/<button[^>]*v-primary[^>]*>.*查看详情/)
    expect(html).toMatch(/<button[^>]*v-danger[^>]*>.*删除/)
    expect(html).not.toContain('disabled')
  })

  it('US-38 US-66 draws Example 3: the badge in the reader’s language, mail as a link', () => {
    const html = draw(example('error-status-panel'), { locale: 'zh-CN', onAction })
    expect(html).toContain('错误')
    expect(html).not.toContain('ui.status.error')
    expect(html).toContain('href="mailto:admin@example.com"')
    expect(draw(example('error-status-panel'), { locale: 'en' })).toContain('Error')
  })

  it('US-39 US-64 draws Example 4: cards in a grid of at most three columns', () => {
    const html = draw(example('grid-layout'))
    expect(html).toContain('--v-ui-columns:3')
    expect(count(html, 'data-appearance="card"')).toBe(3)
    expect(html).toContain('¥8,640')
    expect(html).not.toContain('v-diagnostic')
  })

  it('US-40 US-63 draws Example 5: two sections, and a value that can be copied', () => {
    const html = draw(example('section-layout'))
    expect(count(html, 'data-appearance="section"')).toBe(2)
    expect(html).toContain('aria-label="Copy 手机号"')
    expect(count(html, 'v-copy')).toBe(1)
  })

  it('UH-09 US-61 draws the compiled hints of the document', () => {
    const html = draw(hintsToSchema(example('compile'), { locale: 'zh-CN' }), { locale: 'zh-CN', onAction })
    for (const text of [
      '日程已创建',
      '成功',
      '本次创建已成功完成。',
      'Q1 规划会议',
      '2026-03-15 14:00',
      '查看详情',
      '删除',
    ])
      expect(html).toContain(text)
  })
})

describe('nodes', () => {
  it('US-61 draws every node, and nothing else fails beside an unknown one', () => {
    const html = draw(example('every-node'), { onAction })
    for (const part of ['v-ui-icon', 'v-ui-badge', 'v-ui-kv', 'v-ui-divider', 'v-ui-progress', 'v-ui-image', 'v-code'])
      expect(html).toContain(part)
    expect(count(html, 'class="v-diagnostic"')).toBe(1)
  })

  it.each(['info', 'success', 'warning', 'error', 'pending'] as const)(
    'US-61 draws the status %s by word, shape and colour',
    status => {
      const html = drawNodes(
        { type: 'badge', label: `ui.status.${status}`, status },
        { type: 'text', content: 'x', status },
      )
      expect(count(html, `data-tone="${statusTones[status]}"`)).toBe(2)
      expect(html).toContain('<svg')
      expect(html.toLowerCase()).toContain(`>${status}<`)
    },
  )

  it.each([
    ['default', undefined],
    ['light', 'light'],
    ['dark', 'dark'],
  ] as const)('US-61 draws the theme %s', (theme, expected) => {
    const html = draw({ ...page({ type: 'text', content: 'x' }), theme })
    expect(/data-theme="(\w+)"/.exec(html)?.[1]).toBe(expected)
    expect(draw(page({ type: 'text', content: 'x' }), { theme: 'dark' })).toContain('data-theme="dark"')
  })

  it.each(['plain', 'card', 'section'] as const)('US-61 draws the appearance %s of stack and grid', appearance => {
    const html = drawNodes(
      { type: 'stack', appearance, children: [{ type: 'text', content: 'x' }] },
      { type: 'grid', columns: 2, appearance, children: [{ type: 'text', content: 'x' }] },
    )
    expect(count(html, `data-appearance="${appearance}"`)).toBeGreaterThanOrEqual(2)
  })

  it('US-61 ranks titles: those of inner cards stand below those of outer ones', () => {
    const title = (content: string) => ({ type: 'text', role: 'title', content })
    const head = { type: 'stack', direction: 'horizontal', children: [title('outer')] }
    const html = drawNodes(head, { type: 'stack', appearance: 'section', children: [title('inner')] })
    expect(html).toMatch(/<h3[^>]*>outer<\/h3>/)
    expect(html).toMatch(/<h4[^>]*>inner<\/h4>/)
  })

  it('US-62 draws markdown with the renderer of answers, and plain text as it is', () => {
    const html = drawNodes(
      { type: 'text', format: 'markdown', content: '**strong**' },
      { type: 'text', content: '**plain**' },
    )
    expect(html).toContain('<strong>strong</strong>')
    expect(html).toContain('**plain**')
  })

  it('US-13 an icon has the colour and the size that the document says', () => {
    const icon = { type: 'icon', source: 'emoji', value: '📚' }
    expect(drawNodes({ ...icon, color: 'teal', size: 24 })).toContain('style="color:teal;font-size:1.5rem"')
    expect(drawNodes(icon)).not.toContain('style=')
  })

  it('US-62 C10 draws icons by name in any spelling, emoji as text, and a picture from elsewhere only from allowed hosts', () => {
    const named = (value: string) => drawNodes({ type: 'icon', source: 'icon', value })
    expect(named('CalendarCheck')).toContain(renderToStaticMarkup(<Icon of={CalendarCheck} />))
    expect(named('no-such-icon')).toContain(renderToStaticMarkup(<Icon of={Shapes} />))
    expect(named('constructor')).toContain(renderToStaticMarkup(<Icon of={Shapes} />))
    expect(drawNodes({ type: 'icon', source: 'emoji', value: '📚' })).toContain('📚')
    const picture = drawNodes({
      type: 'icon',
      source: 'url',
      value: 'https://example.com/i.png',
      size: 32,
      color: 'teal',
    })
    expect(picture).not.toContain('<img')
    expect(picture).toContain(renderToStaticMarkup(<Icon of={Shapes} />))
    expect(picture).toContain('font-size:2rem')
    const inline = drawNodes({ type: 'icon', source: 'url', value: 'data:image/png;base64,AA==' })
    expect(inline).toContain('<img alt="" src="data:image/png;base64,AA==" loading="lazy"')
  })

  it('US-65 cuts after maxLines, and does not draw what is not visible', () => {
    const html = drawNodes(
      { type: 'text', content: 'long', maxLines: 3 },
      { type: 'text', content: 'hidden', visible: false },
    )
    expect(html).toContain('--v-ui-most:3')
    expect(html).not.toContain('hidden</p>')
  })

  it('US-208 a root that is hidden, or that has nothing in it, draws nothing and is no failure', () => {
    expect(draw({ root: { type: 'stack', visible: false, children: [{ type: 'text', content: 'x' }] } })).toBe('')
    expect(draw(page())).toBe('')
    expect(draw({ root: { type: 'grid', columns: 2, appearance: 'card', children: [] } })).toBe('')
    expect(draw(page({ type: 'text', content: 'x', visible: false }, { type: 'kv', items: [] }))).toBe('')
    const html = drawNodes(
      { type: 'text', content: 'shown' },
      { type: 'stack', appearance: 'card', children: [] },
      { type: 'stack', appearance: 'section', children: [{ type: 'text', content: 'x', visible: false }] },
    )
    expect(html).toContain('shown')
    expect(html).not.toContain('v-plate')
    expect(html).not.toContain('data-appearance="section"')
  })

  it('US-209 a status that only a colour would tell is said to those who do not see it', () => {
    const layout = { type: 'stack', appearance: 'section', status: 'error', children: [{ type: 'text', content: 'x' }] }
    expect(drawNodes(layout)).toContain('<span class="v-unseen">Error</span>')
    const badge = { type: 'badge', label: 'ui.status.error', status: 'error' }
    expect(drawNodes({ ...layout, children: [badge] })).not.toContain('<span class="v-unseen">Error</span>')
  })

  it('US-210 a danger button whose action was carried out cannot be pressed again and says so; others can', () => {
    const action = { type: 'tool', toolId: 'event.delete', params: { id: 1 } }
    const button = { type: 'button', label: 'Delete', style: 'danger', action }
    const done = [{ action: { params: { id: 1 }, toolId: 'event.delete', type: 'tool' } }]
    expect(draw(page(button), { onAction, done })).toMatch(/disabled=""[\s\S]*This was done\./)
    expect(draw(page({ ...button, action: { ...action, params: { id: 2 } } }), { onAction, done })).not.toContain(
      'disabled=""',
    )
    expect(draw(page({ ...button, style: 'secondary' }), { onAction, done })).not.toContain('disabled=""')
  })

  it('US-66 keeps a label that is no token, understands the old ones, and speaks both languages', () => {
    const badge = (label: string) => page({ type: 'badge', label, status: 'success' })
    expect(draw(badge('SUCCESS'), { locale: 'zh-CN' })).toContain('成功')
    expect(draw(badge('ui.status.success'), { locale: 'en' })).toContain('Success')
    expect(draw(badge('ui.status.shipped'), { locale: 'zh-CN' })).toContain('ui.status.shipped')
    expect(draw(badge('Shipped'), { locale: 'zh-CN' })).toContain('Shipped')
  })

  it('US-68 draws each kind of chart as SVG with a name that tells the numbers, and offers the table', () => {
    for (const kind of ['line', 'bar', 'area', 'pie'] as const) {
      const html = drawNodes({
        type: 'chart',
        kind,
        title: 'Orders',
        labels: ['a', 'b', 'c'],
        series: [{ data: [1, 4, 2] }],
      })
      expect(html).toMatch(/<svg[^>]*role="img"[^>]*aria-label="[^"]*Orders: 3 values from 1 to 4\."/)
      expect(html).toContain('Show the numbers')
      expect(html).not.toContain('NaN')
    }
    expect(drawNodes({ type: 'chart', series: [] })).toContain('There is nothing to draw.')
  })

  it('US-46 US-61 draws a table with headings, its caption and numbers at the end of their cells', () => {
    const html = drawNodes({
      type: 'table',
      caption: 'Week',
      columns: [{ label: 'Day' }, { label: 'n' }],
      rows: [
        ['Mon', 1],
        ['Tue', 2],
      ],
    })
    expect(html).toContain('<caption dir="auto">Week</caption>')
    expect(count(html, '<th scope="col"')).toBe(2)
    expect(count(html, '<td data-align="end"')).toBe(2)
  })

  it('US-257 a table whose rows cannot be read does not say that there are none, and has a mark', () => {
    const html = draw({ locale: 'en', root: { type: 'table', columns: ['a'], rows: ['x'] } })
    expect(html).not.toContain('There are no rows.')
    expect(html).toContain('<code>/root/rows/0</code>')
  })

  it('US-73 shows an unknown node with its path, and draws the rest', () => {
    const html = drawNodes(
      { type: 'text', content: 'before' },
      { type: 'hologram' },
      { type: 'text', content: 'after' },
    )
    expect(html).toContain('<strong>hologram</strong>')
    expect(html).toContain('<code>/root/children/1</code>')
    expect(html).toContain('before')
    expect(html).toContain('after')
  })

  it('US-73 UH-38 says honestly that nothing could be shown, and offers the raw data', () => {
    for (const broken of [undefined, null, 7, 'text', [], {}, { root: {} }, { root: { type: 'stack', children: 4 } }]) {
      const html = draw(broken)
      expect(html, JSON.stringify(broken)).toMatch(/could not be shown/i)
    }
    expect(draw({})).toContain('Raw data')
  })
})

describe('fields', () => {
  const field = (rest: Record<string, unknown>) => drawNodes({ type: 'field', name: 'f', label: 'Label', ...rest })

  it.each([
    ['text', 'type="text"'],
    ['number', 'inputMode="decimal"'],
    ['integer', 'inputMode="numeric"'],
    ['email', 'type="email"'],
    ['url', 'type="url"'],
    ['tel', 'type="tel"'],
    ['password', 'type="password"'],
    ['date', 'type="date"'],
    ['time', 'type="time"'],
    ['datetime', 'type="datetime-local"'],
    ['slider', 'type="range"'],
    ['multiline', '<textarea'],
  ])('US-67 draws %s with its label', (input, part) => {
    const html = field({ input })
    expect(html).toContain(part)
    const id = /<label for="([^"]+)"/.exec(html)?.[1]
    expect(id).toBeDefined()
    expect(html).toContain(`id="${id}"`)
  })

  it('US-67 draws choices with their legend', () => {
    const options = [
      { value: 1, label: 'One' },
      { value: true, label: 'Yes' },
    ]
    expect(field({ input: 'select', options, value: 1 })).toContain('<option value="0" selected="">One</option>')
    const radio = field({ input: 'radio', options, value: true })
    expect(radio).toMatch(/<fieldset[^>]*><legend/)
    expect(count(radio, 'type="radio"')).toBe(2)
    expect(count(radio, 'checked=""')).toBe(1)
    expect(count(field({ input: 'multiselect', options, value: [1, true] }), 'checked=""')).toBe(2)
    expect(field({ input: 'checkbox', value: true })).toContain('checked=""')
  })

  it('US-67 ties an error to its input and says it in words', () => {
    const state = new CardState()
    state.setField('f', { value: 'x', error: 'Too short' })
    const html = draw(page({ type: 'field', name: 'f', label: 'Label', help: 'Help', required: true }), { state })
    const id = /aria-describedby="(\S+) (\S+)"/.exec(html)
    expect(html).toContain('aria-invalid="true"')
    expect(html).toContain('aria-required="true"')
    expect(html).toContain(`id="${id?.[2]}" class="v-field-error"`)
    expect(html).toContain('value="x"')
  })

  it('US-67 shows busy, success, and a failure with the values kept and a way to try again', () => {
    const form = page(
      { type: 'field', name: 'f', label: 'Label' },
      { type: 'button', id: 'send', label: 'Send', action: { type: 'payload', payload: {} } },
    )
    const state = new CardState()
    state.setField('f', { value: 'typed' })
    const shown = () => draw(form, { state, onAction })
    state.setPress('send', { phase: 'busy' })
    expect(shown()).toContain('aria-busy="true"')
    expect(shown()).toContain('readOnly=""')
    state.setPress('send', { phase: 'failed', message: 'That did not work.', retry: true })
    expect(shown()).toContain('Try again')
    expect(shown()).toContain('value="typed"')
    state.setPress('send', { phase: 'done', message: 'Sent.' })
    expect(shown()).toContain('v-ui-done')
  })
})

describe('actions', () => {
  const button = (action: unknown, rest: Record<string, unknown> = {}) =>
    drawNodes({ type: 'button', label: 'Go', action, ...rest })

  it('US-71 opens web pages in a new tab without opener and referrer, and needs no tab for mail', () => {
    const html = button({ type: 'url', url: 'https://example.com/', target: '_self' })
    expect(html).toContain('href="https://example.com/" target="_blank" rel="noopener noreferrer"')
    expect(button({ type: 'url', url: 'tel:+123' })).not.toContain('target=')
  })

  it.each([
    ['/todo/:id', 'placeholder'],
    ['/a?b=c', 'page of this application'],
    ['/a#b', 'page of this application'],
    ['//evil.example', 'page of this application'],
    ['https://evil.example', 'page of this application'],
    ['/../up', 'page of this application'],
  ])('US-69 US-30 disables navigation to %s and says why', (path, why) => {
    const html = button({ type: 'navigation', path })
    expect(html).toMatch(/<button[^>]* disabled=""/)
    expect(html).toContain(why)
  })

  it('US-69 disables what has no way out here, and a document that is only shown', () => {
    const tool = { type: 'button', label: 'Go', action: { type: 'tool', toolId: 'x' } }
    expect(draw(page(tool))).toContain('Not available here.')
    expect(draw(page(tool), { onAction, readOnly: true })).toContain('disabled=""')
    expect(draw(page(tool), { onAction })).not.toContain('disabled')
  })
})

describe('hostile content', () => {
  const payloads = [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '"><svg onload=alert(1)>',
    '[x](javascript:alert(1))',
    '{{constructor.constructor("alert(1)")()}}',
  ]

  it.each(payloads)('C01 C04 %s is text wherever a string may stand', text => {
    const html = drawNodes(
      { type: 'text', content: text, role: 'title' },
      { type: 'text', content: text, format: 'markdown' },
      { type: 'text', content: text, role: 'code' },
      { type: 'badge', label: text, status: 'info' },
      { type: 'kv', items: [{ key: text, value: { [text]: text }, copyable: true }] },
      { type: 'table', columns: [{ label: text }], rows: [[text]], caption: text },
      {
        type: 'field',
        name: text,
        label: text,
        help: text,
        placeholder: text,
        options: [{ value: text, label: text }],
        input: 'select',
      },
      { type: 'progress', label: text },
      { type: 'image', url: 'data:image/png;base64,AA==', alt: text, caption: text },
      { type: 'chart', title: text, labels: [text], series: [{ name: text, data: [1] }] },
      { type: 'button', label: text, action: { type: 'copy', content: text } },
      { type: text },
    )
    const tags = elements(html)
    expect(tags.filter(tag => /^<(script|iframe|object|embed)/i.test(tag))).toEqual([])
    expect(tags.filter(tag => /\son\w+=/i.test(tag.replace(/"[^"]*"/g, '""')))).toEqual([])
    expect(tags.filter(tag => /(href|src)="\s*javascript:/i.test(tag))).toEqual([])
    expect(tags.filter(tag => tag.startsWith('<img'))).toHaveLength(1)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'java\nscript:alert(1)',
  ])('C02 US-69 %s is neither a link nor a picture', url => {
    const html = drawNodes(
      { type: 'button', label: 'Go', action: { type: 'url', url } },
      { type: 'image', url, alt: 'alt' },
      { type: 'icon', source: 'url', value: url },
    )
    expect(html).not.toMatch(/<a[^>]*href/)
    expect(html).not.toContain('<img')
    expect(html).toMatch(/<button[^>]* disabled=""/)
  })

  it('C01 a colour cannot carry a style', () => {
    const html = drawNodes({
      type: 'icon',
      source: 'icon',
      value: 'star',
      color: 'red;background:url(https://evil.example)',
    })
    expect(html).not.toContain('evil.example')
  })

  it('C04 names of Object.prototype are ordinary names', () => {
    const fields = ['__proto__', 'constructor', 'toString'].map(name => ({ type: 'field', name, label: name }))
    const html = draw(JSON.parse(JSON.stringify(page(...fields))))
    expect(count(html, '<input')).toBe(2)
    // Nothing can be sent under this name: its field is a mark.
    expect(html).toContain('__proto__')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('US-58 US-61 anything at all draws something', () => {
    const cyclic: Record<string, unknown> = { type: 'stack' }
    cyclic.children = [cyclic]
    expect(draw({ root: cyclic })).toContain('Could not be shown')
    const deep = Array.from({ length: 200 }).reduce<unknown>(inner => ({ type: 'stack', children: [inner] }), {
      type: 'text',
      content: 'x',
    })
    expect(draw({ root: deep })).toContain('v-diagnostic')
    expect(readSchema(deep).schema).toBeUndefined()
  })
})

describe('what is kept of a card', () => {
  it('L7 US-70 a button keeps its key until its action was accepted, and for the same action only', () => {
    const state = new CardState()
    const first = state.keyFor('send', 'a')
    expect(state.keyFor('send', 'a')).toBe(first)
    expect(state.keyFor('other', 'a')).not.toBe(first)
    const changed = state.keyFor('send', 'b')
    expect(changed).not.toBe(first)
    state.accepted('send')
    expect(state.keyFor('send', 'b')).not.toBe(changed)
  })

  it('L7 US-70 what the session shows to have arrived is not called a failure', () => {
    const state = new CardState()
    const key = state.keyFor('send', 'a')
    state.setPress('send', { phase: 'busy' })
    state.arrived('of another card')
    expect(state.hasArrived('send')).toBe(false)
    state.arrived(key)
    expect(state.hasArrived('send')).toBe(true)
    expect(state.press('send')).toEqual({ phase: 'busy' })
    state.setPress('send', { phase: 'failed', message: 'no answer', retry: true })
    state.arrived(key)
    expect(state.press('send')).toBeUndefined()
    expect(state.keyFor('send', 'a')).not.toBe(key)
  })

  it('P-281 a button whose event nothing handles cannot be pressed and says so', () => {
    const button = { type: 'button', label: 'Sign out', action: { type: 'event', event: 'session.end' } }
    const html = drawNodes(button)
    expect(html).toContain('Nothing here handles “session.end”.')
    expect(html).toContain('disabled=""')
    const handled = draw(page(button), { onEvent: () => true })
    expect(handled).not.toContain('Nothing here handles')
    expect(handled).not.toContain('disabled=""')
  })

  it('P-280 a button that names a tool says that it asks the agent', () => {
    const html = drawNodes({ type: 'button', label: 'Clean up', action: { type: 'tool', toolId: 'rm.rf' } })
    expect(html).toContain('Asks the agent to run rm.rf.')
    expect(html).not.toContain('Runs the tool')
  })
})

describe('words that deceive', () => {
  it('C08 P-283 no node draws a mark that turns the direction round', () => {
    const odd = 'Pay \u202E001'
    const options = [{ value: 'a', label: odd }]
    const html = drawNodes(
      ...(['title', 'body', 'caption'] as const).map(role => ({ type: 'text', content: odd, role })),
      { type: 'text', content: `**${odd}**`, format: 'markdown' },
      ...['select', 'radio', 'text', 'multiline'].map((input, at) => ({
        type: 'field',
        name: `f${at}`,
        label: odd,
        help: odd,
        placeholder: odd,
        input,
        options,
      })),
      { type: 'progress', value: 1, max: 2, label: odd },
      { type: 'badge', label: odd, status: 'info' },
      { type: 'image', url: 'https://example.com/a.png', alt: odd, caption: odd },
      { type: 'button', label: odd, action: { type: 'tool', toolId: odd } },
      ...['bar', 'line', 'pie'].map(kind => ({
        type: 'chart',
        kind,
        title: odd,
        unit: odd,
        labels: [odd],
        series: [{ name: odd, data: [1] }],
      })),
      { type: 'kv', items: [{ key: odd, label: odd, value: odd, copyable: true }] },
      { type: 'table', caption: odd, columns: [{ key: 'a', label: odd }], rows: [[odd]] },
    )
    expect(html.match(/U\+202E/g)!.length).toBeGreaterThan(20)
    expect(html).not.toContain('\u202e')
    expect(html).not.toContain('Could not be shown')
  })

  it('C08 US-211 the mark of a character in markdown is no markup: what follows it does not become a link', () => {
    const html = drawNodes({ type: 'text', content: '\u202e(https://evil.example) `\u202e`', format: 'markdown' })
    expect(html.match(/⟦U\+202E⟧/g)).toHaveLength(2)
    expect(html).not.toContain('\u202e')
    expect(html).not.toContain('>U+202E<')
  })
})
