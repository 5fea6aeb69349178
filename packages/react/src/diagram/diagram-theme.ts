import { type RefObject, useEffect, useState } from 'react'
import { DIAGRAM_COLOURS, type DiagramColour, type DiagramTheme } from './diagram-order.ts'

const CHANGES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']

/** The theme at a place of the page, again when a person or the device changes it. Null until it is wanted. */
export function useDiagramTheme(place: RefObject<HTMLElement | null>, wanted: boolean): DiagramTheme | null {
  const [theme, setTheme] = useState<DiagramTheme | null>(null)
  useEffect(() => {
    if (!wanted) return
    const read = () => {
      const { current } = place
      if (!current) return
      const now = themeAt(current)
      setTheme(before => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast', 'class', 'style'] })
    const lists = CHANGES.map(query => matchMedia(query))
    for (const list of lists) list.addEventListener('change', read)
    return () => {
      observer.disconnect()
      for (const list of lists) list.removeEventListener('change', read)
    }
  }, [place, wanted])
  return theme
}

/** Tokens as plain colours: the library of the diagrams does not know newer ways to write one. */
function themeAt(element: HTMLElement): DiagramTheme {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const paint = canvas.getContext('2d', { willReadFrequently: true })
  const read = (name: string) => {
    probe.style.color = `var(--v-${name})`
    return getComputedStyle(probe).color
  }
  const ground = read('surface')
  const hex = (colour: string) => {
    if (!paint) return '#808080'
    // A colour that lets the ground shine through is what it looks like on it.
    for (const layer of [ground, colour]) {
      paint.fillStyle = layer
      paint.fillRect(0, 0, 1, 1)
    }
    const [red = 0, green = 0, blue = 0] = paint.getImageData(0, 0, 1, 1).data
    return `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`
  }
  const colours = Object.fromEntries(DIAGRAM_COLOURS.map(name => [name, hex(read(name))])) as Record<
    DiagramColour,
    string
  >
  probe.remove()
  return { dark: luminance(colours.surface) < 0.5, colours }
}

const luminance = (hex: string): number => {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}
