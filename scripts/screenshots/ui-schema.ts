// Takes pictures of every document and hint of the specification of UI Schema and of every example of the playground, light
// and dark, 900 and 320 pixels wide, in English and in Chinese, on a few sheets:
// npm run screenshots -- ui-schema [part of a name…]
import { join, resolve } from 'node:path'
import { openWorkbench } from '../../apps/workbench/e2e/harness.ts'
import { packText } from '../../apps/workbench/src/pages/link-text.ts'
import { chosen, uiDocuments } from './drawn/examples.ts'
import { clearSheets, type SheetRow, WIDTHS, writeSheets } from './drawn/sheets.ts'

const out = join(resolve(import.meta.dirname, '../..'), '.cache/screenshots/ui-schema')
const all = chosen(uiDocuments(), process.argv.slice(2))
const workbench = await openWorkbench()
try {
  await clearSheets(out)
  for (const locale of ['en-GB', 'zh-CN'])
    for (const dark of [false, true]) {
      const page = await workbench.page({ path: '/playground', dark, locale })
      const rows: SheetRow[] = []
      for (const { name, value } of all) {
        const pictures: Buffer[] = []
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          // Another hash alone would not load the page again.
          await page.goto('about:blank')
          const text = await packText(JSON.stringify(value, null, 2))
          const language = locale === 'zh-CN' ? 'zh-CN' : 'en'
          await page.goto(new URL(`/playground#only&locale=${language}&text=${text}`, workbench.url).href)
          const card = page.locator('.w-play-card')
          await card.locator('.v-ui, .v-ui-not-shown').first().waitFor()
          // The window has a side bar, and the card is to be so wide.
          const { width: inner = width } = (await card.boundingBox()) ?? {}
          await page.setViewportSize({ width: width + Math.round(width - inner), height: 900 })
          // The icons and charts are loaded later, in chunks of their own.
          await page.waitForTimeout(200)
          await page.waitForFunction(() => document.querySelector('.v-ui-icon:empty') === null)
          // The page scrolls inside of an element, so a picture of all of it needs a tall window.
          const { height = 0 } = (await card.boundingBox()) ?? {}
          await page.setViewportSize({ ...page.viewportSize()!, height: Math.max(900, Math.ceil(height) + 500) })
          pictures.push(await card.screenshot({ animations: 'disabled' }))
        }
        rows.push({ name, pictures })
      }
      await page.context().close()
      await writeSheets(workbench.browser, out, `${locale}-${dark ? 'dark' : 'light'}`, rows)
    }
  console.log(`The sheets of ${all.length} documents are in ${out}`)
} finally {
  await workbench.close()
}
