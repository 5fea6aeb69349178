// Runs inside the sandbox: it takes a source through its one port, draws it, and says what it drew and how high it is.
import type { DiagramOrder, DiagramReport } from '@vitrine/react'
import mermaid from 'mermaid'
import { allowOwnStyles, dropStyles, insert } from './own-styles.ts'
import { themeVariables } from './theme.ts'

/** A drawing that had to be made smaller than this would not be readable: it scrolls instead. */
const LEAST_SCALE = 0.6

allowOwnStyles()
// Links in a drawing lead nowhere: the frame may not leave its place.
document.addEventListener('click', event => event.preventDefault(), true)
window.addEventListener('message', take)

function take({ source, ports: [port] }: MessageEvent): void {
  if (source !== window.parent || !port) return
  window.removeEventListener('message', take)
  const place = document.getElementById('drawing')!
  const say = (message: DiagramReport | { type: 'size'; height: number }) => port.postMessage(message)
  const observer = new ResizeObserver(() => {
    const { width, height } = place.getBoundingClientRect()
    // A frame that is not shown has no size to tell.
    if (width > 0 && window.innerWidth > 0) say({ type: 'size', height: height + scrollBar() })
  })
  observer.observe(place)
  // Each order waits for the one before: the library draws one at a time.
  let drawing = Promise.resolve()
  port.onmessage = ({ data }: MessageEvent<DiagramOrder>) => {
    drawing = drawing.then(() => draw(data, place)).then(say)
  }
}

const scrollBar = (): number =>
  document.documentElement.scrollWidth > window.innerWidth
    ? window.innerHeight - document.documentElement.clientHeight
    : 0

async function draw({ order, source, theme }: DiagramOrder, place: HTMLElement): Promise<DiagramReport> {
  document.documentElement.style.colorScheme = theme.dark ? 'dark' : 'light'
  dropStyles()
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: 'base',
    themeVariables: themeVariables(theme),
    maxTextSize: source.length + 1,
    maxEdges: 400,
    // What a source says of these counts for nothing.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'theme',
      'themeCSS',
      'themeVariables',
      'htmlLabels',
    ],
  })
  try {
    const { svg, diagramType } = await mermaid.render(`drawing-${order}`, source)
    insert(place, svg)
    fit(place.querySelector('svg')!)
    return { type: 'drawn', order, kind: kindOf(diagramType), ...wordsOf(place) }
  } catch (error) {
    place.replaceChildren()
    return { type: 'failed', order, message: error instanceof Error ? error.message : String(error) }
  }
}

/** As wide as the frame, at most as wide as it is by itself, and never too small to read. */
function fit(svg: SVGSVGElement): void {
  const { width } = svg.viewBox.baseVal
  if (width === 0) return
  svg.style.inlineSize = `min(${width}px, max(100vw - 24px, ${Math.round(width * LEAST_SCALE)}px))`
}

/** `flowchart-v2` is a flowchart to its readers. */
const kindOf = (type: string): string => type.replace(/[-_]?v\d+$/i, '')

function wordsOf(place: HTMLElement): { title: string; description: string; labels: string[] } {
  const textOf = (selector: string) => place.querySelector(selector)?.textContent?.trim() ?? ''
  const texts = [...place.querySelectorAll('text')].map(text => text.textContent?.replace(/\s+/g, ' ').trim() ?? '')
  return {
    title: textOf('svg > title'),
    description: textOf('svg > desc'),
    labels: [...new Set(texts)].filter(Boolean),
  }
}
