import { Text } from '@vitrine/protocol'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Boundary } from './boundary.tsx'
import { textOf } from './not-shown.tsx'

// Server rendering has no error boundaries: this drives one as React does. survive.test.ts does it in a browser.
const props = { fallback: (error: unknown) => `failed: ${error}`, children: 'content' }

function drive(content: unknown) {
  let state = new Boundary({ ...props, content }).state
  return {
    fail: (error: unknown) => {
      state = { ...state, ...Boundary.getDerivedStateFromError(error) }
    },
    draw: (now: unknown) => {
      state = { ...state, ...Boundary.getDerivedStateFromProps({ ...props, content: now }, state) }
      const boundary = new Boundary({ ...props, content: now })
      boundary.state = state
      return renderToStaticMarkup(boundary.render() as ReactElement)
    },
  }
}

describe('a boundary', () => {
  it('P-284 US-73 says that its content could not be drawn, and tries again with other content only', () => {
    const boundary = drive(1)
    expect(boundary.draw(1)).toBe('content')
    boundary.fail('broken')
    expect(boundary.draw(1)).toBe('failed: broken')
    expect(boundary.draw(1)).toBe('failed: broken')
    expect(boundary.draw(2)).toBe('content')
    boundary.fail(undefined)
    expect(boundary.draw(2)).toBe('failed: undefined')
  })

  it('P-284 what could not be shown can be looked at, whatever it is', () => {
    const text = new Text()
    text.append('said')
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(textOf(() => 'plain')).toBe('plain')
    expect(JSON.parse(textOf(() => ({ text, set: new Set([1]), map: new Map([['a', 1]]) })))).toEqual({
      text: 'said',
      set: [1],
      map: [['a', 1]],
    })
    expect(textOf(() => cyclic)).toBe('[object Object]')
    expect(textOf(() => undefined)).toBe('undefined')
  })
})
