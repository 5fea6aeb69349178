import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const looks = [
  ['light', 'no-preference'],
  ['dark', 'no-preference'],
  ['light', 'more'],
  ['dark', 'more'],
] as const

/** Gives what axe finds on the page, in light and in dark, and with more contrast: the rule and the place. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = []
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  for (const [colorScheme, contrast] of looks) {
    await page.emulateMedia({ colorScheme, contrast, reducedMotion: 'reduce' })
    const { violations } = (await page.evaluate(
      tags =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
          runOnly: tags,
          resultTypes: ['violations'],
        }),
      WCAG,
    )) as AxeResults
    for (const { id, nodes } of violations) {
      for (const { html, any } of nodes)
        found.push(`${colorScheme} ${contrast} ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference', reducedMotion: 'reduce' })
  return found
}
