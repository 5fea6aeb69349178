import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { Picture } from '../kit/picture.tsx'
import { RemoteMedia } from './remote-media.tsx'

const buttons = (html: string) =>
  [...html.matchAll(/<button[^>]*>(?:<svg.*?<\/svg>)?(.*?)<\/button>/g)].map(([, text]) => text)

describe('C10 in the place of a medium from elsewhere', () => {
  it('C10 stand its name, its host in words and what a person can do; nothing is requested', () => {
    const html = draw(<Picture src="https://images.example.org/a.png?q=secret" alt="A hill" fallback="broken" />)
    expect(html).not.toMatch(/<img|src=/)
    expect(html).toContain('Image from images.example.org')
    expect(html).toContain('A hill')
    expect(buttons(html)).toEqual(['Show image', 'Always show from images.example.org'])
  })

  it('C10 a host is named as it is reached: in ASCII and with its port', () => {
    const html = draw(<Picture src="https://ex%61mple.com:8443/a.png" alt="" fallback="" />)
    expect(html).toContain('Image from example.com:8443')
    expect(draw(<Picture src="https://еxample.com/a.png" alt="" fallback="" />)).toContain('Image from xn--')
  })

  it('C10 bytes that came along are shown at once', () => {
    const html = draw(<Picture src="data:image/png;base64,AA==" alt="dot" fallback="broken" />)
    expect(html).toContain('<img alt="dot" src="data:image/png;base64,AA==" loading="lazy"')
  })

  it('C10 without a server behind the page there is a link and no button', async () => {
    const { renderToStaticMarkup } = await import('react-dom/server')
    const html = renderToStaticMarkup(
      <RemoteMedia url="https://example.org/a.mp4" kind="video" name="Film">
        {src => <img alt="" src={src} />}
      </RemoteMedia>,
    )
    expect(html).not.toMatch(/<img|<button/)
    expect(html).toContain('href="https://example.org/a.mp4" target="_blank" rel="noopener noreferrer"')
  })
})
