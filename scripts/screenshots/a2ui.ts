// Draws every public example of A2UI and every sample of the gallery as people see them, light and dark, 900 and 320 pixels
// wide, and once more with their pictures loaded. They stand below each other on a few sheets:
// npm run screenshots -- a2ui [part of a name…]
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { openWorkbench } from '../../apps/workbench/e2e/harness.ts'
import { envelopesOf, written } from '../../apps/workbench/src/pages/gallery-form.ts'
import { samples } from '../../apps/workbench/src/pages/gallery-samples.ts'
import { packText } from '../../apps/workbench/src/pages/link-text.ts'

const root = resolve(import.meta.dirname, '../..')
const shared = join(root, '../shared')
const out = join(root, '.cache/screenshots/a2ui')
const WIDTHS = [900, 320]
/** A sheet is so high at most: what is larger is made smaller when somebody looks at it. */
const SHEET = 1500
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="450"><rect width="600" height="450" fill="#7a9cc6"/><circle cx="300" cy="225" r="150" fill="#f2c14e"/></svg>`

interface Example {
  name: string
  text: string
}

/** The samples of the gallery, and the public examples where they are. */
async function examples(): Promise<Example[]> {
  const found: Example[] = samples.map(sample => ({
    name: `sample ${sample.id}`,
    text: written(envelopesOf(sample, 'nested')),
  }))
  const folder = join(shared, 'conformance/a2ui/examples')
  if (existsSync(folder))
    for (const file of (await readdir(folder)).sort()) {
      const { messages } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { messages: unknown }
      found.push({ name: basename(file, '.json'), text: JSON.stringify({ envelopes: messages }, null, 2) })
    }
  const form = join(shared, 'conformance/a2ui/cases/contact_form_example.jsonl')
  if (existsSync(form)) found.push({ name: 'contact_form', text: withoutEnd(await readFile(form, 'utf8')) })
  const wanted = process.argv.slice(2)
  return found.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
}

/** An example that takes its surface away at the end would leave nothing to look at. */
const withoutEnd = (lines: string) =>
  lines
    .split('\n')
    .filter(line => !line.includes('deleteSurface'))
    .join('\n')

async function draw(page: Page, { text }: Example, width: number, pictures: boolean): Promise<Buffer> {
  await page.setViewportSize({ width, height: 900 })
  // Another hash alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(new URL(`/gallery#only&text=${await packText(text)}`, workbench.url).href)
  const stage = page.locator('.w-gallery-stage')
  await stage.locator('.v-a2').first().waitFor()
  // The window has a side bar, and the surface is to be so wide.
  const { width: inner = width } = (await stage.boundingBox()) ?? {}
  await page.setViewportSize({ width: width + Math.round(width - inner), height: 900 })
  // Icons, Markdown and pictures are loaded later, in chunks of their own.
  await page.waitForTimeout(300)
  await page.waitForFunction(() => document.querySelector('.v-a2-icon:empty, .v-a2-placeholder') === null)
  if (pictures) {
    const show = page.getByRole('button', { name: /^Show image/ })
    while ((await show.count()) > 0) await show.first().click()
    await page.waitForFunction(() => document.querySelector('.v-a2 [data-state="loading"]') === null)
  }
  const { height = 0 } = (await stage.boundingBox()) ?? {}
  await page.setViewportSize({ ...page.viewportSize()!, height: Math.max(900, Math.ceil(height)) })
  return stage.screenshot({ animations: 'disabled' })
}

const workbench = await openWorkbench()
try {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const all = await examples()
  for (const look of ['light', 'dark', 'pictures']) {
    const page = await workbench.page({ path: '/gallery', dark: look === 'dark' })
    await page.route(/\/api\/media/, route => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }))
    const rows: { html: string; height: number }[] = []
    for (const example of all) {
      if (look === 'pictures' && !/"Image"/.test(example.text)) continue
      const drawn: string[] = []
      let height = 0
      for (const width of WIDTHS) {
        const picture = await draw(page, example, width, look === 'pictures')
        height = Math.max(height, picture.readUInt32BE(20))
        drawn.push(`<img src="data:image/png;base64,${picture.toString('base64')}">`)
      }
      rows.push({ html: `<h1>${example.name}</h1><div>${drawn.join('')}</div>`, height: height + 32 })
    }
    await page.context().close()
    await sheets(look, rows)
  }
  console.log(`The sheets of ${all.length} examples are in ${out}`)
} finally {
  await workbench.close()
}

async function sheets(look: string, rows: readonly { html: string; height: number }[]): Promise<void> {
  const pages: string[][] = []
  let left = 0
  for (const { html, height } of rows) {
    if (pages.length === 0 || height > left) {
      pages.push([])
      left = SHEET
    }
    pages.at(-1)!.push(html)
    left -= height
  }
  const sheet = await workbench.browser.newPage({ viewport: { width: 1260, height: 200 } })
  const style =
    'body{margin:8px;background:#888;font:12px sans-serif}h1{margin:8px 0 2px;font-size:12px}div{display:flex;gap:8px;align-items:start}'
  for (const [at, page] of pages.entries()) {
    await sheet.setContent(`<style>${style}</style>${page.join('')}`)
    await sheet.screenshot({ path: join(out, `${look}-${String(at + 1).padStart(2, '0')}.png`), fullPage: true })
  }
  await sheet.close()
}
