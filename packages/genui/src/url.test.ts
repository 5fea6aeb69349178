import { describe, expect, it } from 'vitest'
import { judgeUrl } from './url.ts'

describe('A2-109 URL policy', () => {
  it('A2-109 C02 links', () => {
    expect(judgeUrl('https://a.b/', 'link')).toEqual({ ok: true, url: 'https://a.b/', download: false })
    expect(judgeUrl('mailto:a@b.co', 'link')).toMatchObject({ ok: true })
    expect(judgeUrl('data:text/html,x', 'link')).toEqual({ ok: true, url: 'data:text/html,x', download: true })
    for (const url of [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'JAVASCRIPT:x',
      'vbscript:x',
      'file:///x',
      'blob:https://a.b/1',
      '/path',
      '//a.b',
      'https://bank.example@evil.example',
      'https://a.b\\c',
      'https://a\u202eb/',
      'https://',
      '',
      null,
      {},
    ])
      expect(judgeUrl(url, 'link')).toMatchObject({ ok: false })
  })
  it('A2-109 C02 media', () => {
    expect(judgeUrl('data:image/svg+xml,<svg/>', 'image')).toMatchObject({ ok: true })
    expect(judgeUrl('data:video/mp4,x', 'video')).toMatchObject({ ok: false })
    expect(judgeUrl('data:text/html,x', 'image')).toMatchObject({ ok: false })
    expect(judgeUrl('http://a.b/c.mp3', 'audio')).toMatchObject({ ok: true })
  })
  it('A2-109 C02 a space in a path is written out, and the reason names what may be used', () => {
    expect(judgeUrl('https://a.b/two words.png', 'image')).toMatchObject({
      ok: true,
      url: 'https://a.b/two%20words.png',
    })
    expect(judgeUrl('ftp://a.b', 'video')).toEqual({
      ok: false,
      code: 'url_scheme',
      message: 'this address may not be used here: begin with http: or https:',
    })
  })
})
