import type { Fallback } from '@vitrine/protocol'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { StatusDot } from '../kit/status-dot.tsx'
import { runTone, sessionTone, Unknown } from './status.tsx'

describe('honest states', () => {
  const words: [string, Fallback, string][] = [
    ['AU-70', 'loading', 'Loading…'],
    ['AU-71', 'unknown', 'Unknown'],
    ['AU-72', 'unavailable', 'Not available'],
    ['AU-73', 'stale', 'May be out of date'],
    ['AU-74', 'blocked', 'Blocked'],
    ['AU-75', 'needs-input', 'Needs you'],
    ['AU-76', 'failed', 'Failed'],
    ['AU-77', 'disputed', 'Disputed'],
  ]
  it.each(words)('%s L8 %s is said in words', (_row, why, text) => {
    expect(renderToStaticMarkup(<Unknown why={why} />)).toContain(`>${text}<`)
  })

  it('P-271 a status dot has a text alternative', () => {
    const html = renderToStaticMarkup(<StatusDot tone={runTone.waiting} label="Waiting for you" />)
    expect(html).toContain('role="img"')
    expect(html).toContain('aria-label="Waiting for you"')
  })

  it('P-271 an interrupted session has a dot of its own, unlike an idle or a completed one', () => {
    expect(sessionTone.interrupted).toBe('stopped')
    expect([sessionTone.idle, runTone.completed, sessionTone.failed]).not.toContain('stopped')
  })
})
