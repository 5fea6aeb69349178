import { describe, expect, it } from 'vitest'
import { compileHints, showUiPrompt, showUiTool } from '../hints/index.ts'
import { imageUrlProblem, pathProblem, urlProblem } from '../url.ts'
import { actionProblem, inspectSchema, localizeLabel, readSchema, validateSchema } from './index.ts'

const button = (action: unknown, rest: object = {}) => ({
  root: { type: 'stack', children: [{ type: 'button', label: 'Go', action, ...rest }] },
})
const strict = (action: unknown, rest?: object) => validateSchema(button(action, rest)).map(({ code }) => code)

describe('navigation contract', () => {
  const violations: [string, string, string][] = [
    ['US-25', '/todo/:id', 'path_param'],
    ['US-25', '/todo/{id}', 'path_param'],
    ['US-25', '/todo/[id]', 'path_param'],
    ['US-25', '/todo/*', 'path_param'],
    ['US-25', 'todo/1', 'path_relative'],
    ['US-25', '', 'path_empty'],
    ['US-25', 'https://evil.example/', 'path_scheme'],
    ['US-25', 'javascript:alert(1)', 'path_scheme'],
    ['US-25', '//evil.example', 'path_double_slash'],
    ['US-25', '/\\evil.example', 'path_backslash'],
    ['US-25', '/a/../b', 'path_dots'],
    ['US-25', '/a/%2e%2E/b', 'path_dots'],
    ['US-25', '/a%2f%2fevil', 'path_separator'],
    ['US-25', '/a/%zz', 'path_encoding'],
    ['US-25', '/a b', 'path_character'],
    ['US-25', '/\t/evil.example', 'path_character'],
    ['US-25', '/a\u202eb', 'path_character'],
    ['US-200', '/todo/a{id}', 'path_param'],
    ['US-200', '/x:id', 'path_param'],
    ['US-200', '/x:id.json', 'path_param'],
    ['US-200', '/todo/{id', 'path_param'],
    ['US-200', '/todo/x[id]', 'path_param'],
    ['US-200', '/todo/x<id>', 'path_param'],
    ['US-200', '/todo/$id', 'path_param'],
    ['US-200', '/todo/x*', 'path_param'],
    ['US-200', '/x%3Aid', 'path_param'],
    ['US-200', '/todo/%7Bid%7D', 'path_param'],
    ['US-200', '/todo/%257Bid%257D', 'path_param'],
    ['US-200', '/todo/%24%7Bid%7D', 'path_param'],
    ['US-200', '/a/%252e%252e/b', 'path_dots'],
    ['US-200', '/a/..;/b', 'path_dots'],
    ['US-200', '/a/b%252Fc', 'path_separator'],
    ['US-200', '/a/%00', 'path_character'],
    ['US-200', '/a/%E2%80%AEb', 'path_character'],
    ['US-250', '/todo/a$id', 'path_param'],
    ['US-250', '/todo/a%24id', 'path_param'],
    ['US-250', '/todo/：id', 'path_param'],
    ['US-250', '/x：id', 'path_param'],
    ['US-250', '/x%EF%BC%9Aid', 'path_param'],
    ['US-250', '/todo/｛id｝', 'path_param'],
    ['US-250', '/todo/＄id', 'path_param'],
    ['US-250', '/todo/urn:isbn::id', 'path_param'],
    ['US-250', '/todo/urn:isbn:{id}', 'path_param'],
    ['US-250', '/a/．．/b', 'path_dots'],
    ['US-250', '/a／b', 'path_separator'],
    ['US-250', '/ask/why%3F', 'path_query'],
    ['US-250', '/ask/why%253F', 'path_query'],
    ['US-250', '/channels/%23general', 'path_fragment'],
    ['US-250', '/todo?id=%zz', 'path_query'],
    ['US-26', '/todo?id=1', 'path_query'],
    ['US-26', '/todo#top', 'path_fragment'],
  ]
  for (const [id, path, code] of violations)
    it(`${id} US-30 refuses ${JSON.stringify(path)} with ${code}`, () => {
      expect(pathProblem(path)?.code).toBe(code)
      expect(strict({ type: 'navigation', path })).toEqual([code])
      const { schema, diagnostics } = readSchema(button({ type: 'navigation', path }))
      expect(schema?.root.children[0]).toMatchObject({
        type: 'button',
        label: 'Go',
        disabled: true,
        disabledReason: `ui.reason.${code}`,
      })
      expect(diagnostics.find(d => d.level === 'error')).toMatchObject({ code, path: '/root/children/0/action/path' })
      for (const locale of ['en', 'zh-CN']) expect(localizeLabel(`ui.reason.${code}`, locale)).not.toContain('ui.')
    })

  it('US-25 takes concrete internal paths', () => {
    for (const path of ['/', '/todo/123', '/calendar/evt_abc123', '/a/b-c.d/~x', '/日程/1', '/urn:isbn:1', '/a%20b'])
      expect(pathProblem(path)).toBeUndefined()
  })

  it('US-200 takes values that only look like placeholders at a glance', () => {
    for (const path of ['/at/12:30', '/off/100%25', '/u/@ada', '/s;v=1/x', '/$1'])
      expect(pathProblem(path)).toBeUndefined()
  })

  it.each([
    '/book/urn:isbn:abc',
    '/urn:isbn:0-395-36341-1',
    '/who/did:web:example',
    '/who/did:web:example.com:user:alice',
    '/bucket/arn:aws:s3:::photos',
    '/who/did%3Aweb%3Aexample',
    '/price/US$5',
    '/问答/为什么？',
    '/第一章：开始',
  ])('US-251 takes %s, which has its value', path => {
    expect(pathProblem(path)).toBeUndefined()
    expect(strict({ type: 'navigation', path })).toEqual([])
  })

  it('US-27 US-28 params are scalar query parameters', () => {
    expect(strict({ type: 'navigation', path: '/a', params: { q: 'x', n: 1, b: false } })).toEqual([])
    for (const bad of [{ deep: {} }, { list: [1] }, { none: null }]) {
      expect(strict({ type: 'navigation', path: '/a', params: bad })).toEqual(['params_scalar'])
      const [key] = Object.keys(bad)
      expect(actionProblem({ type: 'navigation', path: '/a', params: bad })?.path).toBe(`/params/${key}`)
    }
  })

  it('US-29 the prompt carries no route catalog', () => {
    expect(showUiPrompt + JSON.stringify(showUiTool)).not.toMatch(/\/(todo|calendar|settings)/)
  })

  it('US-30 a violating action is legal only on a disabled button', () => {
    expect(
      strict({ type: 'navigation', path: 'x' }, { disabled: true, disabledReason: 'ui.reason.path_relative' }),
    ).toEqual([])
  })
})

