import CircleAlert from 'lucide-react/icons/circle-alert'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Shape } from './shape.tsx'

const inside = (svg: string) => svg.replace(/^<svg[^>]*>|<\/svg>$/g, '')

it('US-72 a shape draws what the icon of the same name draws', () => {
  const shape = inside(renderToStaticMarkup(<Shape name="circle-alert" />))
  expect(shape).toContain('<')
  expect(shape).toBe(inside(renderToStaticMarkup(<CircleAlert />)))
})
