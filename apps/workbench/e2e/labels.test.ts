import type { Agent } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { begin, ended, openPanel, openWorkbench, type Workbench } from './harness.ts'

/** A character that reverses the reading direction of the text after it. */
const OVERRIDE = '\u202e'
const odd = (name: string) => `${name} ${OVERRIDE}gpj.exe`

/** An agent that gives a misleading name to everything that it can name. */
const deceiver: Agent = {
  agentId: 'deceiver',
  name: odd('Agent'),
  description: odd('Description'),
  scripted: true,
  async *run({ text }, { ask, spawn }) {
    if (text === 'child') return
    yield { type: 'tool.started', partId: 'c1', toolCallId: 'c1', name: odd('tool'), title: odd('Tool') }
    yield { type: 'tool.progress', toolCallId: 'c1', message: odd('Progress'), current: 1, total: 2 }
    yield { type: 'tool.result', toolCallId: 'c1', summary: odd('Summary') }
    yield { type: 'plan.final', title: odd('Plan'), steps: [{ id: '1', title: odd('Step'), status: 'active' }] }
    yield {
      type: 'artifact.created',
      partId: 'a',
      artifactId: 'a',
      artifact: { kind: 'document', title: odd('Artifact') },
    }
    yield {
      type: 'diagnostic.changed',
      diagnosticId: 'd',
      state: 'open',
      level: 'warning',
      code: 'odd',
      message: odd('Diagnostic'),
    }
    await spawn('deceiver', 'child', odd('Child'))
    const scope = { key: 'k', label: odd('Permission') }
    await ask({ kind: 'approval', title: odd('Approval'), detail: odd('Detail'), scope })
    const options = [{ value: 'a', label: odd('Option'), detail: odd('Why') }]
    await ask({ kind: 'choice', title: odd('Choice'), options })
    const schema = { type: 'object', properties: { n: { title: odd('Field'), enum: [odd('One'), odd('Two')] } } }
    await ask({ kind: 'form', title: odd('Form'), schema })
    throw Object.assign(new Error(odd('Failure')), { code: 'odd' })
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [deceiver, { ...deceiver, agentId: 'second' }] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

/** Finds each raw mark in the texts, the attributes and the title of the page, and gives the words around it. */
const raw = (page: Page) =>
  page.evaluate(mark => {
    const whole = `${document.title}\n${document.documentElement.outerHTML}`
    return whole
      .split(mark)
      .slice(0, -1)
      .map(before => before.slice(-60))
  }, OVERRIDE)

describe('names that others chose', () => {
  it('P-283 C08 none of them can reverse the reading direction in any view', async () => {
    const page = await workbench.page()
    const seen = async (text: string) => {
      await page.getByText(text).first().waitFor()
      expect(await raw(page), text).toEqual([])
    }
    await seen('Description U+202E')
    const named = page.getByRole('radio', { name: 'Agent [U+202E]gpj.exe' })
    expect(await named.count()).toBe(2)

    const sessionId = await begin(page, 'go')
    const rename = { title: odd('Session') }
    await page.request.patch(new URL(`/api/sessions/${sessionId}`, page.url()).href, { data: rename })
    await expect.poll(() => page.title()).toContain('Session [U+202E]gpj.exe')
    await seen('Tool U+202E')
    await seen('Child U+202E')
    await seen('Artifact U+202E')
    await page.getByRole('button', { name: 'Always allow in this session' }).hover()
    await seen('Permission [U+202E]')
    await page.getByText('Detail ⟦U+202E⟧gpj.exe').waitFor()
    await page.waitForTimeout(500)
    await page.getByRole('button', { name: 'Always allow in this session' }).click()
    await seen('Option U+202E')
    await page.waitForTimeout(500)
    await page.getByText('Option U+202E').click()
    await page.getByRole('button', { name: /^Choose/ }).click()
    await seen('Field U+202E')
    await page.waitForTimeout(500)
    await page.getByRole('button', { name: 'Not now' }).click()
    await ended(page)
    await seen('Failure U+202E')

    await page.getByRole('button', { name: 'Open the side panel' }).click()
    for (const [tab, text] of [
      ['Plan', 'Step U+202E'],
      ['Tasks', 'Child U+202E'],
      ['Permissions', 'Permission U+202E'],
      ['Diagnostics', 'Diagnostic U+202E'],
    ] as const) {
      await openPanel(page, tab)
      await seen(text)
    }

    await page.goto(new URL('/', page.url()).href)
    await seen('Session U+202E')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByText('Session U+202E').waitFor()
    expect(await raw(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Session [U+202E]gpj.exe' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await seen('Session [U+202E]gpj.exe')
    await page.getByRole('button', { name: 'Recently deleted' }).click()
    await page.getByRole('dialog').getByText('Session U+202E').waitFor()
    expect(await raw(page)).toEqual([])
    await page.context().close()
  })
})
