import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import type { JsonObject } from '@vitrine/protocol'
import type { Agent, AgentOutput } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, openWorkbench, send, type Workbench } from './harness.ts'

/** A picture of one colour. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, 90)])
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** Another site, which learns of everybody who asks it. */
let site: Server
const asked: IncomingMessage[] = []
let host: string
const paths = () => asked.map(({ url }) => url)

const agent: Agent = {
  agentId: 'shower',
  name: 'Shower',
  description: 'Shows pictures of another site',
  scripted: true,
  async *run({ text }, context): AsyncGenerator<AgentOutput> {
    const at = (path: string) => `http://${host}${path}`
    const tool = (name: string) => context.tools.find(one => one.name === name)!
    const said: Record<string, string> = {
      markdown: `Look: ![A hill](${at('/hill.png?secret=42')}) and ![A lake](${at('/lake.png')}).`,
      broken: `![Nothing](${at('/missing.png')})`,
      slow: Array.from({ length: 8 }, (_, number) => `![Slow ${number}](${at(`/slow-${number}.png`)})`).join('\n\n'),
    }
    if (text === 'surface') {
      const node = (id: string, type: string, props: JsonObject) => ({ id, type, props })
      const children = [
        node('image', 'Image', { src: at('/drawn.png'), alt: 'Drawn' }),
        node('avatar', 'Image', { src: at('/avatar.png'), variant: 'avatar' }),
        node('film', 'Video', { src: at('/film.webm') }),
        node('sound', 'AudioPlayer', { src: at('/sound.mp3'), description: 'A sound' }),
      ]
      const root = { ...node('root', 'Column', {}), children }
      const catalogId = 'https://a2ui.org/specification/v0_9/basic_catalog.json'
      const createSurface = { surfaceId: 'drawn', catalogId, root, dataModel: {} }
      await tool('a2ui').call({ envelopes: [{ version: 'v0.9', createSurface }] })
    } else if (text === 'card') {
      yield { type: 'tool.started', partId: 'card', toolCallId: 'card', name: 'show' }
      const image = { type: 'image', url: at('/card.png'), alt: 'On a card', width: 320, height: 200 } as const
      const icon = { type: 'icon', source: 'url', value: at('/icon.png') } as const
      yield {
        type: 'tool.result',
        toolCallId: 'card',
        ui: { version: '2.0', root: { type: 'stack', children: [image, icon] } },
      }
    } else yield { type: 'text.delta', partId: 'said', delta: said[text] ?? text }
  },
}

