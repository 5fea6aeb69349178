import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Icon } from './icon.tsx'
import { CircleAlert } from './icons.ts'
import { loadIcons, NamedIcon } from './named-icon.tsx'

const inside = (svg: string) => svg.replace(/^<svg[^>]*>|<\/svg>$/g, '')

describe('US-72 icons', () => {
  it('draws what lucide draws, and is decoration unless it has a label', () => {
    const html = renderToStaticMarkup(<Icon of={CircleAlert} />)
    expect(inside(html)).toMatch(/^<circle cx="12" cy="12" r="10"/)
    expect(html).toContain('aria-hidden="true"')
    expect(renderToStaticMarkup(<Icon of={CircleAlert} label="Failed" />)).toContain('role="img" aria-label="Failed"')
  })

  it('A2-140 an icon that an agent names comes when the set has been fetched; a name that nobody knows has a fallback', async () => {
    const named = (name: string) =>
      renderToStaticMarkup(<NamedIcon name={name} vocabulary="lucide" unknown={<b>?</b>} />)
    expect(named('circle-alert')).toBe('')
    await loadIcons()
    expect(named('circle-alert')).toBe(renderToStaticMarkup(<Icon of={CircleAlert} />))
    expect(named('no-such-icon')).toBe('<b>?</b>')
  })
})
