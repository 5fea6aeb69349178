import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { Diagram } from './diagram.tsx'

describe('P-9024 a diagram before it is drawn', () => {
  it('P-9024 has no frame before it comes into view, and its source behind a button', () => {
    const html = draw(<Diagram code="flowchart LR; A-->B" />)
    expect(html).not.toContain('<iframe')
    expect(html).toMatch(/aria-pressed="false"[^>]*>.*Source/)
    expect(html).toContain('Drawing the diagram…')
  })

  it('P-9025 is its source while it is being written', () => {
    const html = draw(<Diagram code="flowchart LR; A--" complete={false} />)
    expect(html).toContain('flowchart LR; A--')
    expect(html).toContain('The diagram is drawn when it is complete.')
  })

  it('P-9023 is its source with the reason when it is too long', () => {
    const html = draw(<Diagram code={`flowchart LR\n${'A-->B\n'.repeat(5_000)}`} />)
    expect(html).toContain('This diagram is too long to be drawn.')
    expect(html).toContain('<pre')
  })
})