let workbench: Workbench
beforeAll(async () => {
  site = createServer((request, response) => {
    asked.push(request)
    if (request.url?.startsWith('/slow')) return
    if (request.url?.startsWith('/missing')) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'spy=1' }).end(png(320, 200))
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`
  workbench = await openWorkbench({ agents: [agent], media: { local: [host] } })
})
afterEach(() => {
  asked.length = 0
})
afterAll(async () => {
  expect(workbench.errors()).toEqual([])
  await workbench.close()
  site.closeAllConnections()
  site.close()
})

/** Time in which a page that loads by itself would have asked. */
const aWhile = (page: Page) => page.waitForTimeout(600)

/** What the browser itself asked other hosts for: never anything. */
function outsideOf(page: Page): string[] {
  const requests: string[] = []
  page.on('request', request => {
    const { protocol, host: asks } = new URL(request.url())
    if (/^(?:http|ws)s?:$/.test(protocol) && asks !== new URL(workbench.url).host) requests.push(request.url())
  })
  return requests
}

describe('C10 media of other sites on the page', () => {
  it('C10 nothing is requested before a click: not from markdown, A2UI, UI Schema, nor an icon', async () => {
    const page = await workbench.page()
    const outside = outsideOf(page)
    for (const [text, words] of [
      ['markdown', `Image from ${host}`],
      ['surface', `Video from ${host}`],
      ['card', 'On a card'],
    ] as const) {
      await begin(page, text)
      await ended(page)
      await page.getByText(words).first().waitFor()
      await aWhile(page)
      expect(await violations(page)).toEqual([])
    }
    expect(await page.locator('img[src*="://"], video, audio').count()).toBe(0)
    expect([paths(), outside]).toEqual([[], []])
  })

  it('C10 a click, by keyboard too, shows this one picture through our own route', async () => {
    const page = await workbench.page()
    const outside = outsideOf(page)
    await begin(page, 'markdown')
    await ended(page)
    const show = page.getByRole('button', { name: 'Show image', exact: true }).first()
    await show.focus()
    await show.press('Enter')
    const picture = page.getByRole('img', { name: 'A hill' })
    await picture.waitFor()
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
    expect(await picture.getAttribute('src')).toContain('/api/media?')
    expect([paths(), outside]).toEqual([['/hill.png?secret=42'], []])
    const { headers } = asked[0]!
    expect([headers.cookie, headers.referer, headers['accept-language']]).toEqual([undefined, undefined, undefined])
    expect(await page.getByText(`Image from ${host}`).count()).toBe(1)
  })

  it('C10 P-9004 a host is allowed for good, and taken back in the settings', async () => {
    const page = await workbench.page()
    await begin(page, 'markdown')
    await ended(page)
    await page
      .getByRole('button', { name: `Always show from ${host}` })
      .first()
      .click()
    await page.getByRole('img', { name: 'A lake' }).waitFor()
    expect(paths().sort()).toEqual(['/hill.png?secret=42', '/lake.png'])
    await page.reload()
    await page.getByRole('img', { name: 'A lake' }).waitFor()

    await begin(page, 'card')
    const card = page.getByRole('img', { name: 'On a card' })
    await card.waitFor()

    await page.getByRole('button', { name: 'Settings' }).first().click()
    await page.getByRole('button', { name: `Ask again for ${host}` }).click()
    await page.getByText('No sites yet.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show image', exact: true }).waitFor()
    expect(await card.count()).toBe(0)
  })

  it('C10 P-9003 the hosts of the configuration are shown without a click', async () => {
    const other = await openWorkbench({ agents: [agent], media: { local: [host], hosts: [host] } })
    try {
      const page = await other.page()
      await begin(page, 'markdown')
      await page.getByRole('img', { name: 'A hill' }).waitFor()
      await page.getByRole('img', { name: 'A lake' }).waitFor()
      expect(other.errors()).toEqual([])
    } finally {
      await other.close()
    }
  })

  it('C10 a picture that cannot be loaded says so, and can be tried again', async () => {
    const page = await workbench.page()
    await begin(page, 'broken')
    await ended(page)
    await page.getByRole('button', { name: 'Show image', exact: true }).click()
    await page.getByText(`The image from ${host} could not be loaded.`).waitFor()
    await page.locator('.v-remote').getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => paths().length).toBe(2)
    await page.getByText(`The image from ${host} could not be loaded.`).waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('C10 the policy of the page stops a request that gets past all of this', async () => {
    const page = await workbench.page()
    const stopped = await page.evaluate(
      address =>
        new Promise<string[]>(resolve => {
          const seen: string[] = []
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
            seen.push(effectiveDirective)
            if (seen.length === 3) resolve(seen.sort())
          })
          new Image().src = address
          document.createElement('video').src = address
          const style = document.createElement('link')
          style.rel = 'stylesheet'
          style.href = address
          document.head.append(style)
        }),
      `http://${host}/beacon`,
    )
    expect(stopped).toEqual(['img-src', 'media-src', 'style-src-elem'])
    expect(paths()).toEqual([])
    expect(workbench.errors().every(text => text.includes('Content Security Policy'))).toBe(true)
  })

  it('P-9005 a slow site does not take the connections that the page needs', async () => {
    const page = await workbench.page()
    await begin(page, 'slow')
    await ended(page)
    await page
      .getByRole('button', { name: `Always show from ${host}` })
      .first()
      .click()
    await expect.poll(() => paths().length).toBe(3)
    await aWhile(page)
    expect(paths()).toHaveLength(3)
    await send(page, 'still here')
    await ended(page, 2)
    await page.getByRole('article', { name: 'Answer', exact: true }).getByText('still here').waitFor()
    expect(await composer(page).inputValue()).toBe('')
  })

  it('C10 the plates fit a phone', async () => {
    const page = await workbench.page({ width: 390, height: 844 })
    await begin(page, 'markdown')
    await ended(page)
    await page.getByText(`Image from ${host}`).first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    for (const button of await page.locator('.v-remote .v-button').all()) {
      const box = (await button.boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(390)
    }
  })
})
