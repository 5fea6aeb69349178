import { afterAll, describe, expect, it } from 'vitest'
import type { Diagnostic } from './ops.ts'
import { isLinear } from './regex.ts'
import { nodeRegexWorker } from './regex-node.ts'
import { SurfaceModel } from './surface-model.ts'
import { linkUrl, mediaUrl } from './url.ts'

describe('A2-108 which patterns run on the page', () => {
  it.each([
    '^\\d{10}$',
    '^\\+?[0-9]{10,15}$',
    '^[0-9]{5}$',
    '^[A-Z]',
    '^abc$',
    '[a-z]{3}',
    '^(?:a|b)*c$',
    '^[^,]*,[^,]*$',
    '^\\w+@\\w+$',
    '^.{8,64}$',
    '^a{3,}b$',
    '^(ab)+$',
    '^$',
  ])('A2-108 %s is linear', pattern => expect(isLinear(pattern)).toBe(true))
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '(a*)*',
    '^a*a*$',
    '^(a|ab)(c|bcd)*$',
    'a*b',
    '^([a-z]+)*$',
    '(x+x+)+y',
    '^(?=a)b',
    '^(a)\\1$',
    '^.*.*$',
    '^\\bx',
    '^a|b*',
    '(',
    '[',
    '^(a?){30}a{30}$',
    '^x{1,5000}$',
    'a**',
  ])('A2-108 %s goes to the worker', pattern => expect(isLinear(pattern)).toBe(false))
  it('A2-108 C05 what is called linear is fast on a long text', () => {
    const long = 'a'.repeat(30_000)
    for (const pattern of ['^(?:a|b)*c$', '^[^,]*,[^,]*$', '^.{8,64}$', '^(ab)+$', '[a-z]{3}!']) {
      if (!isLinear(pattern)) continue
      const start = performance.now()
      new RegExp(pattern).test(long)
      expect(performance.now() - start).toBeLessThan(100)
    }
  })
})

describe('A2-108 the worker', () => {
  const worker = nodeRegexWorker()
  afterAll(() => worker.close())

  it('A2-108 answers, and stops what takes too long without losing the others', async () => {
    const evil = worker.test('^(a+)+$', `${'a'.repeat(40)}!`)
    const good = worker.test('^(a|b)+x?$', 'abba')
    const bad = worker.test('(', 'x')
    expect(await Promise.all([evil, good, bad])).toEqual(['timeout', true, false])
  })

  const field = (pattern: string, regexWorker?: typeof worker) => {
    const seen: Diagnostic[] = []
    const check = { condition: { call: 'regex', args: { value: { path: '/v' }, pattern } }, message: 'wrong' }
    const model = new SurfaceModel(
      { surfaceId: 's', onDiagnostic: d => seen.push(d), ...(regexWorker ? { regexWorker } : {}) },
      [
        { op: 'create', root: 'root' },
        { op: 'upsert', id: 'root', component: { type: 'Button', text: 'x', checks: [check] } },
      ],
    )
    return { model, seen }
  }
  const told = (model: SurfaceModel) => new Promise<void>(done => void model.subscribe('root', done))

  it('A2-108 a check waits for its answer, and a button waits with it', async () => {
    const { model } = field('^([a-z]+)*$', worker)
    model.apply([{ op: 'set', path: '/v', value: 'abc' }])
    expect(model.getNode('root')).toMatchObject({ pending: true, disabled: true, errors: [] })
    await told(model)
    expect(model.getNode('root')).toMatchObject({ pending: false, disabled: false, errors: [] })
  })
  it('A2-108 C05 a time-out counts as not matching and is a diagnostic', async () => {
    const { model, seen } = field('^(a+)+$', worker)
    model.apply([{ op: 'set', path: '/v', value: `${'a'.repeat(40)}!` }])
    const start = performance.now()
    model.getNode('root')
    expect(performance.now() - start).toBeLessThan(50)
    await told(model)
    expect(model.getNode('root')).toMatchObject({ pending: false, errors: ['wrong'] })
    expect(seen).toMatchObject([{ code: 'regex_timeout' }])
  })
  it('A2-108 without a worker the pattern is refused', () => {
    const { model, seen } = field('^(a+)+$')
    expect(model.getNode('root')).toMatchObject({ errors: ['wrong'] })
    expect(seen).toMatchObject([{ code: 'regex_refused' }])
  })
})

describe('A2-109 URL policy', () => {
  it('A2-109 C02 links', () => {
    expect(linkUrl('https://a.b/')).toEqual({ ok: true, url: 'https://a.b/' })
    expect(linkUrl('mailto:a@b.co')).toMatchObject({ ok: true })
    expect(linkUrl('data:text/html,x')).toEqual({ ok: true, url: 'data:text/html,x', download: true })
    for (const url of [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'JAVASCRIPT:x',
      'vbscript:x',
      'file:///x',
      'blob:https://a.b/1',
      '/path',
      '//a.b',
      '',
      null,
      {},
    ])
      expect(linkUrl(url)).toMatchObject({ ok: false })
  })
  it('A2-109 C02 media', () => {
    expect(mediaUrl('data:image/svg+xml,<svg/>', 'image')).toMatchObject({ ok: true })
    expect(mediaUrl('data:video/mp4,x', 'video')).toMatchObject({ ok: false })
    expect(mediaUrl('data:text/html,x', 'image')).toMatchObject({ ok: false })
    expect(mediaUrl('http://a.b/c.mp3', 'audio')).toMatchObject({ ok: true })
  })
})
