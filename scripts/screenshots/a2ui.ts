// Draws every sample of the gallery, every public example of A2UI and every document of its specification as people see
// them, light and dark, 900 and 320 pixels wide, and once more with their pictures loaded. They stand below each other on
// a few sheets: npm run screenshots -- a2ui [part of a name…]
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { openWorkbench } from '../../apps/workbench/e2e/harness.ts'
import { packText } from '../../apps/workbench/src/pages/link-text.ts'
import { a2uiDocuments, chosen, type Example, gallerySamples } from './drawn/examples.ts'
import { clearSheets, type SheetRow, WIDTHS, writeSheets } from './drawn/sheets.ts'

const out = join(resolve(import.meta.dirname, '../..'), '.cache/screenshots/a2ui')
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="450"><rect width="600" height="450" fill="#7a9cc6"/><circle cx="300" cy="225" r="150" fill="#f2c14e"/></svg>`

async function draw(page: Page, { value }: Example, width: number, pictures: boolean): Promise<Buffer> {
  await page.setViewportSize({ width, height: 900 })
  // Another hash alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(new URL(`/gallery#only&text=${await packText(JSON.stringify(value, null, 2))}`, workbench.url).href)
  const stage = page.locator('.w-gallery-stage')
  await stage.locator('.v-a2').first().waitFor()
  // The window has a side bar, and the surface is to be so wide.
  const { width: inner = width } = (await stage.boundingBox()) ?? {}
  await page.setViewportSize({ width: width + Math.round(width - inner), height: 900 })
  // Icons, tables, Markdown and pictures are loaded later, in chunks of their own.
  await page.waitForTimeout(300)
  await page.waitForFunction(
    () =>
      document.querySelector('.v-a2-icon:empty, .v-a2-placeholder') === null &&
      !document.querySelector('.w-gallery-stage')?.textContent?.includes('Loading…'),
  )
  if (pictures) {
    const show = page.getByRole('button', { name: /^Show image/ })
    while ((await show.count()) > 0) await show.first().click()
    await page.waitForFunction(() => document.querySelector('.v-a2 [data-state="loading"]') === null)
  }
  const { height = 0 } = (await stage.boundingBox()) ?? {}
  await page.setViewportSize({ ...page.viewportSize()!, height: Math.max(900, Math.ceil(height)) })
  return stage.screenshot({ animations: 'disabled' })
}

const all = chosen([...gallerySamples(), ...a2uiDocuments()], process.argv.slice(2))
const workbench = await openWorkbench()
try {
  await clearSheets(out)
  for (const look of ['light', 'dark', 'pictures']) {
    const page = await workbench.page({ path: '/gallery', dark: look === 'dark' })
    await page.route(/\/api\/media/, route => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }))
    const rows: SheetRow[] = []
    for (const example of all) {
      if (look === 'pictures' && !/"Image"/.test(JSON.stringify(example.value))) continue
      const pictures: Buffer[] = []
      for (const width of WIDTHS) pictures.push(await draw(page, example, width, look === 'pictures'))
      rows.push({ name: example.name, pictures })
    }
    await page.context().close()
    await writeSheets(workbench.browser, out, look, rows)
  }
  console.log(`The sheets of ${all.length} examples are in ${out}`)
} finally {
  await workbench.close()
}
