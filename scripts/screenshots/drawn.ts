// Has an agent draw every public example and every document of the two specifications in sessions, and takes pictures of
// the answers, light and dark, in windows of 900 and 320 pixels, on a few sheets:
// npm run screenshots -- drawn [part of a name…]
import { join, resolve } from 'node:path'
import type { Agent, AgentOutput } from '@vitrine/server'
import { begin, ended, openWorkbench, sessionOf } from '../../apps/workbench/e2e/harness.ts'
import { a2uiDocuments, chosen, uiDocuments } from './drawn/examples.ts'
import { clearSheets, type SheetRow, WIDTHS, writeSheets } from './drawn/sheets.ts'

const out = join(resolve(import.meta.dirname, '../..'), '.cache/screenshots/drawn')
const all = chosen([...a2uiDocuments(), ...uiDocuments()], process.argv.slice(2))

const painter: Agent = {
  agentId: 'painter',
  name: 'Painter',
  description: 'Draws the example that is named',
  scripted: true,
  async *run({ text }, context) {
    const { value } = all.find(({ name }) => name === text)!
    const { envelopes, intent } = value as { envelopes?: unknown; intent?: unknown }
    const toolCallId = 'draw'
    yield { type: 'text.delta', partId: 'before', delta: 'Here it is.' }
    yield { type: 'tool.started', toolCallId, partId: 'drawn', name: envelopes ? 'a2ui' : 'show', title: 'Draw' }
    if (envelopes) {
      const answer = await context.surfaces.apply(envelopes, toolCallId)
      if (answer.failed > 0) console.log(`${text}: ${JSON.stringify(answer.results)}`)
      yield { type: 'tool.result', toolCallId, value: answer }
    } else {
      const drawn = intent === undefined ? { ui: value } : { uiHints: value }
      yield { type: 'tool.result', toolCallId, value: { ok: true }, ...drawn } as AgentOutput
    }
    yield { type: 'text.delta', partId: 'after', delta: 'Tell me when something should look different.' }
  },
}

const workbench = await openWorkbench({ agents: [painter] })
try {
  await clearSheets(out)
  const first = await workbench.page()
  const sessions = new Map<string, string>()
  for (const { name } of all) {
    await begin(first, name)
    await ended(first)
    sessions.set(name, sessionOf(first))
  }
  await first.context().close()
  for (const dark of [false, true]) {
    const page = await workbench.page({ dark })
    const rows: SheetRow[] = []
    for (const [name, sessionId] of sessions) {
      const pictures: Buffer[] = []
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 2600 })
        await page.goto(new URL(`/s/${sessionId}`, workbench.url).href)
        const answer = page.getByRole('article', { name: 'Answer', exact: true }).last()
        await answer.locator('.v-a2, .v-ui, .v-ui-not-shown').first().waitFor()
        await page.waitForTimeout(300)
        await page.waitForFunction(
          () => document.querySelector(':is(.v-a2-icon, .v-ui-icon):empty, .v-a2-placeholder') === null,
        )
        pictures.push(await answer.screenshot({ animations: 'disabled' }))
      }
      rows.push({ name, pictures })
    }
    await page.context().close()
    await writeSheets(workbench.browser, out, dark ? 'dark' : 'light', rows)
  }
  console.log(`The sheets of ${all.length} examples are in ${out}`)
} finally {
  await workbench.close()
}
