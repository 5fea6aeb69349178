// Takes pictures of the A2UI gallery, sample by sample, in light
// and dark, wide and narrow. Run with npm run screenshots.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openWorkbench } from '../../apps/workbench/e2e/harness.ts'

const folder = join(resolve(import.meta.dirname, '../..'), '.cache/screenshots/gallery')
await mkdir(folder, { recursive: true })
const workbench = await openWorkbench()
try {
  for (const dark of [false, true]) {
    for (const width of [1280, 390]) {
      const page = await workbench.page({ path: '/gallery', dark, width, height: 900 })
      await page.locator('.v-a2').first().waitFor()
      for (const sample of ['Booking form', 'Dashboard', 'Tabs', 'Table', 'ChoicePicker']) {
        const button = page.getByRole('button', { name: sample, exact: true })
        if (await button.isVisible()) await button.click()
        else await page.locator('.w-gallery-nav select').selectOption({ label: sample })
        await page.locator('.v-a2').first().waitFor()
        await page.waitForTimeout(300)
        const name = `${sample.replaceAll(' ', '-').toLowerCase()}-${dark ? 'dark' : 'light'}-${width}.png`
        await page.screenshot({ path: join(folder, name), fullPage: true })
      }
      await page.context().close()
    }
  }
} finally {
  await workbench.close()
}
