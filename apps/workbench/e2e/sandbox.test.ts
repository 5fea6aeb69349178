import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Agent, AgentOutput } from '@vitrine/server'
import { build } from 'esbuild'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { answers, begin, composer, ended, openWorkbench, type Workbench } from './harness.ts'

const FLOW = `flowchart LR
  ask[Ask the guide] --> answer{Is it clear?}
  answer -->|yes| done(Done)
  answer -->|no| ask`

/** Says the rest of the turn as a diagram; with many words after it when they are wanted. */
const drawer: Agent = {
  agentId: 'drawer',
  name: 'Drawer',
  description: 'Draws what it is told',
  scripted: true,
  async *run({ text }): AsyncGenerator<AgentOutput> {
    const [first = '', ...rest] = text.split('\n')
    const source = rest.join('\n')
    const after = first === 'far' ? 'A line of text.\n\n'.repeat(200) : ''
    const said = `Here it is:\n\n\`\`\`mermaid\n${source}\n\`\`\`\n\n${after}That is all.`
    yield { type: 'text.delta', partId: 'said', delta: said }
  },
}

/** The frame of the sandbox that is on the page. */
async function sandboxOf(page: Page): Promise<Frame> {
  const element = await page.locator('iframe.v-sandbox').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('There is no sandbox on the page.')
  return frame
}

const turn = (source: string, first = 'draw') => `${first}\n${source}`

