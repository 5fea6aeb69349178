import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkbench, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench()
})
afterAll(() => workbench.close())

describe('the built page on the wire', () => {
  it('P-448 goes out compressed to a client that accepts it and plain to one that does not', async () => {
    const get = async (path: string, encoding: string) => {
      const response = await fetch(new URL(path, workbench.url), { headers: { 'accept-encoding': encoding } })
      const sent = Number(response.headers.get('content-length'))
      return { encoding: response.headers.get('content-encoding'), sent, text: await response.text() }
    }
    const page = await get('/', 'identity')
    const files = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      const [br, gzip, plain] = [await get(file, 'br'), await get(file, 'gzip'), await get(file, 'identity')]
      expect([br.encoding, gzip.encoding, plain.encoding]).toEqual(['br', 'gzip', null])
      // fetch has decompressed both, so the texts are equal. The compressed form had fewer bytes on the wire.
      expect([br.text, gzip.text]).toEqual([plain.text, plain.text])
      expect(br.sent).toBeLessThan(gzip.sent)
      expect(gzip.sent).toBeLessThan(plain.sent)
    }
  })

  it('P-448 P-441 P-8200 the first load of a real browser is at most 180 KB on the wire with the API, and one font', async () => {
    const context = await workbench.browser.newContext()
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    let bytes = 0
    const fonts = new Map<string, number>()
    cdp.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Font') fonts.set(requestId, 0)
    })
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (fonts.has(requestId)) fonts.set(requestId, encodedDataLength)
      else bytes += encodedDataLength
    })
    await page.goto(workbench.url, { waitUntil: 'load' })
    await page.getByRole('button', { name: 'Settings' }).waitFor()
    // The font is asked for when the first text is drawn, and comes after it.
    await expect.poll(() => Math.max(0, ...fonts.values()), { timeout: 10_000 }).toBeGreaterThan(0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(180_000)
    expect(fonts.size).toBe(1)
    expect(Math.max(...fonts.values())).toBeLessThan(50_000)
    await context.close()
  })
})

describe('the token', () => {
  it('P-814 is changed in the settings: this browser goes on, the other one is told to sign in again', async () => {
    const mine = await workbench.page()
    const other = await workbench.page()
    await mine.getByRole('button', { name: 'Settings' }).click()
    await mine.getByRole('button', { name: 'Change the token' }).click()
    await mine.getByText('Every other browser and every program').waitFor()
    await mine.getByRole('button', { name: 'Change it and sign out everybody else' }).click()
    const address = await mine.getByRole('status').locator('code', { hasText: 'token=' }).textContent()
    await other.getByRole('heading', { name: 'Sign in to Vitrine' }).waitFor()
    const statusIn = (page: typeof mine) => page.evaluate(async () => (await fetch('/api/health')).status)
    expect([await statusIn(mine), await statusIn(other)]).toEqual([200, 401])
    await other.goto(address!)
    await expect.poll(() => statusIn(other)).toBe(200)
    await mine.context().close()
    await other.context().close()
  })
})