describe('other actions', () => {
  it('US-31 C02 url takes http, https, mailto and tel only', () => {
    for (const url of [
      'http://x.example',
      'https://x.example/a?b#c',
      'mailto:admin@example.com',
      'tel:+861381234',
      'HTTPS://X.example',
    ])
      expect(strict({ type: 'url', url })).toEqual([])
    const hostile = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
      'ftp://x',
      '/internal',
      '//x.example',
      'java\nscript:alert(1)',
      ' javascript:alert(1)',
      '\u0000javascript:x',
      'https://',
      'https:x.example',
      'https://bank.example@evil.example',
      'https://x.example\\@evil',
    ]
    for (const url of hostile) {
      expect(urlProblem(url), url).toBeDefined()
      expect(strict({ type: 'url', url }), url).toHaveLength(1)
      expect(readSchema(button({ type: 'url', url })).schema?.root.children[0]).toMatchObject({ disabled: true })
    }
  })

  it('US-31 an external URL opens a new tab unless it says otherwise', () => {
    const target = (action: object) => readSchema(button(action)).schema?.root.children[0]
    expect(target({ type: 'url', url: 'https://x.example' })).toMatchObject({ action: { target: '_blank' } })
    expect(target({ type: 'url', url: 'https://x.example', target: '_self' })).toMatchObject({
      action: { target: '_self' },
    })
    expect(strict({ type: 'url', url: 'https://x.example', target: '_top' })).toEqual(['wrong_choice'])
  })

  it('US-202 an address that asks for the same tab is legal, and its author is told that it opens in a new one', () => {
    const self = button({ type: 'url', url: 'https://x.example', target: '_self' })
    expect(validateSchema(self)).toEqual([])
    expect(inspectSchema(self)).toMatchObject([
      { level: 'repair', code: 'target_ignored', path: '/root/children/0/action/target' },
    ])
    const blank = button({ type: 'url', url: 'https://x.example', target: '_blank' })
    expect(inspectSchema(blank)).toEqual([])
  })

  it('US-49 C02 pictures take http, https and data:image only', () => {
    for (const url of ['https://x.example/a.png', 'data:image/png;base64,AA'])
      expect(imageUrlProblem(url)).toBeUndefined()
    for (const url of ['data:text/html,x', 'mailto:a@b', 'javascript:x', 'file:///x'])
      expect(imageUrlProblem(url)).toBeDefined()
  })

  it('US-32 an event has a name and a payload object', () => {
    expect(strict({ type: 'event', event: 'logout', payload: { a: [1] } })).toEqual([])
    expect(strict({ type: 'event', event: '' })).toEqual(['action_missing'])
    expect(strict({ type: 'event', event: 'x', payload: 'y' })).toEqual(['wrong_type'])
  })

  it('US-33 a tool has an id and params', () => {
    expect(strict({ type: 'tool', toolId: 'calendar.delete', params: { eventId: 'e' } })).toEqual([])
    expect(strict({ type: 'tool' })).toEqual(['missing'])
    expect(strict({ type: 'tool', toolId: '' })).toEqual(['action_missing'])
  })

  it('US-34 copy has content and a message', () => {
    expect(strict({ type: 'copy', content: 'x', successMessage: 'Copied' })).toEqual([])
    expect(strict({ type: 'copy' })).toEqual(['missing'])
  })

  it('US-35 payload is an object and submitTo an internal path', () => {
    expect(strict({ type: 'payload', payload: { a: 1 }, submitTo: '/forms/1' })).toEqual([])
    expect(strict({ type: 'payload', payload: {}, submitTo: 'https://evil.example' })).toEqual(['path_scheme'])
    expect(strict({ type: 'payload', payload: [] })).toEqual(['wrong_type'])
  })

  it('US-18 US-42 a button without a usable action keeps its label, disabled', () => {
    for (const action of [undefined, null, 5, {}, { type: 'explode' }, { type: 'navigation' }]) {
      const { schema, diagnostics } = readSchema(button(action))
      expect(schema?.root.children[0]).toMatchObject({
        label: 'Go',
        disabled: true,
        disabledReason: 'ui.reason.action_missing',
      })
      expect(diagnostics.some(d => d.level === 'error')).toBe(true)
    }
  })
})

