import { readFile } from 'node:fs/promises'
import type { Agent } from '@vitrine/server'
import { createGuide } from '@vitrine/server'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { answers, begin, ended, openWorkbench, saidIn, type Workbench } from './harness.ts'

const CODE = `export async function placeOrder(cart: Cart) {
  // both at once
  return orders.write({ ttl: '10m', timeout: 250 })
}`

/** A text that has one of everything, with links that lie and pictures from elsewhere. */
const TEXT = `Some **bold words** and [a link](https://example.org/a_b).

The formula $x_1 + y^2$ costs $5 or $10:

$$
\\frac{64}{180} \\approx 0.356
$$

\`\`\`ts
${CODE}
\`\`\`

| Checkout | Now |
| --- | --- |
| Median | 226 ms |

> [!CAUTION]
> Take care.

<details>
<summary>More **of** it</summary>

Inside.

</details>

- [x] done

A note[^1], [bank.com](https://evil.example/), ![a picture](https://pictures.example/p.png) and <b>no HTML</b>.

[^1]: The text of the note.
`

const LONG = `\`\`\`py\n${Array.from({ length: 90 }, (_, at) => `line_${at} = ${at}`).join('\n')}\n\`\`\`\n`
const WIDE = `| ${'wide column | '.repeat(20)}\n|${'---|'.repeat(20)}\n| ${'some words here | '.repeat(20)}\n`

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Says one of the texts: at once, or a letter or two at a time. */
const writer: Agent = {
  agentId: 'writer',
  name: 'Writer',
  description: 'Says a text.',
  scripted: true,
  async *run({ text }) {
    const said = text === 'long' ? LONG : text === 'wide' ? WIDE : text === 'broken' ? '$\\frac{1$ and $x$' : TEXT
    for (let at = 0; at < said.length; at += 3) {
      yield { type: 'text.delta', partId: 'p', delta: said.slice(at, at + 3) }
      if (text === 'slowly') await sleep(6)
    }
    yield { type: 'text.final', partId: 'p' }
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [writer, createGuide({ pace: 0 })] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

async function said(
  text: string,
  options: Parameters<Workbench['page']>[0] = {},
): Promise<{ page: Page; answer: Locator }> {
  const page = await workbench.page(options)
  await begin(page, text)
  await ended(page)
  return { page, answer: answers(page).last() }
}

const colour = (element: Locator) => element.evaluate(node => getComputedStyle(node).color)

describe('markdown in an answer', () => {
  it('P-8902 code has colours of its own in light and dark, made by a thread', async () => {
    const seen = new Map<boolean, string[]>()
    for (const dark of [false, true]) {
      const { page, answer } = await said('all', { dark })
      const code = answer.locator('pre').first()
      const parts = ['export', 'placeOrder', "'10m'", '250', '// both at once'].map(text =>
        code.locator('span', { hasText: text }).last(),
      )
      for (const part of parts) await part.waitFor()
      const plain = await colour(code)
      const colours = await Promise.all(parts.map(colour))
      expect(new Set([...colours, plain]).size).toBe(6)
      seen.set(dark, colours)
      expect(page.workers().some(worker => worker.url().includes('markdown-thread'))).toBe(true)
      await page.close()
    }
    for (const [at, light] of seen.get(false)!.entries()) expect(seen.get(true)![at]).not.toBe(light)
  })

  it('P-9487 a thread that cannot be fetched is fetched again: until then formulas are shown as they were written', async () => {
    const page = await workbench.page()
    await page.route('**/*markdown-thread*', route => route.abort())
    await begin(page, 'all')
    await ended(page)
    const answer = answers(page).last()
    await answer.locator('.v-maths-source').getByText('$x_1 + y^2$').waitFor()
    expect(await answer.locator('pre').first().textContent()).toContain('placeOrder')
    await page.unroute('**/*markdown-thread*')
    await answer.locator('math mfrac').waitFor()
    await answer.locator('pre').first().locator('span', { hasText: 'export' }).last().waitFor()
    expect(await answer.locator('.v-maths-source').count()).toBe(0)
    await page.close()
  })

  it('P-8903 code is copied and downloaded as it was written, and wraps', async () => {
    const { page, answer } = await said('all')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const block = answer.locator('figure').first()
    await block.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE)
    const download = page.waitForEvent('download')
    await block.getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('code.ts')
    expect(await readFile(await file.path(), 'utf8')).toBe(CODE)
    const wrap = block.getByRole('button', { name: 'Wrap lines' })
    await wrap.press('Enter')
    expect(await wrap.getAttribute('aria-pressed')).toBe('true')
    expect(await block.locator('pre').evaluate(pre => getComputedStyle(pre).whiteSpace)).toBe('pre-wrap')
    await page.close()
  })

  it('P-8903 long code is folded and opens', async () => {
    const { page, answer } = await said('long')
    await answer.getByText('line_39 = 39').waitFor()
    expect(await answer.getByText('line_40 =').count()).toBe(0)
    await answer.getByRole('button', { name: 'Show 50 more lines' }).click()
    await answer.getByText('line_89 =').waitFor()
    await page.close()
  })

  it('P-8904 formulas are laid out, prices stay text, and what is no formula is shown as it was written', async () => {
    const { page, answer } = await said('all')
    const fraction = answer.locator('math mfrac')
    await fraction.waitFor()
    const [over, under] = await Promise.all(
      ['64', '180'].map(async text => (await fraction.locator('mn', { hasText: text }).boundingBox())!.y),
    )
    expect(over).toBeLessThan(under!)
    expect(await answer.getByText('costs $5 or $10').count()).toBe(1)
    await page.close()
    const broken = await said('broken')
    await broken.answer.locator('math').waitFor()
    expect(await broken.answer.textContent()).toContain('$\\frac{1$')
    await broken.page.close()
  })

  it('P-8905 P-8907 P-8910 callout, details, tasks, footnotes and links, by keyboard; nothing is requested from elsewhere', async () => {
    const asked: string[] = []
    const page = await workbench.page()
    page.on('request', request => asked.push(request.url()))
    await begin(page, 'all')
    await ended(page)
    const answer = answers(page).last()
    await answer.getByRole('note', { name: 'Caution' }).getByText('Take care.').waitFor()
    expect(await answer.getByText('Inside.').count()).toBe(0)
    await answer.locator('summary', { hasText: 'More of it' }).press('Enter')
    await answer.getByText('Inside.').waitFor()
    expect(await answer.getByRole('checkbox', { name: 'Done' }).isChecked()).toBe(true)
    await answer.getByRole('button', { name: 'Footnote 1', exact: true }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('The text of the note.')
    await answer.getByRole('button', { name: /^Back to where/ }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Footnote 1')
    expect(await answer.getByText('leads to evil.example').isVisible()).toBe(true)
    expect(await answer.getByRole('link', { name: 'bank.com' }).getAttribute('rel')).toBe('noopener noreferrer')
    expect(await answer.getByText('Image from pictures.example').isVisible()).toBe(true)
    expect(await answer.getByText('<b>no HTML</b>').count()).toBe(1)
    expect(asked.filter(url => /pictures\.example|evil\.example/.test(url))).toEqual([])
    await page.close()
  })

  it('P-8906 a wide table scrolls by itself and the page does not, on a phone', async () => {
    const { page, answer } = await said('wide', { width: 390, height: 760 })
    const scrolls = await answer
      .getByRole('group', { name: 'Table' })
      .evaluate(node => node.scrollWidth > node.clientWidth)
    expect(scrolls).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.close()
  })

  it('P-8908 no sign of markup is on the screen at any moment of a slow stream', async () => {
    const page = await workbench.page()
    await page.evaluate(() => {
      const raw: string[] = []
      const signs = /\*\*|\]\(|\$\$|\$x|\\frac|```|<\/?(details|summary)|\[\^|\[!|\|\s*-/
      const look = () => {
        for (const answer of document.querySelectorAll<HTMLElement>('main article[aria-label="Answer"]')) {
          const found = signs.exec(answer.textContent)
          if (found) raw.push(answer.textContent.slice(Math.max(0, found.index - 20), found.index + 20))
        }
        requestAnimationFrame(look)
      }
      look()
      Object.assign(globalThis, { raw })
    })
    await begin(page, 'slowly')
    const events = await ended(page)
    expect(saidIn(events)).toBe(TEXT)
    await answers(page).last().locator('math mfrac').waitFor()
    expect(await page.evaluate(() => (globalThis as unknown as { raw: string[] }).raw)).toEqual([])
    await page.close()
  })

  it('P-8905 P-808 the guide shows all of it, and axe finds nothing in it', async () => {
    const page = await workbench.page()
    await page.getByRole('radio', { name: /Guide/ }).click()
    await begin(page, '/markdown')
    await ended(page)
    const answer = answers(page).last()
    await answer.locator('math').first().waitFor()
    await answer.getByText('src/orders/place.ts').waitFor()
    expect(await answer.getByRole('note').count()).toBe(2)
    expect(await answer.getByRole('table').count()).toBe(1)
    expect(await answer.getByRole('button', { name: 'Footnote 1', exact: true }).count()).toBe(1)
    await answer.locator('summary', { hasText: 'Why not a cache?' }).click()
    await answer.getByText('taxFor').last().waitFor()
    expect(await violations(page)).toEqual([])
    await page.close()
  })
})