describe('a hostile document in a sandbox', () => {
  let workbench: Workbench
  let site: Server
  let beacon: string
  /** What another site was asked for, and what our own server was asked for with a mark of the attacker. */
  const stolen: string[] = []
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url?.includes('stolen')) stolen.push(`${request.headers.host} ${request.url}`)
  }

  beforeAll(async () => {
    subscribe('http.server.request.start', onRequest)
    site = createServer((_request, response) => response.end('<script>parent.postMessage("mine", "*")</script>'))
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    beacon = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    workbench = await openWorkbench({
      agents: [drawer],
      async prepare(staticFolder) {
        const script = await build({
          entryPoints: [join(import.meta.dirname, 'hostile-guest.fixture.ts')],
          bundle: true,
          write: false,
          format: 'esm',
        })
        const html = '<!doctype html><script type="module" src="./assets/hostile.js"></script><body>'
        await writeFile(join(staticFolder, 'sandbox/mermaid.html'), html)
        await writeFile(join(staticFolder, 'sandbox/assets/hostile.js'), script.outputFiles[0]!.contents)
        // The compressed forms of the real document would be served instead.
        for (const suffix of ['br', 'gz'])
          await rm(join(staticFolder, `sandbox/mermaid.html.${suffix}`), { force: true })
      },
    })
  })
  afterAll(async () => {
    unsubscribe('http.server.request.start', onRequest)
    await workbench.close()
    site.closeAllConnections()
    site.close()
  })

  const start = async (what: string, page?: Page) => {
    const shown = page ?? (await workbench.page())
    await begin(shown, turn(`${what} ${new URL(workbench.url).origin} ${beacon}`))
    return shown
  }

  it('S01 S02 S03 S04 S05 S06 S07 S08 S10 S11 S12 every attack fails, and nothing leaves the frame', async () => {
    const page = await workbench.page()
    const dialogs: string[] = []
    const downloads: string[] = []
    page.on('dialog', dialog => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('download', download => downloads.push(download.suggestedFilename()))
    page.context().on('page', () => dialogs.push('a new page'))
    await start('attack', page)
    const address = page.url()
    const frame = await sandboxOf(page)
    const report = await frame.locator('#report').textContent()
    const results = JSON.parse(report!) as Record<string, string>

    expect(results).toEqual({
      'S01 cookie': 'SecurityError',
      'S01 localStorage': 'SecurityError',
      'S01 indexedDB': 'SecurityError',
      'S02 parent.document': 'SecurityError',
      'S02 frameElement': 'null',
      'S03 top.location': 'SecurityError',
      'S04 window.open': 'null',
      'S04 alert': 'undefined',
      'S04 confirm': 'false',
      'S05 form': 'submitted',
      'S05 download': 'clicked',
      'S06 service worker': 'SecurityError',
      'S07 fetch': 'TypeError',
      'S07 xhr': 'TypeError',
      'S08 no-cors post': 'TypeError',
      'S08 image': 'TypeError',
      'S08 prefetch': 'TypeError',
      'S08 socket': 'TypeError',
      'S08 beacon': 'asked',
      'S08 events': 'TypeError',
      'S08 script': 'TypeError',
      'S10 nest': expect.stringMatching(/loaded|nothing/),
      'S11 meta': 'TypeError',
      'S12 eval': 'EvalError',
      'S12 Function': 'EvalError',
      'S12 data import': 'TypeError',
      'S12 inline script': 'did not run',
      'S12 inline style': expect.not.stringContaining('1, 2, 3'),
    })
    await page.waitForTimeout(300)
    expect([dialogs, downloads, stolen.splice(0), page.url()]).toEqual([[], [], [], address])
    // What stands in the nested frame is the browser's own page about a blocked frame, and not ours.
    const nested = frame.childFrames().map(child => child.url())
    expect(nested.filter(url => url.startsWith(new URL(workbench.url).origin))).toEqual([])
  })

  it('S07 what a sandbox loads carries no cookie and has no origin', async () => {
    const heads: { path: string; cookie: boolean; origin: string | undefined }[] = []
    const note = (message: unknown) => {
      const { request } = message as { request: IncomingMessage }
      if (!request.url?.includes('/sandbox/') || request.url.endsWith('.html')) return
      heads.push({
        path: request.url.split('/').at(-1)!,
        cookie: 'cookie' in request.headers,
        origin: request.headers.origin,
      })
    }
    subscribe('http.server.request.start', note)
    const page = await start('nothing')
    await page.locator('figure[data-state=drawn]').waitFor()
    unsubscribe('http.server.request.start', note)
    expect(heads).toEqual([{ path: 'hostile.js', cookie: false, origin: 'null' }])
  })

  it('S09 P-9011 one that leaves its place is stopped, revoked and replaced by a card with its source', async () => {
    const page = await start('navigate')
    await page.getByText('The diagram was closed because it tried to leave its place.').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    expect(stolen.splice(0)).toEqual([])
    await page.locator('.v-diagram pre').getByText('navigate').waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('S09 P-9011 one that loads itself again gets no second port', async () => {
    const page = await start('reload')
    await page.getByText('The diagram was closed because it tried to leave its place.').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('P-9013 one that floods the page is closed, and the page goes on', async () => {
    const page = await start('flood')
    await page.getByText('The diagram was closed because it would not stop sending.').waitFor()
    await composer(page).fill('Still here')
    expect(await composer(page).inputValue()).toBe('Still here')
  })

  it('P-9620 one that takes the focus while somebody types has it for a moment only, and who presses in it has put it there', async () => {
    const page = await workbench.page()
    await begin(page, turn('focus 1'))
    await page.locator('figure[data-state=drawn]').waitFor()
    const frame = await sandboxOf(page)
    await composer(page).click()
    await page.keyboard.type('before ')
    await frame.locator('input[data-tried]').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-composer'))).toBe(true)
    await page.keyboard.type('after')
    expect(await composer(page).inputValue()).toBe('before after')
    // The pointer goes into the frame as a hand moves it, and the person presses there.
    const box = (await page.locator('iframe.v-sandbox').boundingBox())!
    await page.mouse.move(box.x + 30, box.y - 60, { steps: 5 })
    await page.mouse.move(box.x + 30, box.y + 15, { steps: 10 })
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('iframe')
    await page.close()
  })

  it('P-9620 one that goes on taking the focus is closed, and the keys go to where the person writes', async () => {
    const page = await workbench.page()
    await begin(page, turn('focus 20'))
    await composer(page).click()
    await page.getByText('The diagram was closed because it kept taking the keyboard.').waitFor()
    await page.keyboard.type('still here')
    expect(await composer(page).inputValue()).toMatch(/still here$/)
    await page.close()
  })

  it('P-9012 one that wants to be endless stays within its limit', async () => {
    const page = await start('grow')
    await page.locator('figure[data-state=drawn]').waitFor()
    const box = await page.locator('iframe.v-sandbox').boundingBox()
    expect(box!.height).toBe(720)
  })

  it('P-9023 one that never answers is given up, and can be tried again', async () => {
    const page = await workbench.page()
    await page.clock.install()
    await start('hang', page)
    await page.locator('iframe.v-sandbox').waitFor()
    await page.clock.fastForward(16_000)
    await page.getByText('Drawing took too long and was stopped.').waitFor()
    await page.locator('.v-diagram').getByRole('button', { name: 'Try again' }).click()
    await page.locator('iframe.v-sandbox').waitFor()
  })

  it('S15 its address opened as a page of its own has no origin either', async () => {
    const page = await start('nothing')
    const address = await page.locator('iframe.v-sandbox').getAttribute('src')
    const alone = await page.context().newPage()
    await alone.goto(address!)
    const found = await alone.evaluate(() => {
      const attempt = (read: () => unknown) => {
        try {
          return String(read())
        } catch (error) {
          return (error as Error).name
        }
      }
      return [self.origin, attempt(() => document.cookie), attempt(() => localStorage.length)]
    })
    expect(found).toEqual(['null', 'SecurityError', 'SecurityError'])
    await alone.close()
  })

  it('S17 no frame ever has both rights, and each has a policy that limits it', async () => {
    const page = await workbench.page()
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(globalThis, { framesSeen: seen })
      new MutationObserver(records => {
        for (const { target, addedNodes } of records) {
          for (const node of [target, ...addedNodes]) {
            if (!(node instanceof Element)) continue
            for (const frame of [node, ...node.querySelectorAll('iframe')]) {
              if (frame instanceof HTMLIFrameElement) seen.push(frame.sandbox.value)
            }
          }
        }
      }).observe(document, { subtree: true, childList: true, attributeFilter: ['sandbox', 'src'] })
    })
    await page.reload()
    await start('nothing', page)
    await page.locator('figure[data-state=drawn]').waitFor()
    const seen = await page.evaluate(() => (globalThis as unknown as { framesSeen: string[] }).framesSeen)
    expect(new Set(seen)).toEqual(new Set(['allow-scripts']))
  })

  it('S09 the page itself may frame nothing else', async () => {
    const page = await workbench.page()
    workbench.errors()
    for (const address of [beacon, `${new URL(workbench.url).origin}/`, 'data:text/html,x']) {
      const blocked = await page.evaluate(
        src =>
          new Promise<string>(resolve => {
            document.addEventListener('securitypolicyviolation', event => resolve(event.effectiveDirective), {
              once: true,
            })
            const frame = document.createElement('iframe')
            frame.src = src
            document.body.append(frame)
          }),
        `${address}#stolen`,
      )
      expect(blocked).toBe('frame-src')
    }
    expect(stolen.splice(0)).toEqual([])
  })
})

describe('diagrams', () => {
  let workbench: Workbench
  beforeAll(async () => {
    workbench = await openWorkbench({ agents: [drawer] })
  })
  afterAll(async () => {
    expect(workbench.errors()).toEqual([])
    await workbench.close()
  })

  const drawn = async (page: Page) => {
    await page.locator('figure[data-state=drawn]').waitFor({ timeout: 30_000 })
    return sandboxOf(page)
  }

  it('P-9020 P-9021 a diagram is drawn in a sandbox, with words for those who do not see it, its source and copy', async () => {
    const page = await workbench.page()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await begin(page, turn(FLOW))
    const frame = await drawn(page)
    await frame.locator('svg').getByText('Ask the guide').first().waitFor()
    expect(await page.locator('iframe.v-sandbox').getAttribute('title')).toBe('Diagram: flowchart')
    const figure = page.locator('figure.v-diagram')
    const words = await figure.locator('.v-unseen').textContent()
    for (const word of ['Ask the guide', 'Is it clear?', 'Done', 'yes', 'no']) expect(words).toContain(word)
    const box = (await page.locator('iframe.v-sandbox').boundingBox())!
    const content = await frame.locator('svg').evaluate(svg => svg.getBoundingClientRect().bottom)
    expect(box.height).toBeGreaterThanOrEqual(content)
    expect(box.height).toBeLessThan(content + 40)

    const source = figure.getByRole('button', { name: 'Source', exact: true })
    await source.focus()
    await source.press('Enter')
    await figure.locator('pre').getByText('flowchart LR').waitFor()
    expect(await source.getAttribute('aria-pressed')).toBe('true')
    expect(await page.locator('iframe.v-sandbox').isVisible()).toBe(false)
    expect(await violations(page)).toEqual([])
    await source.press('Enter')
    expect(await page.locator('iframe.v-sandbox').isVisible()).toBe(true)
    expect(await violations(page)).toEqual([])
    await figure.getByRole('button', { name: 'Copy the source' }).click()
    await figure.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(FLOW)
  })

  it('P-9020 has the colours of the page, and changes them with it', async () => {
    const page = await workbench.page()
    await begin(page, turn(FLOW))
    const frame = await drawn(page)
    const colour = () =>
      frame.evaluate(() =>
        getComputedStyle(document.querySelector('svg text, svg tspan')!).fill.match(/\d+/g)!.map(Number),
      )
    const light = await colour()
    expect(Math.max(...light)).toBeLessThan(110)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(async () => Math.min(...(await colour()))).toBeGreaterThan(180)
    expect(await frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  })

  it.each([
    ['sequenceDiagram', 'sequenceDiagram\n  Ann->>Guide: Hello\n  Guide-->>Ann: Hi', 'Hello'],
    ['pie', 'pie title Pets\n  "Dogs" : 3\n  "Cats" : 2', 'Dogs'],
    ['gantt', 'gantt\n  dateFormat YYYY-MM-DD\n  section Work\n  Build :a, 2030-01-01, 3d', 'Build'],
    ['stateDiagram', 'stateDiagram-v2\n  [*] --> Idle\n  Idle --> Busy', 'Busy'],
    ['classDiagram', 'classDiagram\n  Animal <|-- Duck', 'Duck'],
    ['erDiagram', 'erDiagram\n  PERSON ||--o{ SESSION : has', 'SESSION'],
    ['mindmap', 'mindmap\n  root((Idea))\n    One\n    Two', 'Two'],
  ])('P-9020 draws a %s', async (_kind, source, word) => {
    const page = await workbench.page()
    await begin(page, turn(source))
    const frame = await drawn(page)
    await frame.locator('svg').getByText(word).first().waitFor()
    await page.close()
  })

  it('P-9022 one that cannot be drawn is its source with the reason', async () => {
    const page = await workbench.page()
    await begin(page, turn('flowchart LR\n  A --> --> B'))
    await page.getByText(/This diagram could not be drawn: /).waitFor({ timeout: 30_000 })
    await page.locator('.v-diagram pre').getByText('A --> --> B').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    expect(await violations(page)).toEqual([])
  })

  it('P-9023 C10 what a source says of links, pictures, scripts and settings does nothing', async () => {
    const page = await workbench.page()
    // A request that the policy stops does not come so far.
    const requests: string[] = []
    await page.route(/evil/, route => {
      requests.push(route.request().url())
      return route.abort()
    })
    const source = `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "svg{display:none}"}}%%
flowchart LR
  A["<img src=x onerror=alert(1)>one"] --> B["two"]
  click B "https://evil.test/" _self`
    await begin(page, turn(source))
    const frame = await drawn(page)
    await frame.locator('svg').getByText('two').first().click()
    await page.waitForTimeout(300)
    expect(requests).toEqual([])
    expect(await page.locator('iframe.v-sandbox').isVisible()).toBe(true)

    await begin(page, turn('flowchart LR\n  A@{ img: "https://evil.test/p.png", label: "three" }'))
    await page.locator('figure.v-diagram:not([data-state=waiting])').waitFor({ timeout: 30_000 })
    expect(requests).toEqual([])
    // The policy of the sandbox tells the console what it stopped.
    expect(workbench.errors().filter(text => !text.includes('Content Security Policy'))).toEqual([])
  })

  it('P-9024 nothing of it is loaded before it comes into view', async () => {
    const first = await workbench.page()
    await begin(first, turn(FLOW, 'far'))
    await ended(first)
    const { pathname } = new URL(first.url())
    await first.close()

    const page = await workbench.page()
    const requests: string[] = []
    page.on('request', request => requests.push(new URL(request.url()).pathname))
    // A session opens at its end, and the diagram is far above it.
    await page.goto(new URL(pathname, workbench.url).href)
    await answers(page).getByText('That is all.').waitFor()
    await page.waitForTimeout(500)
    expect(requests.filter(path => path.includes('/sandbox/'))).toEqual([])
    const box = (await answers(page).last().boundingBox())!
    await page.mouse.move(box.x + 50, 300)
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, -3_000)
          return page.locator('figure[data-state=drawn]').count()
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBe(1)
    expect(requests.filter(path => path.includes('/sandbox/')).length).toBeGreaterThan(2)
  })
})
