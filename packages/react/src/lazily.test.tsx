import { Suspense } from 'react'
import { prerender } from 'react-dom/static'
import { describe, expect, it } from 'vitest'
import { lazily } from './lazily.tsx'

const html = async (Content: ReturnType<typeof lazily>) => {
  const { prelude } = await prerender(
    <Suspense fallback="loading">
      <Content />
    </Suspense>,
  )
  return new Response(prelude as ReadableStream).text()
}

describe('what is fetched when it is drawn', () => {
  it('P-810 is drawn when it has come', async () => {
    expect(await html(lazily(async () => ({ default: () => <p>here</p> })))).toContain('<p>here</p>')
  })

  it('P-810 offers a reload in its place when its file is gone', async () => {
    const gone = lazily<object>(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
    expect(await html(gone)).toMatch(/role="alert".*could not be loaded.*<button.*Reload the page/s)
  })
})
