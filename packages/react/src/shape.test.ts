import { describe, expect, it } from 'vitest'
import { shapes } from './shape.tsx'

type Part = readonly [string, Readonly<Record<string, string>>]

/** The files behind names that are aliases of others. */
const files: Readonly<Record<string, string>> = {
  'circle-alert': 'circle-exclamation-point',
  'triangle-alert': 'triangle-exclamation-point',
}

function pathOf([tag, given]: Part): string {
  const n = (key: string): number => Number(given[key])
  switch (tag) {
    case 'circle':
      return `M${n('cx') + n('r')} ${n('cy')}a${n('r')} ${n('r')} 0 1 1-${2 * n('r')} 0 ${n('r')} ${n('r')} 0 1 1 ${2 * n('r')} 0z`
    case 'line':
      return `M${n('x1')} ${n('y1')}L${n('x2')} ${n('y2')}`
    case 'rect': {
      const r = n('rx')
      const [across, down] = [n('width') - 2 * r, n('height') - 2 * r]
      const corner = (x: number, y: number) => `a${r} ${r} 0 0 1 ${x} ${y}`
      return `M${n('x') + r} ${n('y')}h${across}${corner(r, r)}v${down}${corner(-r, r)}h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`
    }
    // The first move of a path is meant from the corner, also in lower case.
    default:
      return given.d!.replace(/^m(-?[\d.]+) ?(-?[\d.]+)/, 'M$1 $2l')
  }
}

describe('shapes', () => {
  it.each(Object.entries(shapes))('US-72 %s is the picture that Lucide has', async (name, path) => {
    const { __iconData } = await import(`lucide-react/icons/${files[name] ?? name}`)
    expect(path).toBe((__iconData.node as Part[]).map(pathOf).join(''))
  })
})
