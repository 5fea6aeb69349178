import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

/** The widths in which everything that agents draw is looked at. */
export const WIDTHS = [900, 320]
/** A sheet is so high at most: what is larger is made smaller when somebody looks at it. */
const HIGHEST = 1500
const STYLE =
  'body{margin:8px;background:#888;font:12px sans-serif}h1{margin:8px 0 2px;font-size:12px}div{display:flex;gap:8px;align-items:start}'

/** Pictures of one thing, beside each other. */
export interface SheetRow {
  name: string
  pictures: readonly Buffer[]
}

/** Removes the sheets of an earlier run. */
export async function clearSheets(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
}

/** Writes rows of pictures below each other on as few sheets as can be looked at. */
export async function writeSheets(browser: Browser, folder: string, look: string, rows: readonly SheetRow[]) {
  const sheets: string[][] = []
  let left = 0
  for (const { name, pictures } of rows) {
    // A PNG has its height there.
    const height = Math.max(...pictures.map(picture => picture.readUInt32BE(20))) + 32
    if (sheets.length === 0 || height > left) {
      sheets.push([])
      left = HIGHEST
    }
    const images = pictures.map(picture => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
    sheets.at(-1)!.push(`<h1>${name}</h1><div>${images.join('')}</div>`)
    left -= height
  }
  const page = await browser.newPage({ viewport: { width: 1260, height: 200 } })
  for (const [at, sheet] of sheets.entries()) {
    await page.setContent(`<style>${STYLE}</style>${sheet.join('')}`)
    await page.screenshot({ path: join(folder, `${look}-${String(at + 1).padStart(2, '0')}.png`), fullPage: true })
  }
  await page.close()
}