describe('a part of a button that cannot be read', () => {
  const tool = { type: 'tool', toolId: 'events.delete' }
  const cases: [string, unknown, object?][] = [
    ['a confirmation that is a number', tool, { confirm: 5 }],
    ['a confirmation without its text', tool, { confirm: { title: 'Really?' } }],
    ['disabled in other words', tool, { disabled: 'yes' }],
    ['submit in other words', tool, { submit: 'no' }],
    ['arguments of a tool that are a text', { ...tool, params: 'evt_1' }],
    ['arguments of a tool that are too long', { ...tool, params: { text: 'x'.repeat(200_000) } }],
    ['parameters of a path that are a text', { type: 'navigation', path: '/todo', params: 'id=5' }],
    ['a place that is no text', { type: 'payload', payload: {}, submitTo: {} }],
    ['the payload of an event that is a list', { type: 'event', event: 'x', payload: [1] }],
  ]

  it.each(cases)('US-220 %s disables the button with a reason', (_, action, rest) => {
    const [drawn] = readSchema(button(action, rest)).schema!.root.children
    expect(drawn).toMatchObject({ label: 'Go', disabled: true, disabledReason: expect.stringMatching(/^ui\.reason\./) })
    const { disabledReason } = drawn as { disabledReason: string }
    for (const locale of ['en', 'zh-CN']) expect(localizeLabel(disabledReason, locale)).not.toContain('ui.reason')
    const hinted = compileHints({ title: 'x', actions: [{ label: 'Go', action, ...rest }] }).schema
    expect(JSON.stringify(hinted.root)).toContain('"disabled":true')
  })

  it('US-220 a confirmation that is a text alone is the text of the dialog, and false or null is none', () => {
    const drawn = (confirm: unknown) => readSchema(button(tool, { confirm })).schema!.root.children[0]
    expect(drawn('Really?')).toMatchObject({ confirm: { message: 'Really?' } })
    for (const confirm of ['Really?', false, null]) expect(drawn(confirm)).not.toHaveProperty('disabled')
    expect(drawn(false)).not.toHaveProperty('confirm')
  })

  it('US-220 what only changes the looks of a button does not disable it', () => {
    const [drawn] = readSchema(button(tool, { style: 'loud', icon: 5 })).schema!.root.children
    expect(drawn).not.toHaveProperty('disabled')
  })

  it('US-220 a button that its author has disabled keeps their reason', () => {
    const rest = { disabled: true, disabledReason: 'Not yet', confirm: 5 }
    expect(readSchema(button(tool, rest)).schema!.root.children[0]).toMatchObject({ disabledReason: 'Not yet' })
  })
})
